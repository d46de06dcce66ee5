import { execFile } from 'node:child_process';
import { l10n } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { ClaudeProgram } from './findClaude.ts';

/** How long a command of Claude Code may take, in milliseconds: it starts slowly, and may ask a network that is not there. */
const patience = 120_000;

/**
 * Runs a command of Claude Code that needs no terminal.
 *
 * @param cwd a folder whose settings are to count.
 * @returns its standard output.
 * @throws Problem `unsupported` with its own words when it fails; `cancelled`.
 */
export function runClient(
  { program }: ClaudeProgram,
  args: readonly string[],
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<string> {
  // Windows starts a script only through its shell, which takes words apart at spaces.
  const shell = /\.(cmd|bat)$/i.test(program);
  const word = (text: string): string => (shell ? `"${text}"` : text);
  const options = { cwd, signal, shell, timeout: patience, windowsHide: true, maxBuffer: 4 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    const child = execFile(word(program), args.map(word), options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if (signal.aborted) return reject(Problem.cancelled());
      const items = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
      const why = items.at(-1) ?? error.message;
      reject(
        new Problem('unsupported', l10n.t('“claude {0}” failed: {1}', args.join(' '), why), {
          items,
          outcome: 'incomplete',
          cause: error,
        }),
      );
    });
    // It would wait a while for input.
    child.stdin?.end();
  });
}
