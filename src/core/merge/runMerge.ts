import { Problem } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';
import { recordMerge } from '../lifecycle/outcome.ts';
import { runOperation, type OperationKind, type Outcome } from '../operations/runner.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { commitMerge, mergeMessage } from './commit.ts';
import { conflictProblem, conflictsOf, mergeFiles, stageKnown } from './files.ts';
import { logMerge } from './logMerge.ts';
import { requireNoMarkers } from './markers.ts';
import { forgetMerge, takeOverMerge, type MergeData } from './mergeData.ts';
import { mergeKind } from './mergeKind.ts';
import { againCommand, note, step, type Merging } from './merging.ts';
import type { Merged, MergeOptions, MergeRequest } from './model.ts';
import { runPostMergeChecks } from './postMergeChecks.ts';
import { droppedBackup, endAttempt, resolveByChecks } from './resolveByChecks.ts';
import { mergeSubmodules } from './submodules.ts';
import type { ReadyTarget } from './target.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/** What a merge that came to its end gives its runner. */
type Done = Outcome & { readonly merged: Merged };

/**
 * Runs a merge from the submodules to the checks; each step finds out for itself what is left of it to do.
 *
 * @param known.waits a person was asked to do something in an earlier run.
 * @param known.commit the merge commit, where there is one already.
 * @throws Problem as `mergeWorktree`.
 */
export async function runMerge(
  workspace: Workspace,
  request: MergeRequest,
  target: ReadyTarget,
  data: MergeData,
  options: MergeOptions,
  known: { readonly waits: boolean; readonly commit?: string },
): Promise<Merged> {
  const { source } = request;
  const pending = await takeOverMerge(workspace, data, known.waits);
  const merging: Merging = { workspace, source, target, pending, options };
  const isNew = known.commit === undefined;
  const notes: Message[] = isNew ? [...source.notes] : [];
  let commit = known.commit ?? '';
  // Recovery has nobody to report to: the phase below finishes it instead of the kind.
  const kind = mergeKind as OperationKind<MergeData, Done>;
  const { merged } = await runOperation(workspace, kind, () => Promise.resolve(pending), {
    pauses: true,
    prepare: async () => {
      if (isNew) notes.push(...(await prepare(merging, request)));
    },
    commit: async () => {
      if (!isNew) return;
      const made = await commitMerge(merging);
      commit = made.commit;
      notes.push(...made.notes);
    },
    finish: () => finish(merging, request, { state: isNew ? 'merged' : 'already', commit, notes }),
  });
  return merged;
}

/** Everything up to the commit. Gives what the person should know. */
async function prepare(merging: Merging, request: MergeRequest): Promise<readonly Message[]> {
  const { workspace, target, pending, source } = merging;
  let notes: readonly Message[] = [];
  if (request.message !== undefined) await note(merging, { message: mergeMessage(workspace.configuration, request) });
  if (!pending.data.staged) {
    const settled = await mergeSubmodules(merging);
    notes = settled.notes;
    await mergeFiles(merging, () => stageKnown(merging, settled));
  }
  await endAttempt(merging);
  const conflicts = await conflictsOf(merging);
  if (conflicts.size > 0) {
    const byChecks = workspace.configuration.merge.sourceConflicts === 'checks';
    const why = byChecks ? await resolveByChecks(merging, conflicts) : undefined;
    if (!byChecks || why !== undefined) throw conflictProblem(merging, conflicts, why);
  }
  await requireNoMarkers(workspace.git, { tree: target.root, prefix: '', theirs: pending.data.theirs }, source);
  return notes;
}

/** Everything after the commit: the log, the registry, the checks. */
async function finish(
  merging: Merging,
  request: MergeRequest,
  { state, commit, notes }: Pick<Merged, 'state'> & { readonly commit: string; readonly notes: Message[] },
): Promise<Done> {
  const { workspace, target, source, pending } = merging;
  const { submodules, sessionFiles, attempt, theirs } = pending.data;
  const operation = await logMerge(workspace, target, pending.data, commit);
  const isNew = state === 'merged';
  const head = isNew ? theirs : source.commit;
  const recorded = await recordMerged(workspace, request, target, { head, commit });
  if (isNew) notes.push(...recorded);
  if (head !== source.commit) notes.push(mergeMessages.branchGoneOn({ branch: source.branch }));
  step(merging, mergeMessages.stepChecks());
  const checks = await runPostMergeChecks(merging, commit, attempt);
  const waits = checks.state === 'unapproved';
  if (!waits) await forgetMerge(target.gitDir);
  const dropped = attempt && droppedBackup(attempt);
  const { name, branch } = source;
  const backups = dropped ? [dropped] : [];
  const merged = { name, branch, state, commit, operation, submodules, sessionFiles, checks, backups, notes };
  // The log has it already, so that it can be undone also while its checks fail.
  return { operation: undefined, waits, merged };
}

/**
 * The registry is to know that the work was merged.
 *
 * @throws Problem (outcome incomplete) when that cannot be written now: the same call again does the rest.
 */
export async function recordMerged(
  workspace: Workspace,
  { source }: MergeRequest,
  { branch: into = 'HEAD' }: ReadyTarget,
  merge: { readonly head: string; readonly commit: string },
): Promise<Message[]> {
  try {
    return await recordMerge(workspace, { branch: source.branch, into, ...merge }, true);
  } catch (thrown) {
    const { reason, what, nextStep, items, file } = asProblem(thrown);
    const commit = merge.commit.slice(0, 12);
    const again = mergeMessages.doesRest({ againCommand: againCommand(source) });
    throw new Problem(reason, mergeMessages.mergedNotRecorded({ name: source.name, commit, reason: what }), {
      ...(file === undefined ? {} : { file }),
      next: nextStep === undefined ? again : mergeMessages.thenAgain({ next: nextStep, then: again }),
      items,
      outcome: 'incomplete',
      cause: thrown,
    });
  }
}
