import { posix } from 'node:path';
import { TreeItemCollapsibleState, l10n, type TreeItem } from 'vscode';
import { conflictKind, type ConflictKind } from '../../core/snapshot/conflicts.ts';
import { changeUri } from './changeItem.ts';
import type { ConflictNode } from './nodes.ts';

/** The row of a file in conflict: its name, its folder, and what the two sides did with it where they have not both changed it. */
export function conflictItem({ id, file, parent }: ConflictNode): TreeItem {
  const folder = posix.dirname(file.path);
  const kind = conflictKind(file);
  const words = conflictWords(kind);
  return {
    id,
    label: posix.basename(file.path),
    description: [...(folder === '.' ? [] : [folder]), ...(kind === 'both-changed' ? [] : [words])].join(' · '),
    resourceUri: changeUri(file.path, 'U', parent.id),
    contextValue: `conflict;${kind === 'both-deleted' ? 'gone' : 'there'}`,
    collapsibleState: TreeItemCollapsibleState.None,
    tooltip: `${file.path}\n${l10n.t('In conflict: {0}.', words)} ${nextLabel(kind)}`,
    accessibilityInformation: { label: l10n.t('{0}, in conflict, {1}', file.path, words), role: 'treeitem' },
    command: { command: 'worktreeStacks.openConflict', title: l10n.t('Resolve Conflict') },
  };
}

function conflictWords(kind: ConflictKind): string {
  switch (kind) {
    case 'both-changed':
      return l10n.t('changed on both sides');
    case 'both-added':
      return l10n.t('added on both sides');
    case 'deleted-by-ours':
      return l10n.t('deleted in the current version');
    case 'deleted-by-theirs':
      return l10n.t('deleted in the incoming version');
    case 'both-deleted':
      return l10n.t('deleted or renamed on both sides');
  }
}

/** What settles it: the merge editor where there are two texts, else staging that the file stays or goes. */
function nextLabel(kind: ConflictKind): string {
  return kind === 'both-changed' || kind === 'both-added'
    ? l10n.t('Open it to resolve the conflict, then stage the file.')
    : l10n.t('Stage the file to keep it, or delete it and stage the deletion.');
}
