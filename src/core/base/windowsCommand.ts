import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Environment } from './environment.ts';

/** How a command is started on Windows. */
export interface WindowsStart {
  readonly program: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

/**
 * How Windows starts a command with exactly these arguments: programs by themselves, and batch files, such as `npm.cmd`, through cmd.exe,
 * which is the only one that can run them.
 *
 * @param isFile asks whether there is such a file.
 */
export function windowsStart(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Environment['variables'],
  isFile: (path: string) => boolean = isFileOnDisk,
): WindowsStart {
  const found = candidates(program, cwd, variables).find(isFile);
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found))
    return { program: found ?? program, args, verbatim: false };
  const line = [found, ...args].map(quoted).join(' ');
  const shell = valueOf(variables, 'ComSpec') ?? 'cmd.exe';
  return { program: shell, args: ['/d', '/s', '/v:off', '/c', `"${line}"`], verbatim: true };
}

/** Where a command may be: in the folder that it names, else in those of the path; with each extension that may be left out. */
function candidates(program: string, cwd: string, variables: Environment['variables']): string[] {
  const folders = /[\\/:]/.test(program) ? [cwd] : (valueOf(variables, 'PATH') ?? '').split(';').filter(Boolean);
  const extensions = (valueOf(variables, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const endings = win32.extname(program) === '' ? extensions : ['', ...extensions];
  return folders.flatMap((folder) => endings.map((ending) => win32.resolve(folder, program + ending)));
}

/** A variable's name may be written in any case. */
function valueOf(variables: Environment['variables'], name: string): string | undefined {
  const found = Object.keys(variables).find((each) => each.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : variables[found];
}

/** A word that comes through cmd.exe and the rules of C programs as it is; every sign that means something to cmd.exe is escaped for it. */
function quoted(word: string): string {
  const forProgram = `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
  return forProgram.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

function isFileOnDisk(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
