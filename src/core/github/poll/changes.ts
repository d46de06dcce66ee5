import type { PullRequestStatus } from '../status.ts';

/** Something about a pull request that needs a person. */
export type News = 'checks-failed' | 'changes-requested' | 'conflicts' | 'merged' | 'closed';

/** What is remembered of what was told, so that everything is told once: a kind of news, for checks with the commit that they are of. */
export type Told = readonly string[];

/**
 * What a person should hear of a pull request now.
 *
 * @param told what was told before; `undefined` when the pull request is seen for the first time: then what is so already counts as told.
 */
export function newsOf(
  told: Told | undefined,
  status: PullRequestStatus,
): { readonly news: readonly News[]; readonly told: Told } {
  const { state, checks, headCommit, review, mergeable } = status;
  if (state === 'merged' || state === 'closed') {
    return { news: told === undefined || told.includes(state) ? [] : [state], told: [state] };
  }
  const now: [News, string][] = [];
  if (checks.state === 'failed') now.push(['checks-failed', `checks-failed ${headCommit}`]);
  if (review === 'changes_requested') now.push(['changes-requested', 'changes-requested']);
  // GitHub forgets now and then whether it could merge, and works it out again: that is no end of the conflicts.
  if (mergeable === 'conflicts' || (mergeable === 'unknown' && told?.includes('conflicts')))
    now.push(['conflicts', 'conflicts']);
  // Checks that run once more on the same commit and fail again are no news either.
  const kept = (told ?? []).filter((key) => key === `checks-failed ${headCommit}`);
  const news = told === undefined ? [] : now.filter(([, key]) => !told.includes(key)).map(([kind]) => kind);
  return { news, told: [...new Set([...kept, ...now.map(([, key]) => key)])] };
}
