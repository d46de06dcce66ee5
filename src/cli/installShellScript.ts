import { constants } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { rm } from '../core/base/heldFiles.ts';
import { updateText, writeAtomically } from '../core/base/atomicFile.ts';
import type { Environment } from '../core/base/environment.ts';
import { errorCode, Problem } from '../core/base/problem.ts';
import { runProgram } from '../core/base/process.ts';
import { powerShellAsciiWord } from '../core/base/quoted.ts';
import { userFolders } from '../core/base/userFolders.ts';
import { cliMessages } from './cliMessages.ts';
import { shellScript } from './shellScripts.ts';

/** What was done to one file of the person's own. */
export interface FileChange {
  readonly file: string;
  readonly change: 'created' | 'changed' | 'removed' | 'unchanged';
  /** A copy of what it held before, where that was more than ours. */
  readonly backup?: string;
}

/** Where the script of a shell is put, and the file of that shell that loads it. */
interface Place {
  readonly script: string;
  /** The file that a shell reads when it starts, and the lines in it; `undefined` where the shell loads the script by its place alone. */
  readonly start: { readonly file: string; readonly lines: readonly string[] } | undefined;
}

const opening = '# >>> wt: completions, and a wt that changes the folder >>>';
const closing = '# <<< wt <<<';

/** The shell that a person uses, by `SHELL`, which Git Bash sets; on Windows PowerShell without it, else `undefined`. */
export function shellOf({ variables, platform }: Environment): string | undefined {
  const named = /([a-z]+)(?:\.exe)?$/.exec(variables['SHELL'] ?? '')?.[1];
  return named ?? (platform === 'win32' ? 'powershell' : undefined);
}

/**
 * Has a shell load the completions whenever it starts. Done again it changes nothing, or brings the script up to date.
 *
 * @throws Problem `usage` for a shell without completions; `unreadable-file` where our lines were cut apart by hand; `not-writable`.
 */
export async function installShellScript(environment: Environment, shell: string): Promise<FileChange[]> {
  const script = shellScript(shell);
  const { script: file, start } = await placeOf(environment, shell);
  const before = await textOf(file);
  if (before !== script) await writeAtomically(file, script);
  const own: FileChange = {
    file,
    change: before === undefined ? 'created' : before === script ? 'unchanged' : 'changed',
  };
  return start === undefined ? [own] : [own, await edit(start.file, [opening, ...start.lines, closing])];
}

/**
 * Takes away what {@link installShellScript} has put there.
 *
 * @throws Problem as that.
 */
export async function uninstallShellScript(environment: Environment, shell: string): Promise<FileChange[]> {
  shellScript(shell);
  const { script, start } = await placeOf(environment, shell);
  // First what loads it: a shell that starts in between finds both or neither.
  const edited = start === undefined ? [] : [await edit(start.file, [])];
  const isThere = (await textOf(script)) !== undefined;
  if (isThere) await rm(script, { force: true });
  return [...edited, { file: script, change: isThere ? 'removed' : 'unchanged' }];
}

async function placeOf(environment: Environment, shell: string): Promise<Place> {
  const { variables, platform } = environment;
  const home = variables[platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? '';
  if (home === '') throw new Problem('usage', cliMessages.homeUnknown(), { next: cliMessages.setHome() });
  if (shell === 'fish')
    return {
      script: join(variables['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'fish', 'conf.d', 'wt.fish'),
      start: undefined,
    };
  if (shell === 'powershell' || shell === 'pwsh') {
    const script = join(userFolders(environment).config, 'wt.ps1');
    const word = powerShellAsciiWord(script);
    const file = (await askProfile(environment, shell)) ?? profileOf(platform, home, shell);
    return { script, start: { file, lines: [`if (Test-Path -LiteralPath ${word}) { . ${word} }`] } };
  }
  const script = join(userFolders(environment).config, `wt.${shell}`);
  const quoted = `'${script.replaceAll('\\', '/').replaceAll("'", String.raw`'\''`)}'`;
  const load = `[ -f ${quoted} ] && . ${quoted}`;
  if (shell === 'zsh') {
    const compinit = '(( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }';
    return { script, start: { file: join(variables['ZDOTDIR'] ?? home, '.zshrc'), lines: [compinit, load] } };
  }
  // Terminals of macOS start login shells, which do not read .bashrc.
  const file = join(home, platform === 'darwin' ? '.bash_profile' : '.bashrc');
  return { script, start: { file, lines: [load] } };
}

/**
 * The profile of a PowerShell, as it says itself: the folder of documents may be anywhere. It says so in base64, since what it prints
 * is in the code page of the console, which may not have the letters of a person's name.
 */
async function askProfile({ variables }: Environment, shell: string): Promise<string | undefined> {
  const ask = '[Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($PROFILE.CurrentUserAllHosts))';
  const args = ['-NoProfile', '-NonInteractive', '-Command', ask];
  const { stdout, failure } = await runProgram(shell, args, { variables, timeout: 10_000 });
  const file = Buffer.from(stdout.trim(), 'base64').toString('utf8');
  return !failure && isAbsolute(file) && !/[\p{Cc}\ufffd]/u.test(file) ? file : undefined;
}

/** Where it is by default. */
function profileOf(platform: NodeJS.Platform, home: string, shell: string): string {
  if (platform !== 'win32') return join(home, '.config', 'powershell', 'profile.ps1');
  return join(home, 'Documents', shell === 'pwsh' ? 'PowerShell' : 'WindowsPowerShell', 'profile.ps1');
}

/**
 * Puts our lines into a file of the person's, instead of those that are there; no lines take them away. The rest of the file stays byte for byte.
 */
async function edit(file: string, lines: readonly string[]): Promise<FileChange> {
  return updateText(file, async (write): Promise<FileChange> => {
    const before = (await textOf(file)) ?? '';
    const after = withLines(file, before, lines);
    if (after === before) return { file, change: 'unchanged' };
    const backup = before === '' ? undefined : await backUp(file);
    write(after);
    return { file, change: before === '' ? 'created' : 'changed', ...(backup === undefined ? {} : { backup }) };
  });
}

function withLines(file: string, text: string, lines: readonly string[]): string {
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const block = lines.length === 0 ? '' : `${lines.join(end)}${end}`;
  const from = text.indexOf(opening);
  const to = text.indexOf(closing, Math.max(0, from));
  if (from < 0 !== to < 0)
    throw new Problem('unreadable-file', cliMessages.linesCutApart({ file }), {
      ...{ file, next: cliMessages.deleteLines({ line: from < 0 ? closing : opening }), outcome: 'incomplete' },
    });
  if (from >= 0) {
    const rest = text.slice(to + closing.length).replace(/^\r?\n/, '');
    const before = text.slice(0, from);
    // With them goes the empty line that was put before them.
    return `${block === '' ? before.replace(/(^|\n)\r?\n$/, '$1') : before}${block}${rest}`;
  }
  if (block === '') return text;
  const open = text === '' || text.endsWith('\n') ? '' : end;
  return `${text}${open}${text === '' ? '' : end}${block}`;
}

/** Copies a file beside itself, under a name that is free. */
async function backUp(file: string): Promise<string> {
  for (let count = 1; ; count++) {
    const backup = `${file}.before-wt${count === 1 ? '' : `-${count}`}`;
    try {
      await copyFile(file, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (thrown) {
      if (errorCode(thrown) !== 'EEXIST') throw thrown;
    }
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
