/** What the host of the remote says about the pull request of a branch. */
export interface PullRequestState {
  readonly number: number;
  /** `queued`: it waits to be merged, and is not merged yet. */
  readonly state: 'open' | 'queued' | 'merged' | 'closed';
  /** The last commit that it had when it was merged, or has now. */
  readonly headCommit: string | undefined;
}

/** Whoever can ask the host; without one, local data alone decides what was merged. */
export interface PullRequests {
  /** The states of the pull requests of some branches, by branch; those without one are left out. One request for all of them. */
  pullRequestsOf(branches: readonly string[]): Promise<ReadonlyMap<string, PullRequestState>>;
}
