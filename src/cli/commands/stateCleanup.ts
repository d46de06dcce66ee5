import { Problem } from '../../core/base/problem.ts';
import { findOrphanedState, removeOrphanedState, type OrphanedState } from '../../core/remove/orphanedState.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { output, signal } = cli;
  const { workspace } = await openWorkspace(cli);
  const snapshot = await readSnapshot(workspace, { signal, withChanges: false });
  const orphans = await findOrphanedState(workspace, snapshot);
  const kept = orphans.filter((each) => each.kept !== undefined);
  const removed: OrphanedState[] = [];
  let trouble: Problem | undefined;
  for (const orphan of orphans) {
    if (orphan.kept !== undefined) continue;
    try {
      if (options['dryRun'] !== true) await removeOrphanedState(orphan);
      removed.push(orphan);
    } catch (thrown) {
      if (!Problem.is(thrown)) throw thrown;
      trouble = thrown;
    }
  }
  if (trouble) throw trouble;
  if (output.json) {
    output.answerJson({ success: true, removed: removed.map(toJson), kept: kept.map(toJson) });
    return 0;
  }
  const verb = options['dryRun'] === true ? 'Would remove' : 'Removed';
  for (const { state } of removed) output.tell(`${verb} ${state}`);
  for (const { state, kept: why } of kept) output.tell(`Kept ${state}: ${textOf(why ?? '')}.`);
  if (orphans.length === 0) output.tell('No state was left behind.');
  return 0;
};

function toJson({ state, worktreeId, kept }: OrphanedState): Record<string, unknown> {
  return { state, worktree_id: worktreeId ?? null, why: kept ?? null };
}
