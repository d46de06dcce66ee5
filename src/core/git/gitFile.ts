import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The path in the text of a `.git` file, as it is written there; `undefined` when the text is something else. */
export function gitFileTarget(text: string): string | undefined {
  return /^gitdir: ([^]+?)[\r\n]*$/.exec(text)?.[1];
}

/** The git directory that a worktree's `.git` file leads to; `undefined` when there is none. */
export async function gitDirOf(path: string): Promise<string | undefined> {
  const text = await readFile(join(path, '.git'), 'utf8').catch(() => '');
  const target = gitFileTarget(text);
  return target === undefined ? undefined : resolve(path, target);
}
