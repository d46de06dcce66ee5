import { DataTransferItem, commands, type DataTransfer, type TreeDragAndDropController } from 'vscode';
import type { BranchNode, Node, WorktreeNode } from './nodes.ts';

/** The rows of the Worktrees view while they are dragged: VS Code gives every tree a type of this form. */
const rows = 'application/vnd.code.tree.worktreestacks.worktrees';

/** Rows that were dropped on another one. */
export interface Drop {
  readonly dragged: readonly (WorktreeNode | BranchNode)[];
  readonly onto: Node;
}

/** Whether a command was given what was dropped. */
export function isDrop(argument: unknown): argument is Drop {
  return typeof argument === 'object' && argument !== null && 'dragged' in argument && 'onto' in argument;
}

/**
 * Dragging a row of the Worktrees view onto another one lets its branch be based on the other's. Nothing moves by the drop alone: the command
 * shows its plan first, and says why something cannot be.
 */
export const dragAndDrop: TreeDragAndDropController<Node> = {
  dragMimeTypes: [],
  dropMimeTypes: [rows],
  handleDrag: (source, transfer) => {
    const dragged = source.filter((node) => node.kind === 'worktree' || node.kind === 'branch');
    if (dragged.length > 0) transfer.set(rows, new DataTransferItem(dragged));
  },
  handleDrop: (onto, transfer) => {
    const dragged = draggedIn(transfer);
    // Not waited for: the drop is over when the question is asked. Beside the rows nothing is meant.
    if (onto && dragged.length > 0) void commands.executeCommand('worktreeStacks.moveOnto', { dragged, onto });
  },
};

function draggedIn(transfer: DataTransfer): Drop['dragged'] {
  const value: unknown = transfer.get(rows)?.value;
  return Array.isArray(value) ? (value as Drop['dragged']) : [];
}
