import { basename } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Batch, Move, Operation } from '../operations/operationLog.ts';
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

/**
 * An operation that is gone on with, with the paths at which its worktrees are now: they are known by git's admin directory, and may have
 * been moved since. Their links are put right first.
 */
export async function findItsWorktrees(workspace: Workspace, operation: Operation): Promise<Operation> {
  const { stop, pending } = operation;
  if (!stop && !pending) return operation;
  const listing = await relinkMoved(workspace);
  const paths = new Map(listing.map(({ gitDir, path }) => [gitDir, path]));
  const placed = <T extends { readonly path: string; readonly gitDir: string }>(place: T): T => ({
    ...place,
    path: paths.get(place.gitDir) ?? place.path,
  });
  const inMove = (move: Move): Move => ({ ...move, worktrees: move.worktrees.map(placed) });
  const inBatch = (batch: Batch): Batch => ({
    ...batch,
    moves: batch.moves.map(inMove),
    stop: batch.stop && placed(batch.stop),
  });
  return { ...operation, stop: stop && placed(stop), pending: pending && inBatch(pending) };
}
