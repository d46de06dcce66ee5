import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { makeFolders } from '../base/sharing.ts';
import type { Git } from '../git/git.ts';
import { shareGitCryptKeys } from '../create/gitCrypt.ts';
import { findChanged } from './changedCopies.ts';
import { inTree, readUncommitted, type Tree } from '../worktree/treeState.ts';

/**
 * What was true of a working tree without work of its own when it was looked at, just before it was put aside. Whoever deletes it looks once
 * more: what was written in between, or after, is in it and nowhere else.
 */
export interface LastLook {
  /** The worktree's name, for people. */
  readonly name: string;
  /** The commit that its files were those of. */
  readonly head: string;
  /** The repository's common directory and main root. */
  readonly commonDir: string;
  readonly mainRoot: string;
  /** Ignored files that were as they are in the main root, relative to both. */
  readonly copies: readonly string[];
}

/**
 * The paths in a tree that are not as they were: changed, new, staged, or of another commit. Files that are gone lose nothing.
 *
 * @param tree the working tree, put aside.
 * @param record git's record of it, taken out of git's own folder. What it says of its place and its branch is brought up to date here.
 * @throws Problem when git cannot tell.
 */
export async function findLateWork(git: Git, tree: string, record: string, look: LastLook): Promise<string[]> {
  await makeFolders(record);
  await Promise.all([
    writeAtomically(join(record, 'commondir'), `${look.commonDir}\n`),
    // Its branch may be gone by now.
    writeAtomically(join(record, 'HEAD'), `${look.head}\n`),
  ]);
  // Without its keys the filter of git-crypt cannot tell which files have changed.
  await shareGitCryptKeys(look.commonDir, record);
  const at: Tree = { path: tree, gitDir: record };
  if (!(await isThere(join(record, 'index')))) {
    // Somebody has pruned git's record before it could be taken; then every file has to be read.
    await git.text(inTree(at, 'read-tree', 'HEAD'), { cwd: record, writes: true });
  }
  const [uncommitted, copies] = await Promise.all([
    readUncommitted(git, at),
    findChanged(look.mainRoot, tree, look.copies),
  ]);
  const gone = await Promise.all(copies.map(async (path) => !(await isThere(join(tree, path)))));
  const late = uncommitted.filter(({ code }) => code !== '.D' && code !== 'D.').map(({ path }) => path);
  return [...late, ...copies.filter((_, index) => !gone[index])];
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
