import { ThemeIcon, TreeItemCollapsibleState, type TreeItem } from 'vscode';
import { localized } from '../base/messages.ts';
import { isWithin } from '../../core/base/paths.ts';
import { openFolders } from '../base/uris.ts';
import { branchItem, changesItem } from './branchItem.ts';
import { changeItem } from './changeItem.ts';
import { conflictItem } from './conflictItem.ts';
import type { Node, WorktreeNode } from './nodes.ts';
import { rowFactsOf } from './rowFacts.ts';
import { worktreeItem } from './worktreeItem.ts';

/** A row as it comes, whatever the person has expanded and collapsed; the tooltip of a worktree comes later. */
export function rowItem(node: Node): TreeItem {
  switch (node.kind) {
    case 'repository':
      return {
        id: node.id,
        label: node.model.repository.name,
        description: node.model.problem ? localized(node.model.problem.what) : '',
        iconPath: new ThemeIcon('repo'),
        contextValue: 'repository',
        tooltip: node.model.repository.mainRoot,
        collapsibleState: TreeItemCollapsibleState.Expanded,
      };
    case 'worktree': {
      const { worktree } = node;
      const inWorkspace = openFolders().some((folder) => isWithin(folder, worktree.path));
      const holds = (node.row?.children.length ?? 0) > 0;
      const facts = rowFactsOf(node.model.state, worktree);
      const item = worktreeItem(worktree, {
        id: node.id,
        inWorkspace,
        holds,
        baseUnnamed: !node.row || isBelowBase(node),
        ...facts,
      });
      return withNode(item, node);
    }
    case 'branch':
      return branchItem(node);
    case 'changes':
      return changesItem(node);
    case 'conflict':
    case 'change': {
      return withNode(node.kind === 'conflict' ? conflictItem(node) : changeItem(node), node);
    }
  }
}

/** The command of a row is given the row. */
function withNode(item: TreeItem, node: Node): TreeItem {
  return item.command ? { ...item, command: { ...item.command, arguments: [node] } } : item;
}

/** Whether the row above that of a worktree is that of its base. */
function isBelowBase({ worktree: { base }, parent }: WorktreeNode): boolean {
  const above = parent?.kind === 'worktree' || parent?.kind === 'branch' ? parent.row : undefined;
  return base !== undefined && above?.branch === base.branch;
}
