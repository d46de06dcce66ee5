import { l10n } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { worktreeGraph } from '../../core/stack/graph.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { verbatim } from '../../core/messages/message.ts';

/** A worktree as it is now, and those that an operation is about. */
export interface CurrentState {
  readonly snapshot: Snapshot;
  readonly worktree: Worktree;
  /** The worktree, or its whole stack with each branch after its base. */
  readonly worktrees: readonly Worktree[];
}

/**
 * Reads what there is right now: what the rows show may be a moment old.
 *
 * @throws Problem `not-found` when the worktree is gone.
 */
export async function recheck(
  workspace: Workspace,
  { path, name }: Worktree,
  wholeStack: boolean,
  signal?: AbortSignal,
): Promise<CurrentState> {
  const snapshot = await readSnapshot(workspace, { signal, withChanges: false });
  const worktree = snapshot.worktrees.find((each) => each.path === path);
  if (!worktree) throw new Problem('not-found', verbatim(l10n.t('The worktree {0} no longer exists.', name)));
  const around = wholeStack
    ? worktreeGraph(snapshot)
        .stackOf(worktree.branch)
        .map((each) => each.worktree)
    : [];
  return { snapshot, worktree, worktrees: around.length > 0 ? around : [worktree] };
}
