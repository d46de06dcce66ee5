import { ThemeIcon, l10n, window, type QuickPickItem } from 'vscode';
import { mergedWorktrees } from '../../core/remove/mergedWorktrees.ts';
import type { Removal } from '../../core/remove/inspect.ts';
import type { Removed } from '../../core/remove/remove.ts';
import { localized } from '../base/messages.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { resolveModel } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { inspect, remove } from './cleanupWorktree.ts';

interface RemovalItem extends QuickPickItem {
  readonly removal: Removal;
}

/**
 * Removes the worktrees whose work is merged, after showing which; one Undo brings all of them back.
 *
 * @param argument `{ repository, ask: false }`; without `ask: false` the person chooses among them.
 */
export async function cleanupMergedCommand(services: Services, argument?: unknown): Promise<Removed[]> {
  const title = l10n.t('Remove Merged Worktrees');
  const model = await resolveModel(services, argument, title);
  if (!model) return [];
  const removals = await mergedOnes(services, model);
  // What stands in the way of one is told where it is removed by itself.
  const free = removals.filter(({ obstacles }) => obstacles.length === 0);
  if (removals.length === 0) {
    void window.showInformationMessage(l10n.t('No worktree is merged.'));
    return [];
  }
  const asks = typeof argument !== 'object' || argument === null || (argument as { ask?: unknown }).ask !== false;
  const chosen = asks ? await choose(title, removals) : free;
  return chosen.length === 0 ? [] : remove(services, model, { removals: chosen, force: false });
}

async function mergedOnes(services: Services, model: RepositoryModel): Promise<Removal[]> {
  const removals = await inspect(services, model, 'all');
  return [...(await mergedWorktrees(await model.workspace(), removals)).merged];
}

/** All that nothing stands in the way of are chosen at first; the others are shown, with why they stay. */
async function choose(title: string, removals: readonly Removal[]): Promise<Removal[]> {
  const items = removals.map((removal): RemovalItem => {
    const [obstacle] = removal.obstacles;
    return {
      removal,
      label: removal.worktree.name,
      description: removal.branch ? localized(removal.branch.why) : '',
      ...(obstacle ? { detail: l10n.t('Stays: {0}', localized(obstacle.message)) } : {}),
      iconPath: new ThemeIcon(obstacle ? 'circle-slash' : 'trash'),
      picked: !obstacle,
    };
  });
  const placeHolder = l10n.t('Their folders and branches are removed. Undo brings them back.');
  const chosen = await window.showQuickPick(items, { title, placeHolder, canPickMany: true, matchOnDescription: true });
  return (chosen ?? []).map(({ removal }) => removal).filter(({ obstacles }) => obstacles.length === 0);
}
