import { join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import { rm } from '../base/heldFiles.ts';
import { isWithin } from '../base/paths.ts';
import { gitDirOf } from '../git/gitFile.ts';

/** Beside git's record of a worktree: what is being copied into it, one path a line, while that goes on. */
const fileName = 'wt-sharing';

/** Notes what is going to be copied into a worktree, where nothing is yet: a killed copy may end in half a file. */
export async function noteSharing(worktree: string, paths: readonly string[]): Promise<void> {
  const gitDir = await gitDirOf(worktree);
  if (gitDir !== undefined && paths.length > 0) await writeAtomically(join(gitDir, fileName), JSON.stringify(paths));
}

/** It is all there. */
export async function forgetSharing(worktree: string): Promise<void> {
  const gitDir = await gitDirOf(worktree);
  if (gitDir !== undefined) await rm(join(gitDir, fileName), { force: true });
}

/**
 * Deletes what a killed process was copying into a worktree. Doing it twice is harmless.
 *
 * @returns the paths, relative to the worktree.
 */
export async function dropUnfinishedShares(worktree: string): Promise<string[]> {
  const gitDir = await gitDirOf(worktree);
  const text = gitDir === undefined ? undefined : await readTextIfThere(join(gitDir, fileName));
  if (text === undefined) return [];
  const paths = JSON.parse(text) as string[];
  await dropShares(worktree, paths);
  await forgetSharing(worktree);
  return paths;
}

/** Deletes what was brought into a worktree; of a link nothing but the link. */
export async function dropShares(worktree: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const target = join(worktree, path);
    if (target === worktree || !isWithin(worktree, target)) continue;
    await rm(target, { recursive: true, force: true }).catch(() => deleteFolder(target));
  }
}
