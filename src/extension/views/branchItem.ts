import { ThemeColor, ThemeIcon, TreeItemCollapsibleState, l10n, type TreeItem } from 'vscode';
import type { BranchNode, ChangesNode } from './nodes.ts';

/** The row of what stacks stand on, or of a stacked branch, where no working tree has it checked out. */
export function branchItem({ id, row }: BranchNode): TreeItem {
  const { kind, branch, shown, children } = row;
  const label = branch === undefined ? l10n.t('Bases in a ring') : (shown?.name ?? branch);
  const words = wordsOf(kind);
  const trouble = kind === 'gone' || kind === 'ring';
  const facts = shown?.needsRestack ? [words, l10n.t('needs restack')] : [words];
  return {
    id,
    label,
    description: facts.join(' · '),
    iconPath: trouble
      ? new ThemeIcon('warning', new ThemeColor('list.warningForeground'))
      : new ThemeIcon('git-branch'),
    tooltip: tooltipOf(kind, branch ?? ''),
    contextValue: `branch;${kind}`,
    collapsibleState: children.length > 0 ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.None,
    accessibilityInformation: { label: [label, ...facts].join(', '), role: 'treeitem' },
  };
}

/** The row that holds the changed files of a worktree on which others stand. */
export function changesItem({ id, parent }: ChangesNode): TreeItem {
  return {
    id,
    label: l10n.t('Changes'),
    iconPath: new ThemeIcon('diff-multiple'),
    contextValue: 'changes',
    collapsibleState: TreeItemCollapsibleState.Collapsed,
    accessibilityInformation: { label: l10n.t('Changes of {0}', parent.worktree.name), role: 'treeitem' },
  };
}

function wordsOf(kind: BranchNode['row']['kind']): string {
  switch (kind) {
    case 'trunk':
      return l10n.t('the trunk');
    case 'gone':
      return l10n.t('gone');
    case 'ring':
      return l10n.t('each stands on another');
    case 'other':
    case 'branch':
      return l10n.t('no worktree');
  }
}

function tooltipOf(kind: BranchNode['row']['kind'], branch: string): string {
  switch (kind) {
    case 'trunk':
      return l10n.t('{0} is the branch that stacks stand on. No working tree has it checked out.', branch);
    case 'gone':
      return l10n.t('{0} was deleted or renamed. Move what stands on it onto another branch.', branch);
    case 'ring':
      return l10n.t('These branches stand on one another in a ring. Move one of them onto another branch.');
    case 'other':
    case 'branch':
      return l10n.t('No working tree has the branch {0} checked out.', branch);
  }
}
