import { copyFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { errorCode } from '../base/problem.ts';
import type { Tree } from './treeState.ts';

/** The index that a backup is made with, in the git directory of the tree. */
export const temporaryIndex = 'wt-backup-index';

/**
 * Runs something with a copy of a tree's index, which git may then change; locks on the real one do not matter.
 *
 * @param name of the copy, in the git directory. Whoever does not hold the tree's lock needs one that nobody else uses.
 */
export async function withIndexCopy<T>(
  tree: Tree,
  task: (variables: Record<string, string>) => Promise<T>,
  name = temporaryIndex,
): Promise<T> {
  const index = join(tree.gitDir, name);
  // A process that was killed here may have left both.
  const clear = (): Promise<unknown> => Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
  try {
    await clear();
    await copyIndex(join(tree.gitDir, 'index'), index);
    return await task({ GIT_INDEX_FILE: index });
  } finally {
    await clear();
  }
}

/**
 * A copy knows what is unchanged, so that only the rest has to be read. It keeps its time: git reads anew what was written in
 * the very moment in which the index was. A tree without a commit may have none.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atimeMs, mtimeMs } = await stat(from);
    await copyFile(from, to);
    await utimes(to, Math.floor(atimeMs) / 1000, Math.floor(mtimeMs) / 1000);
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT') throw thrown;
  }
}
