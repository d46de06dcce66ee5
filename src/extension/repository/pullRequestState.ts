import type { PullRequestStatus } from '../../core/github/status.ts';
import type { Standing } from '../../core/repository/standing.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { recordedPull, workOf } from '../../core/snapshot/facts.ts';
import { noPullRequests, type RepositoryState } from './repositoryState.ts';

/** The pull request of a worktree as its row shows it. */
export interface PullRequestInShort {
  readonly number: number;
  readonly url: string;
  /** `undefined` until GitHub was asked. */
  readonly status: PullRequestStatus | undefined;
  /** The state that the registry records. */
  readonly recorded: Standing;
  readonly watched: boolean;
}

/** The pull request that is recorded for what a worktree has checked out. */
export function pullRequestOf(state: RepositoryState | undefined, worktree: Worktree): PullRequestInShort | undefined {
  const recorded = recordedPull(worktree);
  if (!recorded) return undefined;
  const { number, url } = recorded;
  const { statuses, watched } = state?.pullRequests ?? noPullRequests;
  return {
    ...{ number, url, status: statuses.get(number) },
    ...{ recorded: workOf(worktree), watched: watched.has(worktree.name) },
  };
}
