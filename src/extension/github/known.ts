import type { PullRequestStatus } from '../../core/github/status.ts';
import type { Standing } from '../../core/repository/standing.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { recordedPull, workOf } from '../../core/snapshot/facts.ts';
import type { RepositoryState } from '../repositoryModel.ts';

/** What is known of the pull requests of a repository at one moment. */
export interface PullRequestsKnown {
  /** What GitHub said of them last, by number. */
  readonly statuses: ReadonlyMap<number, PullRequestStatus>;
  /** The names of the worktrees whose pull requests this window watches. */
  readonly watched: ReadonlySet<string>;
}

/** Before anything was read or asked. */
export const nothingKnown: PullRequestsKnown = { statuses: new Map(), watched: new Set() };

/** The pull request of a worktree as its row shows it. */
export interface PullRequestInShort {
  readonly number: number;
  readonly url: string;
  /** `undefined` until GitHub was asked. */
  readonly status: PullRequestStatus | undefined;
  /** What the registry says of it: somebody may have asked before. */
  readonly recorded: Standing;
  readonly watched: boolean;
}

/** The pull request that is recorded for what a worktree has checked out. */
export function pullRequestOf(state: RepositoryState | undefined, worktree: Worktree): PullRequestInShort | undefined {
  const recorded = recordedPull(worktree);
  if (!recorded) return undefined;
  const { number, url } = recorded;
  const { statuses, watched } = state?.pullRequests ?? nothingKnown;
  return {
    ...{ number, url, status: statuses.get(number) },
    ...{ recorded: workOf(worktree), watched: watched.has(worktree.name) },
  };
}
