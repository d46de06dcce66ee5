import { ThemeIcon, l10n, window, type QuickPickItem } from 'vscode';
import type { Services } from '../services/services.ts';
import { readyModels, wordOf } from '../services/resolveTarget.ts';
import { filterLabel, matchesFilter, worktreeFilters, type WorktreeFilter } from '../views/worktreeFilter.ts';

interface FilterItem extends QuickPickItem {
  readonly filter: WorktreeFilter | undefined;
}

/**
 * Narrows the Worktrees view down.
 *
 * @param argument `{ to: "needsMe" | "agents" | "changed" | "merged" }`; else it asks, and tells how many each has.
 */
export async function filterWorktrees(services: Services, argument?: unknown): Promise<void> {
  const given = wordOf(argument, 'to');
  const known = worktreeFilters.find((each) => each === given);
  if (known) return services.view.setFilter(known);
  const models = await readyModels(services);
  const items = worktreeFilters.map((filter): FilterItem => {
    const count = models
      .flatMap(({ state }) =>
        state ? [state.worktrees.filter((each) => matchesFilter(filter, state, each)).length] : [],
      )
      .reduce((sum, each) => sum + each, 0);
    return { filter, label: filterLabel(filter), description: String(count), iconPath: new ThemeIcon(icons[filter]) };
  });
  const all: FilterItem = { filter: undefined, label: l10n.t('All'), iconPath: new ThemeIcon('list-unordered') };
  const title = l10n.t('Filter Worktrees');
  const placeHolder = l10n.t('Select which worktrees to show');
  const chosen = await window.showQuickPick([...items, all], { title, placeHolder });
  if (!chosen) return;
  services.view.setFilter(chosen.filter);
}

/** Shows all worktrees again. */
export async function clearFilter({ view }: Services): Promise<void> {
  view.setFilter(undefined);
}

const icons: Readonly<Record<WorktreeFilter, string>> = {
  needsMe: 'bell',
  agents: 'sparkle',
  changed: 'diff-modified',
  merged: 'git-merge',
};
