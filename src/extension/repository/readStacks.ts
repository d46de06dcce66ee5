import { buildStack } from '../../core/stack/model.ts';
import { undoneIds } from '../../core/operations/operation.ts';
import { readOperations } from '../../core/operations/store.ts';
import type { StackState } from '../../core/stack/readStack.ts';
import { viewStacks } from '../../core/stack/stackView.ts';
import { undoable } from '../../core/recovery/undo.ts';
import type { Snapshot } from '../../core/worktree/model.ts';
import type { DistanceCache } from '../../core/snapshot/distances.ts';
import type { SnapshotSources } from '../../core/snapshot/snapshot.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import type { StackFacts } from './repositoryState.ts';

/** The branches and their bases, from what the snapshot has read: no further process; `undefined` without the registry. */
export function stackStateOf(
  { configuration }: Workspace,
  snapshot: Snapshot,
  { branches, registry }: SnapshotSources,
): StackState | undefined {
  if (!registry) return undefined;
  return { stack: buildStack(snapshot, branches, registry.worktrees, configuration.stack.remote), snapshot, branches };
}

/** Reads what is shown of stacks. Asks git only for distances that are in neither cache. */
export async function readStacks(
  workspace: Workspace,
  state: StackState,
  options: { readonly signal: AbortSignal; readonly cache: DistanceCache },
): Promise<StackFacts> {
  const operations = await readOperations(workspace);
  const roots = await viewStacks(workspace, state, { ...options, operations });
  const undone = undoneIds(operations);
  const branches = new Map(roots.flatMap((root) => root.branches.map(({ shown }) => [shown.branch, shown] as const)));
  return {
    state,
    roots,
    branches,
    canUndo: undoable(operations).length > 0,
    // A removal is not done again by itself.
    canRedo: operations.some(({ id, removal }) => undone.has(id) && !removal),
    done: new Set(operations.flatMap(({ kind, state: how }) => (how === 'done' ? kind : []))),
  };
}

/** Keeps the distances that stacks needed last, beside those that snapshots need: each forgets what it does not need any more. */
export function besides(other: Pick<DistanceCache, 'distance'>): DistanceCache {
  let own = new Map<string, { readonly ahead: number; readonly behind: number }>();
  return {
    distance: (pair) => own.get(pair) ?? other.distance(pair),
    keepDistances: (distances) => (own = distances),
  };
}
