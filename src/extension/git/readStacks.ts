import { undoneIds, readOperations } from '../../core/stack/operationLog.ts';
import { readStack } from '../../core/stack/readStack.ts';
import { viewStacks } from '../../core/stack/stackView.ts';
import { undoable } from '../../core/stack/undo.ts';
import type { Snapshot } from '../../core/worktrees/model.ts';
import type { Workspace } from '../../core/worktrees/workspace.ts';
import type { StackFacts } from '../stackFacts.ts';

/**
 * Reads what stands on what, to go with a snapshot.
 *
 * @throws Problem `unreadable-file` for the registry.
 */
export async function readStacks(workspace: Workspace, snapshot: Snapshot, signal: AbortSignal): Promise<StackFacts> {
  const state = await readStack(workspace, { signal, snapshot });
  const [roots, operations] = await Promise.all([viewStacks(workspace, state, signal), readOperations(workspace)]);
  const undone = undoneIds(operations);
  const branches = new Map(roots.flatMap((root) => root.branches.map(({ shown }) => [shown.branch, shown] as const)));
  return {
    roots,
    branches,
    canUndo: undoable(operations).length > 0,
    canRedo: undone.size > 0,
  };
}
