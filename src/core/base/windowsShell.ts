import { win32 } from 'node:path';
import type { Environment } from './environment.ts';
import { foldersOfPath, isFileOnDisk, type WindowsStart } from './windowsCommand.ts';
import { nameIn, valueOf } from './windowsVariables.ts';

/** How a command line is started on Windows, and the variables that it needs beside those that it would have. */
export interface WindowsShellStart extends WindowsStart {
  readonly variables: Readonly<Record<string, string>>;
}

/** Holds the command line until the shell has read it. */
const lineVariable = 'WORKTREE_STACKS_LINE';

/**
 * What the shell is told to do. The line comes to it in a variable: the programs of Git for Windows take a command line apart by rules of
 * their own, which lose backslashes.
 */
const readLine = `set -- "$${lineVariable}"; unset ${lineVariable}; eval "$1"`;

/**
 * How a line of shell commands is run on Windows: by the `sh` of Git for Windows, so that one line serves every system; by cmd.exe where
 * there is none.
 *
 * @param isFile asks whether there is such a file.
 */
export function windowsShellStart(
  line: string,
  variables: Environment['variables'],
  isFile: (path: string) => boolean = isFileOnDisk,
): WindowsShellStart {
  const sh = findGitShell(variables, isFile);
  if (sh === undefined) {
    const program = valueOf(variables, 'ComSpec') ?? 'cmd.exe';
    return { program, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true, variables: {} };
  }
  const own = { [lineVariable]: line };
  const folder = win32.dirname(sh);
  const isWrapper = !/[\\/]usr[\\/]bin$/i.test(folder);
  // The one in `bin` puts the programs of Git for Windows on the path itself.
  const added = isWrapper
    ? {}
    : { [nameIn(variables, 'PATH') ?? 'PATH']: `${folder};${valueOf(variables, 'PATH') ?? ''}` };
  return { program: sh, args: ['-c', readLine], verbatim: false, variables: { ...own, ...added } };
}

/**
 * The `sh.exe` of Git for Windows; `undefined` where there is none. Looks at a few files and starts nothing. The `bash.exe` of Windows
 * itself, which would run in WSL, is never meant.
 */
export function findGitShell(
  variables: Environment['variables'],
  isFile: (path: string) => boolean = isFileOnDisk,
): string | undefined {
  for (const folder of gitFolders(variables, isFile))
    for (const place of ['bin\\sh.exe', 'usr\\bin\\sh.exe']) {
      const file = win32.join(folder, place);
      if (isFile(file)) return file;
    }
  return undefined;
}

/** Where Git for Windows may be installed, the one that is on the path first. */
function* gitFolders(variables: Environment['variables'], isFile: (path: string) => boolean): Generator<string> {
  for (const folder of foldersOfPath(variables)) {
    if (!isFile(win32.join(folder, 'git.exe'))) continue;
    // It is in `cmd` or `bin`, in `mingw64\bin`, or a stand-in that Scoop has made.
    yield win32.resolve(folder, '..');
    yield win32.resolve(folder, '..', '..');
    yield win32.resolve(folder, '..', 'apps', 'git', 'current');
  }
  const bash = valueOf(variables, 'CLAUDE_CODE_GIT_BASH_PATH');
  if (bash !== undefined) {
    yield win32.resolve(bash, '..', '..');
    yield win32.resolve(bash, '..', '..', '..');
  }
  for (const [name, below] of usualPlaces) {
    const above = valueOf(variables, name);
    if (above !== undefined) yield win32.join(above, below);
  }
}

const usualPlaces: readonly (readonly [variable: string, below: string])[] = [
  ['ProgramFiles', 'Git'],
  ['ProgramW6432', 'Git'],
  ['ProgramFiles(x86)', 'Git'],
  ['LOCALAPPDATA', 'Programs\\Git'],
];
