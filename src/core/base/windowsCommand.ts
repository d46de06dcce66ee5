import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Environment } from './environment.ts';
import { valueOf } from './windowsVariables.ts';

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
 * @throws an error with the code `EINVAL` for a line break in an argument of a batch file: cmd.exe takes it for the end of the command.
 */
export function windowsStart(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Environment['variables'],
  isFile: (path: string) => boolean = isFileOnDisk,
): WindowsStart {
  const found = candidates(program, cwd, variables).find(isFile);
  if (found === undefined || !isBatchFile(found)) return { program: found ?? program, args, verbatim: false };
  const line = [found, ...args].map(batchWord).join(' ');
  const shell = valueOf(variables, 'ComSpec') ?? 'cmd.exe';
  return { program: shell, args: ['/e:on', '/v:off', '/d', '/c', `"${line}"`], verbatim: true };
}

/**
 * Where Windows has a program that is named without a folder: the first `.exe` of that name in the folders of the path, and never one in
 * the current folder.
 *
 * @param isFile asks whether there is such a file.
 * @returns an absolute path; `undefined` for a name with a folder, and when there is none.
 */
export function programOnPath(
  program: string,
  variables: Environment['variables'],
  isFile: (path: string) => boolean = isFileOnDisk,
): string | undefined {
  if (/[\\/:]/.test(program)) return undefined;
  const file = win32.extname(program) === '' ? `${program}.exe` : program;
  return foldersOfPath(variables)
    .map((folder) => win32.join(folder, file))
    .find(isFile);
}

/**
 * The folders in which Windows looks for programs. Empty ones are left out, and those that are relative: they would be the current folder, or
 * folders in it. One that holds a semicolon is between quotes there.
 */
export function foldersOfPath(variables: Environment['variables']): string[] {
  const written = (valueOf(variables, 'PATH') ?? '').match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return written.map((folder) => folder.replaceAll('"', '')).filter((folder) => win32.isAbsolute(folder));
}

/** What ends the names of programs, in the order in which they are looked for. */
const runnable = ['.COM', '.EXE', '.BAT', '.CMD'];

/**
 * The extensions that may be left out where a program is named, in any case and with their dot. Of those in `PATHEXT` only the ones that
 * start by themselves or through cmd.exe: scripts of other hosts do not.
 */
export function extensionsOf(variables: Environment['variables']): string[] {
  const written = (valueOf(variables, 'PATHEXT') ?? '').split(';').map((each) => each.trim());
  const known = written.filter((each) => runnable.includes(each.toUpperCase()));
  return known.length > 0 ? known : runnable;
}

/** Whether only cmd.exe can run it. Windows ignores dots and spaces at the end of a name. */
function isBatchFile(path: string): boolean {
  return /\.(?:cmd|bat)[. ]*$/i.test(path);
}

/** Where a command may be: in the folder that it names, else in those of the path; with each extension that may be left out. */
function candidates(program: string, cwd: string, variables: Environment['variables']): string[] {
  const folders = /[\\/:]/.test(program) ? [cwd] : foldersOfPath(variables);
  const extensions = extensionsOf(variables);
  const endings = win32.extname(program) === '' ? extensions : ['', ...extensions];
  return folders.flatMap((folder) => endings.map((ending) => win32.resolve(folder, program + ending)));
}

/**
 * A word that comes through cmd.exe, the batch file, and the program that the batch file hands it to, as it is. It stays between quotes for
 * cmd.exe all the way, which reads it twice, so that no sign but the percent means anything there: a quote is doubled, which C programs
 * take for one; and a percent sign is followed by an empty part of a variable, so that it cannot begin the name of another one.
 */
function batchWord(word: string): string {
  if (/[\r\n\0]/.test(word))
    throw Object.assign(new Error('a batch file takes no argument with a line break'), { code: 'EINVAL' });
  const backslashes = word.replace(/(\\+)(?="|$)/g, '$1$1');
  return `"${backslashes.replaceAll('"', '""').replaceAll('%', '%%cd:~,%')}"`;
}

/** Whether there is a file; false as well where nobody may look. */
export function isFileOnDisk(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}
