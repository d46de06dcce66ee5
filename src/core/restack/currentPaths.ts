import type { Batch, Operation } from '../operations/operation.ts';
import { relinkMoved } from '../relocation/relinkMoved.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * An operation that is resumed or recovered, with the current paths of its worktrees: git's admin directories identify them, and they may
 * have been moved since. Their links are corrected first.
 */
export async function withCurrentPaths<Of extends Operation>(
  workspace: Workspace,
  { operation, batch }: { readonly operation: Of; readonly batch?: Batch },
): Promise<{ operation: Of; batch: Batch }> {
  const { moves, stop: next, ...rest } = batch ?? { moves: [], entries: [], remaining: [] };
  const { stop } = operation;
  if (!stop && !batch) return { operation, batch: { moves, ...rest } };
  const listing = await relinkMoved(workspace);
  const paths = new Map(listing.map(({ gitDir, path }) => [gitDir, path]));
  const placed = <T extends { readonly path: string; readonly gitDir: string }>(place: T): T => ({
    ...place,
    path: paths.get(place.gitDir) ?? place.path,
  });
  return {
    operation: { ...operation, stop: stop && placed(stop) },
    batch: {
      ...rest,
      moves: moves.map((move) => ({ ...move, worktrees: move.worktrees.map(placed) })),
      stop: next && placed(next),
    },
  };
}
