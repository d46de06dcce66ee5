import type { GitHub } from './client.ts';
import { HostProblem } from './failure.ts';
import type { NativePlace } from './pullRequest.ts';
import type { PullRequestStatus } from './status.ts';
import { githubMessages } from '../messages/github.ts';

/** One of GitHub's own stacks, as GitHub answers. */
export interface StackAnswer {
  readonly number: number;
  readonly pull_requests: readonly { readonly number: number }[];
}

/** Repositories that were found to have none of these addresses. */
const without = new WeakSet<GitHub>();

/**
 * The places of pull requests in GitHub's own stacks, by number. One request, which costs nothing while nothing changes; none where the
 * repository knows no stacks, or the token may not see them.
 *
 * @throws HostProblem as every request.
 */
async function nativePlaces(github: GitHub, signal?: AbortSignal): Promise<ReadonlyMap<number, NativePlace>> {
  const places = new Map<number, NativePlace>();
  if (without.has(github)) return places;
  try {
    const { data } = await github.askForNews(
      'stacks',
      githubMessages.askStacks(),
      (host, at) => host.request('GET /repos/{owner}/{repo}/stacks', { ...at, per_page: 100 }),
      signal,
    );
    for (const { number, pull_requests: members } of data as readonly StackAnswer[])
      for (const [index, each] of members.entries())
        places.set(each.number, { number, position: index + 1, size: members.length });
  } catch (thrown) {
    if (!(thrown instanceof HostProblem) || (thrown.status !== 404 && thrown.status !== 403)) throw thrown;
    if (thrown.reason === 'rate-limited') throw thrown;
    without.add(github);
  }
  return places;
}

/** Statuses with the places that their pull requests have in GitHub's own stacks. */
export async function withNativePlaces(
  github: GitHub,
  statuses: readonly (PullRequestStatus | undefined)[],
  signal?: AbortSignal,
): Promise<(PullRequestStatus | undefined)[]> {
  const places = await nativePlaces(github, signal);
  return statuses.map((status) => {
    const stack = status && places.get(status.number);
    return stack ? { ...status, host: { ...status.host, stack } } : status;
  });
}
