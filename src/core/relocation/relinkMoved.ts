import { basename } from 'node:path';
import { Problem } from '../base/problem.ts';
import { readListing, type Listing } from '../worktree/worktreeList.ts';
import { relink } from './relink.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Puts the links of all worktrees right that were moved, as the repository may have been since something was begun in it: git has to work
 * in them before anything can be gone on with.
 *
 * @returns the working trees as they are then.
 */
export async function relinkMoved(workspace: Workspace): Promise<readonly Listing[]> {
  const signal = new AbortController().signal;
  const listing = await readListing(workspace, signal);
  const moved = listing.filter(({ condition, staleLink }) => condition === 'moved' || staleLink);
  for (const { path, gitDir } of moved) {
    await relink(workspace, { name: basename(path), path, gitDir }).catch((thrown: unknown) => {
      if (!Problem.is(thrown)) throw thrown;
      workspace.environment.log.warn(thrown.message);
    });
  }
  return moved.length === 0 ? listing : readListing(workspace, signal);
}
