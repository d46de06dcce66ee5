import { l10n } from 'vscode';
import { isToReview, needsAttention, workOf } from '../../core/snapshot/facts.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';
import { needsPerson } from './pullRequestLabels.ts';
import { rowFactsOf } from './rowFacts.ts';

/** What the Worktrees view can be narrowed down to. */
export const worktreeFilters = ['needsMe', 'agents', 'changed', 'merged'] as const;

/** One of {@link worktreeFilters}. */
export type WorktreeFilter = (typeof worktreeFilters)[number];

/** Whether a worktree is shown under a filter. */
export function matchesFilter(filter: WorktreeFilter, state: RepositoryState, worktree: Worktree): boolean {
  const { agents, stack, pull, finished, underWay } = rowFactsOf(state, worktree);
  switch (filter) {
    case 'needsMe':
      return (
        agents?.activity === 'waiting' ||
        needsAttention(worktree, stack) ||
        // Nothing is in conflict any more: it waits to be continued.
        underWay !== undefined ||
        isToReview(agents) ||
        (pull !== undefined && needsPerson(pull))
      );
    case 'agents':
      return agents?.activity !== undefined;
    case 'changed':
      return (worktree.changes?.total ?? 0) > 0;
    case 'merged':
      return finished === true || workOf(worktree) === 'merged';
  }
}

/** The name of a filter. */
export function filterLabel(filter: WorktreeFilter): string {
  switch (filter) {
    case 'needsMe':
      return l10n.t('Needs Me');
    case 'agents':
      return l10n.t('Agents');
    case 'changed':
      return l10n.t('Changed');
    case 'merged':
      return l10n.t('Merged');
  }
}
