import { join } from 'node:path';

/** The launcher that starts Claude Code's hooks; it fails closed. */
export function hookLauncher(mainRoot: string): string {
  return join(mainRoot, '.worktrees', 'hooks', 'run');
}

/** The same for a system without a POSIX shell. */
export const batchHookLauncher = (mainRoot: string): string => `${hookLauncher(mainRoot)}.cmd`;

/** The program that the text of a launcher for a POSIX shell starts, an absolute path of the system that it was written on. */
export function launchedProgram(text: string): string | undefined {
  return /^program='(.*)'$/m.exec(text)?.[1]?.replaceAll("'\\''", "'");
}

/** Whether a program of this name is made for JavaScript; any other runtime is an editor's, which has to be told to be one. */
export function isRuntime(name: string): boolean {
  return /^(node|nodejs|bun|deno)(\.exe)?$/i.test(name);
}
