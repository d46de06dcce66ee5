import { ThemeColor, ThemeIcon, TreeItemCollapsibleState, l10n, type TreeItem } from 'vscode';
import type { StackInShort } from '../../core/snapshot/facts.ts';
import { stateOf } from '../../core/restack/stackFacts.ts';
import { restackOf } from '../repository/stackState.ts';
import type { BranchNode, ChangesNode } from './nodes.ts';
import type { StackRow } from './stackTree.ts';

/** The row of a base or a stacked branch that no worktree has checked out. */
export function branchItem({ id, model, row }: BranchNode): TreeItem {
  const { kind, branch, shown, children } = row;
  const label = branch === undefined ? l10n.t('Base cycle') : (shown?.name ?? branch);
  const state = shown && stateOf(shown);
  const isStart = shown !== undefined && restackOf(model.state, shown.branch) !== undefined;
  const facts = [...(state ? stateText(state, shown.broken === 'gone' ? shown.base : undefined) : []), kindText(kind)];
  return {
    id,
    label,
    description: facts.join(' · '),
    iconPath: iconOf(kind, state),
    tooltip: [label, ...facts.map((each) => `• ${each}`), nextLabel(kind, branch ?? '')].join('\n'),
    contextValue: `branch;${kind}${isStart ? ';next=restack' : ''}`,
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

type State = Pick<StackInShort, 'needsRestack' | 'cycle' | 'stopped'>;

function iconOf(kind: StackRow['kind'], state: State | undefined): ThemeIcon {
  const trouble = kind === 'gone' || kind === 'cycle' || state?.cycle !== undefined || state?.stopped?.here;
  if (trouble) return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  return new ThemeIcon(state?.needsRestack && !state.stopped ? 'sync' : 'git-branch');
}

function stateText({ needsRestack, cycle, stopped }: State, goneBase: string | undefined): string[] {
  const words: string[] = [];
  if (stopped) words.push(stopped.here ? l10n.t('restack stopped') : l10n.t('waits for {0}', stopped.at));
  if (goneBase !== undefined) words.push(l10n.t('base {0} is gone', goneBase));
  if (cycle !== undefined) words.push(l10n.t('base cycle with {0}', cycle));
  if (needsRestack && !stopped) words.push(l10n.t('needs restack'));
  return words;
}

function kindText(kind: StackRow['kind']): string {
  switch (kind) {
    case 'trunk':
      return l10n.t('the trunk');
    case 'gone':
      return l10n.t('gone');
    case 'cycle':
      return l10n.t('each is based on another');
    case 'other':
    case 'branch':
      return l10n.t('no worktree');
  }
}

function nextLabel(kind: StackRow['kind'], branch: string): string {
  switch (kind) {
    case 'trunk':
      return l10n.t('{0} is the base of the stacks. It is not checked out in any worktree.', branch);
    case 'gone':
      return l10n.t('{0} was deleted or renamed. Move its dependents onto another branch.', branch);
    case 'cycle':
      return l10n.t('These branches are based on each other in a cycle. Move one of them onto another branch.');
    case 'other':
    case 'branch':
      return l10n.t('The branch {0} is not checked out in any worktree.', branch);
  }
}
