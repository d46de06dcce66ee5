import { l10n, window } from 'vscode';
import type { Services } from '../services/services.ts';
import { neighbour } from './stackNavigation.ts';
import { isNode } from '../views/nodes.ts';
import { activeUri, placeOf } from './activeFile.ts';
import { selectedNode, type WorktreeTarget } from '../services/resolveTarget.ts';

/**
 * Selects the next worktree of the stack in the view, in the order in which it is drawn.
 *
 * @param argument a row, or `{ from: 'selection' }` for the one that is selected; else where the active editor's file is, or this window.
 * @returns the worktree's path, or the reason why there is none.
 */
export function nextInStack(services: Services, argument?: unknown): Promise<string> {
  return walk(services, argument, 1);
}

/** Likewise the previous one. */
export function previousInStack(services: Services, argument?: unknown): Promise<string> {
  return walk(services, argument, -1);
}

async function walk(services: Services, argument: unknown, step: 1 | -1): Promise<string> {
  const { repositories, view } = services;
  await repositories.start();
  const from = await startOf(services, argument);
  const state = from?.model.state;
  if (!from || !state) return tell(l10n.t('No worktree is selected. Open a file of one, or select its row.'));
  const found = neighbour(state, from.worktree, step);
  if ('none' in found) return tell(found.none);
  await view.show(found.path, { select: true, focus: true });
  return found.path;
}

async function startOf({ repositories, view }: Services, argument: unknown): Promise<WorktreeTarget | undefined> {
  const node = isNode(argument, 'worktree') ? argument : selectedNode(view, argument);
  if (node?.kind === 'worktree') return node;
  const uri = activeUri();
  const place = uri && (await placeOf(repositories, uri));
  if (place?.worktree) return { model: place.model, worktree: place.worktree };
  for (const model of repositories.models) {
    const [path] = model.state?.here ?? [];
    const worktree = model.state?.worktrees.find((each) => each.path === path);
    if (worktree) return { model, worktree };
  }
  return undefined;
}

function tell(sentence: string): string {
  void window.showInformationMessage(sentence);
  return sentence;
}
