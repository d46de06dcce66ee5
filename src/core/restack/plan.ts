import type { DroppedCommit } from './replay.ts';
import type { Checkout, IndexLock } from '../checkout/checkout.ts';
import type { EntryChange } from '../operations/operation.ts';
import type { StackState } from '../stack/readStack.ts';

/**
 * `moves`: rebased onto the new base. `current`: already there. `landed`: its work is in the base. `conflict`: its commits conflict, or
 * could not be signed. `held`: something blocks it. `waits`: its base conflicts or is held.
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
  /** Its base afterwards, and by the registry now. */
  readonly base: string | undefined;
  readonly baseBefore: string | undefined;
  /** The base for people: `origin/main` where the remote's is meant. */
  readonly baseLabel: string | undefined;
  /** The commit that it is rebased onto, and the one before its first own commit now. */
  readonly onto: string | undefined;
  readonly since: string | undefined;
  /** The commit that its work is compared with now; afterwards it is the new base. */
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
  readonly checkouts: readonly Checkout[];
  /** Why it is held, waits or conflicts, as a sentence part, and what to do. */
  readonly why: string | undefined;
  readonly next: string | undefined;
  /** The lock on the index of its worktree, where that is why it is held. */
  readonly lock?: IndexLock | undefined;
  /** The files in conflict, or in the way. */
  readonly files: readonly string[];
  /** Sentences for the person. */
  readonly notes: readonly string[];
  /** The change of its registry entry. */
  readonly entry: EntryChange | undefined;
}

/** What a restack would do; nothing has been touched. */
export interface RestackPlan {
  readonly state: StackState;
  /** Each branch after its base. */
  readonly branches: readonly BranchPlan[];
  /** Sentences about surprises. */
  readonly notes: readonly string[];
}
