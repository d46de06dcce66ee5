/** What GitHub says about the pull request of a branch. */
export interface PullRequestFact {
  readonly number: number;
  /** It is the one on record; else the latest one of a branch of that name, which may have been another branch once. */
  readonly recorded: boolean;
  /** `queued`: it waits to be merged, and is not merged yet. */
  readonly state: 'open' | 'queued' | 'merged' | 'closed';
  /** The last commit that it had when it was merged, or has now. */
  readonly headCommit: string | undefined;
  /** The commit that it was merged as, and the branch that it was merged into or is to be. */
  readonly mergeCommit: string | undefined;
  readonly baseBranch: string;
  readonly draft: boolean;
  /** Somebody whose word counts has approved it, and nobody has asked for changes since. */
  readonly approved: boolean;
}

/** Whoever can ask GitHub about the pull requests of branches. */
export interface PullRequestFacts {
  /** By branch; those without a pull request are left out. One request for up to fifty of them. */
  pullRequestsOf(branches: readonly string[]): Promise<ReadonlyMap<string, PullRequestFact>>;
}
