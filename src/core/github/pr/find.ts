import { getPullRequest, pullRequestsFrom } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { Member } from '../stackMembers.ts';
import type { Place } from './place.ts';

/** So many branches are asked about at a time. */
const atOnce = 4;

/**
 * The pull request of each branch, by branch: the recorded one, else the latest open one, else one that was merged or closed with exactly
 * the commit that is here. Branches without one are left out.
 */
export async function findPullRequests(
  place: Place,
  members: readonly Member[],
  tips: ReadonlyMap<string, string>,
  signal?: AbortSignal,
): Promise<Map<string, PullRequest>> {
  const found = new Map<string, PullRequest>();
  for (let from = 0; from < members.length; from += atOnce) {
    await Promise.all(
      members.slice(from, from + atOnce).map(async (member) => {
        const pull = await findOne(place, member, tips.get(member.branch), signal);
        if (pull) found.set(member.branch, pull);
      }),
    );
  }
  return found;
}

async function findOne(
  { github, heads }: Place,
  { branch, worktree: { entry } }: Member,
  tip: string | undefined,
  signal: AbortSignal | undefined,
): Promise<PullRequest | undefined> {
  const number = entry?.branch === branch ? entry.pr?.number : undefined;
  const recorded = number === undefined ? undefined : await getPullRequest(github, number, signal);
  if (recorded?.state === 'open' && recorded.head.branch === branch) return recorded;
  const owner = heads.get(branch)?.owner;
  const all = owner === undefined ? [] : await pullRequestsFrom(github, { owner, branch }, signal);
  const ownRecord = recorded?.head.branch === branch ? recorded : undefined;
  return all.find(({ state }) => state === 'open') ?? ownRecord ?? all.find(({ head }) => head.oid === tip);
}
