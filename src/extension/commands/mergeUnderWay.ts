import { l10n, window } from 'vscode';
import { abortMerge } from '../../core/merge/abort.ts';
import type { Continued } from '../../core/merge/continueGit.ts';
import { mergeWorktree } from '../../core/merge/mergeWorktree.ts';
import { findMergeSource } from '../../core/merge/source.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Aborted, Merged } from '../../core/merge/model.ts';
import { withProgress } from '../base/progress.ts';
import { restoreWaiting } from '../remedies/stashAndRetry.ts';
import { hookTalk } from '../hookTalk.ts';
import type { Services } from '../services/services.ts';
import { mergeSides } from './mergeWorktree.ts';
import { asksFirst } from '../services/resolveTarget.ts';
import { logLines, mergedText } from './mergeMessages.ts';
import { abortTarget, goOnInGit, resolveUnderWay, type TargetUnderWay } from './continueInGit.ts';
import { textOf } from '../../core/messages/message.ts';
import { localized } from '../base/messages.ts';

/** Continues the merge in a worktree once its conflicts are resolved: commits it where git began it, and does the rest of ours. */
export async function continueMergeCommand(
  services: Services,
  argument?: unknown,
): Promise<Merged | Continued | undefined> {
  const found = await resolveUnderWay(services, argument, 'merge', l10n.t('Continue Merge'));
  if (!found) return undefined;
  const { model, worktree: into, underWay } = found;
  if (underWay.by !== 'merge') return goOnInGit(services, found, 'continue');
  const { merge } = underWay;
  const worktree = model.state?.worktrees.find((each) => each.branch === merge.branch);
  if (!worktree) return mergeBranch(services, found, merge.branch);
  return mergeSides(services, { model, worktree, into });
}

/** The worktree of the branch is gone since; the branch is enough. */
async function mergeBranch(
  services: Services,
  { model, worktree: into }: TargetUnderWay,
  branch: string,
): Promise<Merged> {
  const merged = await withProgress(l10n.t('Merging {0} into {1}', branch, into.name), (progress, signal) =>
    model.change(async (workspace) => {
      const snapshot = await readSnapshot(workspace, { withChanges: false, signal });
      const source = await findMergeSource(workspace, snapshot, branch, into.path, signal);
      return mergeWorktree(workspace, { source, into: into.path }, { ...hookTalk(services), progress, signal });
    }),
  );
  for (const line of logLines(merged)) services.log.info(line);
  void window.showInformationMessage(mergedText(merged, into.branch ?? into.name));
  return merged;
}

/** Aborts the merge in a worktree, after asking. */
export async function abortMergeCommand(
  services: Services,
  argument?: unknown,
): Promise<Aborted | boolean | undefined> {
  const title = l10n.t('Abort Merge');
  const found = await resolveUnderWay(services, argument, 'merge', title);
  if (!found) return undefined;
  const { model, worktree: into, underWay } = found;
  if (underWay.by !== 'merge') return abortTarget(services, found, asksFirst(argument));
  const { merge } = underWay;
  const detail = l10n.t(
    'The files of {0} and its submodules become what they were before. What you have changed since then is kept in a backup under refs/wt-backup/.',
    into.name,
  );
  const question = l10n.t('Abort the merge of {0}?', merge.name);
  if (asksFirst(argument) && (await window.showWarningMessage(question, { modal: true, detail }, title)) !== title)
    return undefined;
  const aborted = await withProgress(l10n.t('Aborting the merge of {0}', merge.name), (progress, signal) =>
    model.change((workspace) => abortMerge(workspace, merge.name, into.path, { progress, signal })),
  );
  const words = aborted.backups.map(({ what, ref, restore }) => {
    services.log.info(`${textOf(what)} kept in ${ref}; to get it back: ${restore}`);
    return l10n.t('{0} kept in {1}.', localized(what), ref);
  });
  for (const note of aborted.notes) services.log.info(textOf(note));
  void window.showInformationMessage([l10n.t('Aborted the merge of {0}.', merge.name), ...words].join(' '));
  await restoreWaiting(services, model);
  return aborted;
}
