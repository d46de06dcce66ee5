/** What the host of the remote says about the pull request of a branch. */
export interface PullRequestState {
  readonly number: number;
  /** It is known to be the branch's own; else it was found by the name, which another branch may have had before. */
  readonly recorded: boolean;
  /** `queued`: it waits to be merged, and is not merged yet. */
  readonly state: 'open' | 'queued' | 'merged' | 'closed';
  /** The last commit that it had when it was merged, or has now. */
  readonly headCommit: string | undefined;
  /** The commit that it was merged as, and the branch that it was merged into or is to be. */
  readonly mergeCommit?: string | undefined;
  readonly baseBranch?: string | undefined;
}

/** Whoever can ask the host; without one, local data alone decides what was merged. */
export interface PullRequests {
  /** The states of the pull requests of some branches, by branch; those without one are left out. One request for all of them. */
  pullRequestsOf(branches: readonly string[]): Promise<ReadonlyMap<string, PullRequestState>>;
}

/** Those that the host calls merged. */
export function mergedOf<Pull extends { readonly state: PullRequestState['state'] }>(pulls: Iterable<Pull>): Pull[] {
  return [...pulls].filter(({ state }) => state === 'merged');
}
