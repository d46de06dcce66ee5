import { commands } from 'vscode';
import type { Node } from '../views/nodes.ts';
import type { WorktreesView } from '../views/worktreesView.ts';

/**
 * The row that has the focus in the Worktrees view, for key bindings. VS Code tells extensions of the selection only, which arrow keys leave
 * where it is: the row is selected first.
 *
 * @param byEnter it is opened as well, where it is a file; else the focus stays in the view.
 */
export async function focusedRow(view: WorktreesView, byEnter = false): Promise<Node | undefined> {
  view.selectsByKey(true);
  await commands.executeCommand(byEnter ? 'list.select' : 'list.selectAndPreserveFocus');
  const [row] = view.tree.selection;
  if (row?.kind !== 'worktree') view.selectsByKey(false);
  return row;
}
