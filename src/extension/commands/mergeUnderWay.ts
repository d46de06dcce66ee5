import { l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { abortMerge } from '../../core/merge/abort.ts';
import { readMerge, type MergeData } from '../../core/merge/mergeData.ts';
import type { Aborted, Merged } from '../../core/merge/model.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { withProgress } from '../base/progress.ts';
import { restoreWaiting } from '../remedies/stashAndRetry.ts';
import type { Services } from '../services/services.ts';
import { mergeSides } from './mergeWorktree.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import { verbatim, textOf } from '../../core/messages/message.ts';
import { localized } from '../base/messages.ts';

/** Continues the merge in a worktree once its conflicts are resolved. */
export async function continueMergeCommand(services: Services, argument?: unknown): Promise<Merged | undefined> {
  const title = l10n.t('Continue Merge');
  const found = await underWay(services, argument, title);
  if (!found) return undefined;
  const { model, into, merge } = found;
  const worktree = model.state?.worktrees.find((each) => each.branch === merge.branch);
  if (!worktree) {
    throw new Problem('not-found', verbatim(l10n.t('The worktree of {0} is gone.', merge.branch)), {
      next: verbatim(l10n.t('merge {0} again in {1}', merge.name, into.path)),
    });
  }
  return mergeSides(services, { model, worktree, into });
}

/** Aborts the merge in a worktree, after asking. */
export async function abortMergeCommand(services: Services, argument?: unknown): Promise<Aborted | undefined> {
  const title = l10n.t('Abort Merge');
  const found = await underWay(services, argument, title);
  if (!found) return undefined;
  const { model, into, merge } = found;
  const detail = l10n.t(
    'The files of {0} and its submodules become what they were before. What you have changed since then is kept in a backup under refs/wt-backup/.',
    into.name,
  );
  const question = l10n.t('Abort the merge of {0}?', merge.name);
  const asks = typeof argument !== 'object' || argument === null || (argument as { ask?: unknown }).ask !== false;
  if (asks && (await window.showWarningMessage(question, { modal: true, detail }, title)) !== title) return undefined;
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

interface UnderWay {
  readonly model: WorktreeTarget['model'];
  readonly into: Worktree;
  readonly merge: MergeData;
}

async function underWay(services: Services, argument: unknown, title: string): Promise<UnderWay | undefined> {
  const target = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select a merge'),
    accept: ({ worktree }) => worktree.operation === 'merge',
  });
  if (!target) return undefined;
  const { model, worktree: into } = target;
  const merge = into.gitDir === undefined ? undefined : (await readMerge(model.repository, into.gitDir))?.data;
  if (!merge || into.operation !== 'merge') {
    throw new Problem(
      'not-found',
      verbatim(
        into.operation === 'merge'
          ? l10n.t('The merge in {0} was started with Git.', into.name)
          : l10n.t('No merge is in progress in {0}.', into.name),
      ),
      into.operation === 'merge' ? { next: verbatim(l10n.t('complete or abort it in the Source Control view')) } : {},
    );
  }
  return { model, into, merge };
}
