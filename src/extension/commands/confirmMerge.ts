import { ThemeColor, ThemeIcon, commands, l10n, type QuickPickItem } from 'vscode';
import type { Problem } from '../../core/base/problem.ts';
import { isRemovalOfferedAfter } from '../../core/merge/finished.ts';
import { previewMerge, type MergePreview } from '../../core/merge/preview.ts';
import { previewHeadline, previewRows, type PreviewRow } from '../../core/merge/previewMessages.ts';
import { sourceOf } from '../../core/merge/source.ts';
import { localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import { askPreview, type PreviewAction } from '../quickPicks/pickPreview.ts';
import { remedyButtons } from '../remedies/buttons.ts';
import type { Services } from '../services/services.ts';
import type { MergeSides } from './mergeSides.ts';

/** How a person wants a merge. */
export interface MergeDecision {
  /** Session files with notes that are not committed are committed first. */
  readonly commitNotes: boolean;
  /** The worktree is removed once it is merged. */
  readonly thenRemove: boolean;
}

const plainly: MergeDecision = { commitNotes: false, thenRemove: false };

/**
 * Shows what a merge would do, and asks. Where there is nothing to merge, there is nothing to ask.
 *
 * @returns `undefined` when the person leaves.
 * @throws Problem as `previewMerge`.
 */
export async function confirmMerge(services: Services, sides: MergeSides): Promise<MergeDecision | undefined> {
  const { model, worktree, into } = sides;
  const { preview, mayRemove } = await withProgress(l10n.t('Previewing the merge'), async (_progress, signal) => {
    const workspace = await model.workspace();
    const source = await sourceOf(workspace, worktree, signal);
    const found = await previewMerge(workspace, { source, into: into.path }, { signal });
    return { preview: found, mayRemove: await mayRemoveAfter(sides, found) };
  });
  if (preview.state === 'already') return plainly;
  const answer = await askPreview({
    title: l10n.t('Merge {0} into {1}?', preview.name, preview.into),
    placeholder: localized(previewHeadline(preview)),
    actions: preview.obstacle ? waysOut(services, sides, preview.obstacle) : actionsFor(preview, mayRemove),
    heading: l10n.t('what would happen'),
    rows: previewRows(preview).map(itemOf),
    otherwise: l10n.t('nothing is merged'),
    notes: [],
  });
  if (typeof answer === 'string') return undefined;
  if (typeof answer.value !== 'function') return answer.value;
  await answer.value();
  return undefined;
}

/** Whether the worktree could go, if the merge and its checks pass. */
async function mayRemoveAfter({ model, worktree, into }: MergeSides, preview: MergePreview): Promise<boolean> {
  const { state } = model;
  const stops = preview.conflicts.length > 0 || preview.submodules.some(({ conflicts }) => conflicts.length > 0);
  if (!state || stops || preview.state !== 'merges') return false;
  const merged = { commit: preview.branch, checks: { state: 'passed', command: undefined } } as const;
  const how = { path: worktree.path, into: into.path, left: preview.notes.length > 0 };
  return isRemovalOfferedAfter(await model.workspace(), state.snapshot, merged, how);
}

/** What a person can answer: how to merge, or something else to do first. */
type MergeAction = PreviewAction<MergeDecision | (() => unknown)>;

/** What helps where something has to be done before the merge; once it is done the preview comes again. */
function waysOut(services: Services, { model, worktree, into }: MergeSides, { remedies }: Problem): MergeAction[] {
  if (remedies.some(({ kind }) => kind === 'commitNotes'))
    return [{ label: l10n.t('Commit Notes and Merge'), icon: 'check', value: { ...plainly, commitNotes: true } }];
  const again = { worktree: worktree.path, repository: model.repository.mainRoot };
  const retry = (): unknown => commands.executeCommand('worktreeStacks.merge', again);
  const buttons = remedyButtons(services, l10n.t('Merge Worktree'), remedies, retry);
  const show = {
    label: l10n.t('Show {0}', into.name),
    run: () => services.view.show(into.path, { expand: true, select: true }),
  };
  return [...buttons, show].map(({ label, run }) => ({ label, icon: 'arrow-right', value: run }));
}

function actionsFor(preview: MergePreview, mayRemove: boolean): MergeAction[] {
  const { name, state } = preview;
  if (state === 'underWay')
    return [{ label: l10n.t('Continue Merge'), description: stopText(preview), icon: 'check', value: plainly }];
  const merge = { label: l10n.t('Merge'), description: stopText(preview), icon: 'git-merge', value: plainly };
  if (!mayRemove) return [merge];
  const description = l10n.t('removes {0} once it is merged', name);
  const thenRemove = { ...plainly, thenRemove: true };
  return [merge, { label: l10n.t('Merge, Then Remove Worktree'), description, icon: 'trash', value: thenRemove }];
}

/** What the merge would wait for. */
function stopText({ conflicts, submodules }: MergePreview): string {
  const count = conflicts.length + submodules.reduce((sum, each) => sum + each.conflicts.length, 0);
  if (count === 0) return '';
  return count === 1
    ? l10n.t('stops for you to resolve 1 conflict')
    : l10n.t('stops for you to resolve {0} conflicts', count);
}

function itemOf({ kind, label, detail }: PreviewRow): QuickPickItem {
  return {
    label: localized(label),
    iconPath: iconOf(kind),
    ...(detail === undefined ? {} : { detail: localized(detail) }),
  };
}

function iconOf(kind: PreviewRow['kind']): ThemeIcon {
  const needsPerson = new ThemeColor('list.warningForeground');
  switch (kind) {
    case 'obstacle':
    case 'conflict':
      return new ThemeIcon('warning', needsPerson);
    case 'commits':
      return new ThemeIcon('git-commit');
    case 'submodule':
      return new ThemeIcon('package');
    case 'notes':
      return new ThemeIcon('pass');
    case 'review':
      return new ThemeIcon('eye');
    case 'checks':
      return new ThemeIcon('beaker');
    case 'note':
      return new ThemeIcon('info');
  }
}
