import { join } from 'node:path';

/** The launcher that starts Claude Code's hooks; it fails closed. */
export function hookLauncher(mainRoot: string): string {
  return join(mainRoot, '.worktrees', 'hooks', 'run');
}

/** The program that the text of a launcher for a POSIX shell starts, an absolute path of the system that it was written on. */
export function launchedProgram(text: string): string | undefined {
  return /^program='(.*)'$/m.exec(text)?.[1]?.replaceAll("'\\''", "'");
}
