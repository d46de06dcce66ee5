import { hostLookup } from '../core/github/hostLookup.ts';
import { fetchMergeState } from '../core/stack/askMerged.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import { readSnapshot } from '../core/snapshot/snapshot.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine } from './command.ts';

/**
 * Fetches what tells whether the work of some worktrees is merged, as {@link fetchMergeState} does, and tells what could not be asked.
 *
 * @returns the snapshot as it is then; the same where there was nothing to ask.
 */
export async function bringNews(
  { output, signal }: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
): Promise<Snapshot> {
  const { asked, notes } = await fetchMergeState(workspace, snapshot, worktrees, {
    host: hostLookup(workspace, snapshot, { signal }),
    onAsk: () => output.progress('Asking the remote what was merged'),
    signal,
  });
  for (const note of notes) output.tell(note);
  return asked ? readSnapshot(workspace, { signal, withChanges: false }) : snapshot;
}
