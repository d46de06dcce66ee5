import { readUnderWay, type UnderWay } from '../../core/merge/underWay.ts';
import type { Operation } from '../../core/operations/operation.ts';
import type { Snapshot } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';

/**
 * What is under way in the worktrees of a snapshot, by their paths. Only those that git or a restack has to do with are read.
 *
 * @param stopped the restacks that have stopped.
 */
export async function readAllUnderWay(
  workspace: Workspace,
  { worktrees }: Snapshot,
  stopped: readonly Operation[],
): Promise<ReadonlyMap<string, UnderWay>> {
  const stops = new Set(stopped.map(({ stop }) => stop?.branch));
  const found = await Promise.all(
    worktrees
      .filter(({ operation, branch }) => operation !== undefined || (branch !== undefined && stops.has(branch)))
      .map(async (worktree) => [worktree.path, await readUnderWay(workspace, worktree, stopped)] as const),
  );
  return new Map(found.flatMap(([path, underWay]) => (underWay ? [[path, underWay] as const] : [])));
}
