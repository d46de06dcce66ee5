import { commands, l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { isRemovalOfferedAfter } from '../../core/merge/finished.ts';
import { mergeWorktree } from '../../core/merge/mergeWorktree.ts';
import type { Merged } from '../../core/merge/model.ts';
import { sourceOf } from '../../core/merge/source.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import { tellFailure } from '../remedies/buttons.ts';
import { restoreWaiting } from '../remedies/stashAndRetry.ts';
import { hookTalk } from '../hookTalk.ts';
import type { Services } from '../services/services.ts';
import { confirmMerge, type MergeDecision } from './confirmMerge.ts';
import type { MergeSides } from './mergeSides.ts';
import { logLines, mergedText } from './mergeMessages.ts';
import { resolveTarget, targetItem, type WorktreeTarget } from '../services/resolveTarget.ts';
import { canMerge } from '../views/offers.ts';
import { verbatim } from '../../core/messages/message.ts';

/**
 * Merges a worktree's branch into the worktree that has its base checked out, after showing what that does.
 *
 * @returns what was merged; `undefined` when the person left, or when something waits for them.
 */
export async function mergeWorktreeCommand(services: Services, argument?: unknown): Promise<Merged | undefined> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Merge Worktree'),
    placeholder: l10n.t('Select the worktree to merge'),
    accept: ({ worktree }) => canMerge(worktree),
  });
  if (!target) return undefined;
  const into = await intoOf(target);
  if (!into) return undefined;
  const sides = { ...target, into };
  const asks = typeof argument !== 'object' || argument === null || (argument as { ask?: unknown }).ask !== false;
  const decision = asks ? await confirmMerge(services, sides) : {};
  return decision && mergeSides(services, sides, decision);
}

/** The worktree that has the base checked out; if there is none, the person chooses one. */
async function intoOf({ model, worktree }: WorktreeTarget): Promise<Worktree | undefined> {
  const possible = (model.state?.worktrees ?? []).filter(
    (each) => each.path !== worktree.path && each.condition === 'fine' && !each.bare && each.branch !== undefined,
  );
  const base = worktree.base?.branch;
  const holder = possible.find((each) => each.branch === base);
  if (holder) return holder;
  if (possible.length === 0) {
    throw new Problem(
      'not-found',
      verbatim(l10n.t('There is no other worktree that {0} could be merged into.', worktree.name)),
      {
        next: verbatim(base === undefined ? l10n.t('check a branch out') : l10n.t('check out {0}', base)),
      },
    );
  }
  const placeHolder =
    base === undefined
      ? l10n.t('Select the worktree to merge into')
      : l10n.t('{0} is not checked out. Select another worktree to merge into', base);
  const items = possible.map((each) => targetItem(model, each, false));
  return (await window.showQuickPick(items, { title: l10n.t('Merge {0}', worktree.name), placeHolder }))?.worktree;
}

/** Runs or continues a merge, and shows the result. */
export async function mergeSides(
  services: Services,
  sides: MergeSides,
  { commitNotes = false, thenRemove = false }: Partial<MergeDecision> = {},
): Promise<Merged | undefined> {
  const { model, worktree, into } = sides;
  try {
    const merged = await withProgress(
      l10n.t('Merging {0} into {1}', worktree.name, into.branch ?? into.name),
      (progress, signal) =>
        model.change(async (workspace) =>
          mergeWorktree(
            workspace,
            { source: await sourceOf(workspace, worktree, signal), into: into.path },
            {
              ...hookTalk(services),
              commitNotes,
              progress,
              signal,
              approveChecks: approveChecks(into),
              onOutput: (text) => services.channel.debug(text.trimEnd()),
            },
          ),
        ),
    );
    const removalOffered = await isRemovalOffered(sides, merged);
    const removes = thenRemove && removalOffered;
    showMerged(services, sides, merged, removalOffered && !removes);
    if (removes) await removeMerged(sides);
    await restoreWaiting(services, model);
    return merged;
  } catch (thrown) {
    await showStopped(services, sides, thrown);
    return undefined;
  }
}

/** What stands in the way of the removal stops it, and is shown. */
async function removeMerged({ model, worktree }: MergeSides): Promise<void> {
  const { mainRoot } = model.repository;
  await commands.executeCommand('worktreeStacks.cleanup', {
    worktree: worktree.path,
    repository: mainRoot,
    ask: false,
  });
}

const approveChecks =
  ({ name }: Worktree) =>
  async (command: string): Promise<boolean> => {
    const run = l10n.t('Allow and Run');
    const detail = l10n.t(
      'They run in {0} now, and after later merges as long as the command stays the same.\n\n{1}',
      name,
      command,
    );
    const question = l10n.t('Allow this repository to run its checks?');
    return (await window.showWarningMessage(question, { modal: true, detail }, run)) === run;
  };

async function isRemovalOffered({ model, worktree, into }: MergeSides, merged: Merged): Promise<boolean> {
  const { state } = model;
  if (!state) return false;
  const { path, changes } = worktree;
  const how = { path, into: into.path, left: (changes?.total ?? 0) > 0 };
  return isRemovalOfferedAfter(await model.workspace(), state.snapshot, merged, how);
}

function showMerged(
  services: Services,
  { model, worktree, into }: MergeSides,
  merged: Merged,
  removalOffered: boolean,
): void {
  for (const line of logLines(merged)) services.log.info(line);
  const showLog = l10n.t('Show Details');
  const remove = l10n.t('Remove Worktree…');
  const undo = l10n.t('Undo');
  const { operation } = merged;
  const buttons = [...(removalOffered ? [remove] : []), ...(operation === undefined ? [] : [undo]), showLog];
  void window.showInformationMessage(mergedText(merged, into.branch ?? into.name), ...buttons).then(async (choice) => {
    if (choice === showLog) services.channel.show(true);
    if (choice === remove)
      await commands.executeCommand('worktreeStacks.cleanup', {
        worktree: worktree.path,
        repository: model.repository.mainRoot,
      });
    if (choice === undo)
      await commands.executeCommand('worktreeStacks.undo', {
        repository: model.repository.mainRoot,
        operation,
        ask: false,
      });
  });
}

/** What waits for a person is no failure: the row of the worktree shows what, and a button leads there. */
async function showStopped(services: Services, sides: MergeSides, thrown: unknown): Promise<void> {
  const { model, into } = sides;
  if (Problem.is(thrown, 'conflicts') && model.state?.underWay.has(into.path)) {
    for (const line of [thrown.message, ...thrown.items]) services.log.info(line);
    await services.stops.stopped(model, into.path);
    return;
  }
  if (Problem.is(thrown, 'dirty') && thrown.remedies.some(({ kind }) => kind === 'commitNotes')) {
    const commit = l10n.t('Commit Notes and Merge');
    // Not awaited: the command has ended, and the answer begins the next.
    void window.showWarningMessage(localized(thrown.what), commit).then((choice) => {
      if (choice === commit) return mergeSides(services, sides, { commitNotes: true });
    });
    return;
  }
  tellFailure(services, l10n.t('Merge Worktree'), thrown, () => mergeSides(services, sides));
}
