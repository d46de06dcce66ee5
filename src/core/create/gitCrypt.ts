import { cp, lstat, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { relativeTo } from '../base/paths.ts';
import { errorCode } from '../base/problem.ts';

/**
 * Lets the filters of git-crypt find their keys in another git directory of the same repository. Git-crypt keeps them in `git-crypt/` of
 * the git directory that `git rev-parse --git-dir` names (before its version 0.8), which for a linked worktree or a submodule's copy is
 * one of its own: without this, no checkout there succeeds although the repository is unlocked.
 *
 * @param from the git directory that was unlocked. Nothing happens where it has no keys.
 * @param to the git directory that is to find them. What is there already stays, a link that leads nowhere apart.
 */
export async function shareGitCryptKeys(from: string, to: string): Promise<void> {
  const keys = join(from, 'git-crypt');
  if (!(await isFolder(join(keys, 'keys')))) return;
  const shared = join(to, 'git-crypt');
  if (await isFolder(shared)) return;
  if ((await lstat(shared).catch(() => undefined))?.isSymbolicLink()) await rm(shared);
  try {
    // A link, so that the keys are in one place and `git-crypt lock` takes them from everywhere; relative, so that it survives a move.
    await symlink(relativeTo(to, keys), shared, 'dir');
  } catch (thrown) {
    // Windows lets not everybody make links.
    if (errorCode(thrown) !== 'EPERM') throw thrown;
    await cp(keys, shared, { recursive: true });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
