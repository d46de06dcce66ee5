import type { AgentsAtWork } from '../../core/claude/agentsAtWork.ts';
import type { Sharing } from '../../core/github/sharing.ts';
import type { AgentsInShort, StackInShort } from '../../core/snapshot/facts.ts';
import type { UnderWay } from '../../core/merge/underWay.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { pullRequestOf, type PullRequestInShort } from '../repository/pullRequestState.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';
import { shownBranchOf, stackInShort } from '../repository/stackState.ts';

/** The facts of a row that are not in the snapshot. */
export interface RowFacts {
  /** This window has the worktree open. */
  readonly here?: boolean;
  /** Its work is done, and its removal is offered. */
  readonly finished?: boolean;
  /** The base need not be named: the row stands right below that of its base, or is one of a list that is not about bases. */
  readonly baseUnnamed?: boolean;
  readonly agents?: (AgentsAtWork & AgentsInShort) | undefined;
  /** A Claude session is led to it; `undefined` also where there is no plugin of ours that would lead one. */
  readonly claudes?: boolean;
  /** The branch that stacks are based on, where that is known. */
  readonly trunk?: string | undefined;
  /** Where its branch can be shared, once that is known. */
  readonly sharing?: Sharing | undefined;
  /** The state of its stacked branch; `undefined` if it is in no stack. */
  readonly stack?: StackInShort | undefined;
  /** What is under way in it, and who began that. */
  readonly underWay?: UnderWay | undefined;
  /** A conflict must be resolved before anything that its row continues: one of its own, or one of the branch that it waits for. */
  readonly inConflict?: boolean;
  /** Its pull request, if one is recorded. */
  readonly pull?: PullRequestInShort | undefined;
}

/** What is known of a worktree at a moment. */
export function rowFactsOf(state: RepositoryState | undefined, worktree: Worktree): RowFacts {
  const agents = state?.agents.get(worktree.name);
  const toReview = agents?.finished === undefined ? undefined : state?.toReview.get(worktree.name);
  return {
    here: isHere(state, worktree),
    finished: state?.finished.has(worktree.path) ?? false,
    agents: agents && { ...agents, toReview },
    claudes: (state?.leadsClaude ?? false) && worktree.active,
    trunk: state?.snapshot.trunk,
    sharing: state?.sharing,
    stack: stackInShort(state, worktree),
    underWay: state?.underWay.get(worktree.path),
    inConflict: isInConflict(state, worktree),
    pull: pullRequestOf(state, worktree),
  };
}

function isInConflict(state: RepositoryState | undefined, worktree: Worktree): boolean {
  if ((worktree.changes?.conflicts ?? 0) > 0) return true;
  const stop = shownBranchOf(state, worktree)?.stopped?.stop;
  return stop !== undefined && hasConflicts(state, stop.path);
}

/** Whether files of a worktree are in conflict. */
export function hasConflicts(state: RepositoryState | undefined, path: string): boolean {
  return (state?.worktrees.find((each) => each.path === path)?.changes?.conflicts ?? 0) > 0;
}

/** Whether this window has the worktree open. */
export function isHere(state: RepositoryState | undefined, worktree: Worktree): boolean {
  return state?.here.includes(worktree.path) ?? false;
}
