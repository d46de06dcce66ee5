import { join } from 'node:path';
import { withSlashes } from '../base/paths.ts';
import { writeAtomically } from '../base/atomicFile.ts';
import { isThere } from '../base/isThere.ts';
import { makeFolders } from '../base/sharing.ts';
import type { Git } from '../git/git.ts';
import { shareGitCryptKeys } from '../create/gitCrypt.ts';
import { findChanged } from './changedCopies.ts';
import { inTree, readUncommitted, type Tree } from '../worktree/treeState.ts';

/**
 * What was true of a working tree without work of its own when it was inspected, just before it was staged. Whoever deletes it checks that
 * once more: what was written in between, or after, is in it and nowhere else.
 */
export interface LateCheck {
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
 * The paths in a working tree that are not as they were: changed, new, staged, or of another commit. Files that are gone lose nothing.
 *
 * @param tree the working tree, where it is staged.
 * @param adminDir git's admin directory of it, where that is staged. Its location and its `HEAD` are brought up to date here.
 * @throws Problem when git cannot tell.
 */
export async function findLateWork(git: Git, tree: string, adminDir: string, check: LateCheck): Promise<string[]> {
  await makeFolders(adminDir);
  await Promise.all([
    writeAtomically(join(adminDir, 'commondir'), `${withSlashes(check.commonDir)}\n`),
    // Its branch may be gone by now.
    writeAtomically(join(adminDir, 'HEAD'), `${check.head}\n`),
  ]);
  // Without its keys the filter of git-crypt cannot tell which files have changed.
  await shareGitCryptKeys(check.commonDir, adminDir);
  const at: Tree = { path: tree, gitDir: adminDir };
  if (!(await isThere(join(adminDir, 'index')))) {
    // Somebody has pruned the admin directory before it was staged; then every file has to be read.
    await git.text(inTree(at, 'read-tree', 'HEAD'), { cwd: adminDir, writes: true });
  }
  const [uncommitted, copies] = await Promise.all([
    readUncommitted(git, at),
    findChanged(check.mainRoot, tree, check.copies),
  ]);
  const gone = await Promise.all(copies.map(async (path) => !(await isThere(join(tree, path)))));
  const late = uncommitted.filter(({ code }) => code !== '.D' && code !== 'D.').map(({ path }) => path);
  return [...late, ...copies.filter((_, index) => !gone[index])];
}
