import { commands, l10n, window, workspace } from 'vscode';
import type { Services } from '../services/services.ts';
import { focusedRow } from '../services/focusedRow.ts';
import { isNode, type WorktreeNode } from '../views/nodes.ts';
import { isHere } from '../views/rowFacts.ts';
import { canHaveChanges } from '../views/worktreeItem.ts';
import { showChanges } from './diffWorktree.ts';
import { openFolder } from './openWorktree.ts';

/** Two clicks on a row within this time, in milliseconds, are a double-click: VS Code runs the command of a row for each. */
const doubleClick = 500;

let lastClick: { readonly id: string; readonly at: number } | undefined;
let shows = 0;

/** A click on the row of a worktree: shows what it changed, and opens it with the second click. */
export async function clickRow(services: Services, argument?: unknown): Promise<void> {
  if (!isNode(argument, 'worktree') || services.view.wasSelectedByKey()) return;
  services.view.clicked();
  const at = Date.now();
  const isDouble = lastClick?.id === argument.id && at - lastClick.at < doubleClick;
  lastClick = isDouble ? undefined : { id: argument.id, at };
  const now = ++shows;
  if (isDouble) return openAsSet(services, argument);
  if (!canHaveChanges(argument.worktree)) return;
  const isShown = await showChanges(argument, () => now === shows).catch((thrown: unknown) => {
    // A click asks for nothing, so it is not answered with a failure; Compare with Base tells it.
    services.log.warn(`The changes of ${argument.worktree.path} could not be shown: ${String(thrown)}`);
    return false;
  });
  // The keys of the view go on working, as they do after a click on a file.
  if (isShown && now === shows) await commands.executeCommand('worktreeStacks.worktrees.focus');
}

/** Enter on a row: opens a worktree, a file as a click does, and expands or collapses what only holds others. */
export async function openRow(services: Services, argument?: unknown): Promise<void> {
  shows++;
  const row = isNode(argument, 'worktree') ? argument : await focusedRow(services.view, true);
  if (row?.kind === 'worktree') await openAsSet(services, row);
  else if (row && row.kind !== 'change' && row.kind !== 'conflict') await commands.executeCommand('list.toggleExpand');
}

/** The setting `worktreeStacks.openWorktreesIn`. */
export function opensInNewWindow(): boolean {
  return workspace.getConfiguration('worktreeStacks').get('openWorktreesIn') !== 'thisWindow';
}

async function openAsSet(services: Services, { model, worktree }: WorktreeNode): Promise<void> {
  if (isHere(model.state, worktree)) {
    void window.setStatusBarMessage(l10n.t('This window shows {0}.', worktree.name), 3000);
    return;
  }
  await openFolder(services, { model, worktree }, opensInNewWindow());
}

/** Moves the focus to the search of the Worktrees view. */
export async function find(): Promise<void> {
  await commands.executeCommand('worktreeStacks.worktrees.focus');
  await commands.executeCommand('list.find');
}
