import { ThemeColor, ThemeIcon, l10n, type QuickPickItem } from 'vscode';
import { isRemovalOfferedAfter } from '../../core/merge/finished.ts';
import { previewMerge, type MergePreview } from '../../core/merge/preview.ts';
import { previewHeadline, previewRows, type PreviewRow } from '../../core/merge/previewMessages.ts';
import { sourceOf } from '../../core/merge/source.ts';
import { mergeMessages } from '../../core/messages/merge.ts';
import { localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import { askPreview, type PreviewAction } from '../quickPicks/pickPreview.ts';
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
    actions: actionsFor(preview, mayRemove),
    heading: l10n.t('what would happen'),
    rows: previewRows(preview).map(itemOf),
    otherwise: l10n.t('nothing is merged'),
    notes: [],
  });
  if (typeof answer === 'string') return undefined;
  if (answer.value !== 'show') return answer.value;
  await services.view.show(into.path, { expand: true, select: true });
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

function actionsFor(preview: MergePreview, mayRemove: boolean): PreviewAction<MergeDecision | 'show'>[] {
  const { obstacle, name, into, state } = preview;
  if (obstacle?.nextStep?.id === mergeMessages.commitThemAgaincommand.id) {
    const label = l10n.t('Commit Notes and Merge');
    return [{ label, description: stopText(preview), icon: 'check', value: { ...plainly, commitNotes: true } }];
  }
  if (obstacle) {
    const description = l10n.t('commit or move them, then merge again');
    return [{ label: l10n.t('Show Changes in {0}', into), description, icon: 'list-tree', value: 'show' }];
  }
  if (state === 'underWay')
    return [{ label: l10n.t('Continue Merge'), description: stopText(preview), icon: 'check', value: plainly }];
  const merge = { label: l10n.t('Merge'), description: stopText(preview), icon: 'git-merge', value: plainly };
  if (!mayRemove) return [merge];
  const description = l10n.t('{0} and its folder go once it is merged; Undo brings them back', name);
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
