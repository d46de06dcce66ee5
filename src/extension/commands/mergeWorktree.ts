import { commands, l10n, window } from 'vscode';
import { displayPath } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { planChecks } from '../../core/merge/checks.ts';
import { isRemovalOfferedAfter } from '../../core/merge/finished.ts';
import { mergeWorktree } from '../../core/merge/mergeWorktree.ts';
import type { Merged, MergeOptions } from '../../core/merge/model.ts';
import { sourceOf } from '../../core/merge/source.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { showFailure, localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { logLines, mergedText } from './mergeMessages.ts';
import { resolveTarget, targetItem, type WorktreeTarget } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';

/** Whom a merge is about: what is merged, and the working tree that it comes into. */
export interface MergeSides {
  readonly model: RepositoryModel;
  readonly worktree: Worktree;
  readonly into: Worktree;
}

/**
 * Merges a worktree's branch into the worktree that has its base checked out, after saying what comes where.
 *
 * @returns what was merged; `undefined` when the person left, or when something waits for them.
 */
export async function mergeWorktreeCommand(services: Services, argument?: unknown): Promise<Merged | undefined> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Merge Worktree'),
    placeholder: l10n.t('Which worktree should be merged back?'),
    accept: ({ worktree }) => !worktree.main && worktree.branch !== undefined,
  });
  if (!target) return undefined;
  const into = await intoOf(target);
  if (!into) return undefined;
  const sides = { ...target, into };
  const asks = typeof argument !== 'object' || argument === null || (argument as { ask?: unknown }).ask !== false;
  if (asks && !(await confirmMerge(sides))) return undefined;
  return mergeSides(services, sides);
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
      ? l10n.t('Into which worktree?')
      : l10n.t('{0} is not checked out anywhere. Into which worktree instead?', base);
  const items = possible.map((each) => targetItem(model, each, false));
  return (await window.showQuickPick(items, { title: l10n.t('Merge {0}', worktree.name), placeHolder }))?.worktree;
}

async function confirmMerge({ model, worktree, into }: MergeSides): Promise<boolean> {
  const workspace = await model.workspace();
  const [source, checks] = await Promise.all([sourceOf(workspace, worktree), planChecks(workspace, into.path)]);
  const ahead = into.branch === worktree.base?.branch ? worktree.base?.distance?.ahead : undefined;
  const { mainRoot } = model.repository;
  const place = displayPath(mainRoot, into.path);
  const lines = [
    ahead === undefined
      ? l10n.t('Merges its commits into {0} in {1}.', into.branch ?? into.name, place)
      : ahead === 1
        ? l10n.t('Merges 1 commit into {0} in {1}.', into.branch ?? into.name, place)
        : l10n.t('Merges {0} commits into {1} in {2}.', ahead, into.branch ?? into.name, place),
    l10n.t('Submodules come first; session, learnings and jobs files are merged entry by entry.'),
    ...(checks ? [l10n.t('Then the checks run: {0}', checks.command)] : []),
    ...source.notes.map((note) => `⚠ ${localized(note)}`),
  ];
  const merge = l10n.t('Merge');
  const question = l10n.t('Merge {0} into {1}?', worktree.name, into.branch ?? into.name);
  return (await window.showInformationMessage(question, { modal: true, detail: lines.join('\n') }, merge)) === merge;
}

/** Runs or continues a merge, and shows the result. */
export async function mergeSides(
  services: Services,
  sides: MergeSides,
  options: Pick<MergeOptions, 'commitNotes'> = {},
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
              ...options,
              progress,
              signal,
              approveChecks: approveChecks(into),
              onOutput: (text) => services.channel.debug(text.trimEnd()),
            },
          ),
        ),
    );
    showMerged(services, sides, merged, await isRemovalOffered(sides, merged));
    return merged;
  } catch (thrown) {
    await showStopped(services, sides, thrown);
    return undefined;
  }
}

const approveChecks =
  ({ name }: Worktree) =>
  async (command: string): Promise<boolean> => {
    const run = l10n.t('Run Them');
    const detail = l10n.t(
      'They run in {0} now, and after later merges as long as the command stays the same.\n\n{1}',
      name,
      command,
    );
    const question = l10n.t('May the checks of this repository run?');
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
  if (Problem.is(thrown, 'dirty') && thrown.next?.includes('--commit-notes')) {
    const commit = l10n.t('Commit Notes and Merge');
    // Not awaited: the command has ended, and the answer begins the next.
    void window.showWarningMessage(localized(thrown.what), commit).then((choice) => {
      if (choice === commit) return mergeSides(services, sides, { commitNotes: true });
    });
    return;
  }
  showFailure(services.channel, l10n.t('Merge Worktree'), thrown);
}
