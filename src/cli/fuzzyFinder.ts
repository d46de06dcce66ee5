import { startedProcess, type ProcessOptions } from '../core/base/process.ts';
import type { CommandLine } from './command.ts';

/** Between the fields of a record; in no name that anybody gives. */
const separator = '\u001f';

/** One line of the finder. */
export interface FinderLine {
  readonly text: string;
  /** Takes the place of `{2}` in the command of the preview, quoted for the shell. */
  readonly subject: string;
}

/** How the finder is started. */
export interface FinderOptions {
  readonly prompt: string;
  /** For `sh`; `undefined` for no preview. */
  readonly preview: string | undefined;
}

/** What a person picked: the index of a line, nothing, or there is no finder that works. */
export type Picked = number | 'nothing' | 'no-finder';

/**
 * Lets a person pick a line with fzf, where that is on the path. It draws on the terminal itself. Lines and the answer are separated by
 * NUL, and a line is known by its number again.
 */
export async function pickWithFinder(
  { environment, output }: CommandLine,
  lines: readonly FinderLine[],
  { prompt, preview }: FinderOptions,
): Promise<Picked> {
  const args = [
    ...['--read0', '--print0', '--ansi', '--no-multi', '--no-print-query', '--no-expect'],
    ...[`--delimiter=${separator}`, '--with-nth=3..', '--tiebreak=index'],
    ...['--layout=reverse', '--height=60%', '--min-height=12', `--prompt=${prompt}`],
    ...(preview === undefined ? [] : [`--preview=${preview}`, '--preview-window=down,50%,wrap']),
  ];
  // Of the person's shells each quotes in another way, and fzf only in that of sh.
  const variables = { ...environment.variables, SHELL: '/bin/sh', ...(output.coloured ? { FORCE_COLOR: '1' } : {}) };
  const input = lines.map(({ subject, text }, index) => `${[index, subject, text].join(separator)}\0`).join('');
  const options: ProcessOptions = { cwd: environment.cwd, env: variables, stdio: ['pipe', 'pipe', 'inherit'] };
  const child = await startedProcess('fzf', args, options).catch(() => undefined);
  if (!child) return 'no-finder';
  return new Promise((resolve) => {
    let answer = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (answer += text));
    child.stdin?.on('error', () => {}).end(input);
    child.once('error', () => resolve('no-finder'));
    child.once('close', (code) => {
      const index = Number.parseInt(answer, 10);
      // 2 is an error of its own, as with options in FZF_DEFAULT_OPTS that it does not know.
      if (code === 2) resolve('no-finder');
      else resolve(code === 0 && lines[index] ? index : 'nothing');
    });
  });
}
