/** The state of a branch's pull request on the host. */
export interface PullRequestState {
  readonly number: number;
  /** It is known to be the branch's own; else it was found by the name, which another branch may have had before. */
  readonly recorded: boolean;
  /** `queued`: it waits to be merged, and is not merged yet. */
  readonly state: 'open' | 'queued' | 'merged' | 'closed';
  /** The last commit that it had when it was merged, or has now. */
  readonly headCommit: string | undefined;
  /** Its merge commit, and its base branch. */
  readonly mergeCommit?: string | undefined;
  readonly baseBranch?: string | undefined;
}

/** Looks pull requests up on the host; without it local data alone decides what was merged. */
export interface PullRequestLookup {
  /** The states of the pull requests of some branches, by branch; those without one are left out. One request for all of them. */
  pullRequestsOf(branches: readonly string[]): Promise<ReadonlyMap<string, PullRequestState>>;
}

/** Those that the host calls merged. */
export function mergedOf<Pull extends { readonly state: PullRequestState['state'] }>(pulls: Iterable<Pull>): Pull[] {
  return [...pulls].filter(({ state }) => state === 'merged');
}
