import type { DroppedCommit } from './replay.ts';
import type { TreePlace } from './blockers.ts';
import type { IndexLock } from './indexLock.ts';
import type { EntryChange } from '../operations/operation.ts';
import type { StackState } from './readStack.ts';

/**
 * What would become of a branch. `moves`: its commits are put onto the new base. `current`: it stands there already. `landed`: its work is
 * in the trunk. `conflict`: git could not put its commits there, or not sign them, by itself. `held`: something is in the way. `waits`: for a branch below
 * that conflicts or is held.
 */
export type BranchOutcome = 'moves' | 'current' | 'landed' | 'conflict' | 'held' | 'waits';

/** What a restack would do with one branch. */
export interface BranchPlan {
  readonly branch: string;
  readonly name: string;
  readonly outcome: BranchOutcome;
  /** Its last commit now. */
  readonly from: string;
  /** Its last commit afterwards; the same where it does not move. */
  readonly to: string;
  /** The branch that it will stand on, and stands on by the registry. */
  readonly base: string | undefined;
  readonly baseBefore: string | undefined;
  /** The base as people call it: `origin/main` where the remote's is meant. */
  readonly baseLabel: string | undefined;
  /** The commit that it will stand on, and the one after which its own commits begin now. */
  readonly onto: string | undefined;
  readonly since: string | undefined;
  /** The commit against which it shows its work now: what is compared with the new base afterwards. */
  readonly shownSince: string | undefined;
  /** The commit whose history a rebase by git has to leave out. */
  readonly upstream: string | undefined;
  /** How many commits of its own it will have. */
  readonly commits: number;
  /** Commits that the new base holds already. */
  readonly dropped: readonly DroppedCommit[];
  /** There are merges among the commits. */
  readonly merges: boolean;
  /** Nothing conflicts, but the commits must be signed, for which a person is needed. */
  readonly unsigned: boolean;
  readonly places: readonly TreePlace[];
  /** Why it is held, waits or conflicts, as a sentence part, and what to do. */
  readonly why: string | undefined;
  readonly next: string | undefined;
  /** The lock on the index of its worktree, where that is why it is held. */
  readonly lock?: IndexLock | undefined;
  /** The files in conflict, or in the way. */
  readonly files: readonly string[];
  /** Sentences for the person. */
  readonly notes: readonly string[];
  /** What the registry is to say afterwards, where that differs. */
  readonly entry: EntryChange | undefined;
}

/** What a restack would do; nothing has been touched. */
export interface RestackPlan {
  readonly state: StackState;
  /** Each branch after the one that it stands on. */
  readonly branches: readonly BranchPlan[];
  /** Sentences about what a person may not expect. */
  readonly notes: readonly string[];
}
