import type { HookOptions } from '../hooks/plan.ts';
import type { HookResult } from '../hooks/runHooks.ts';
import type { MergeEntry } from '../session/model.ts';
import type { Progress } from '../worktree/model.ts';
import type { Backup } from '../operations/backups.ts';
import type { Message } from '../messages/message.ts';

/** What is merged: the branch of a worktree, whether or not its folder is still there. */
export interface MergeSource {
  /** What the worktree is called; of a branch without one the branch. */
  readonly name: string;
  readonly slug: string;
  readonly branch: string;
  /** The branch's last commit. */
  readonly commit: string;
  /** The folder of the worktree; `undefined` where there is none. */
  readonly path: string | undefined;
  /** Its git directory, which may be there without the folder. */
  readonly gitDir: string | undefined;
  /** What is in the worktree and will not be merged. */
  readonly notes: readonly Message[];
}

/** What is to be merged into what. */
export interface MergeRequest {
  readonly source: MergeSource;
  /** The root of the working tree that it is merged into, the main one or a linked one. */
  readonly into: string;
  /** What the merge commit is to say, after the configured prefix; default `Merge wt/<slug>`. */
  readonly message?: string | undefined;
}

/** How a merge is run and watched. */
export interface MergeOptions extends Omit<HookOptions, 'progress' | 'signal'> {
  /** Uncommitted session files of the target that the merge would change are committed first, instead of being refused. */
  readonly commitNotes?: boolean | undefined;
  /** Approve the checks for this user first, as `wt merge --approve` does. */
  readonly approve?: boolean | undefined;
  /** Asked when the checks are not approved; giving true approves them. Without it they are not run. */
  readonly approveChecks?: ((command: string) => Promise<boolean>) | undefined;
  /** Gets what the checks print, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined;
  readonly progress?: Progress | undefined;
  /** Honoured between steps, while hooks run and while checks run. What was begun can be gone on with, or rolled back. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a merge did with a submodule. `merged`: a merge commit was made in it; `forwarded`: it was moved on to the worktree's
 * commit; `contained`: it held that commit already; `taken`: it is not checked out here, and the worktree's commit was recorded.
 */
export type SubmoduleFate = 'merged' | 'forwarded' | 'contained' | 'taken';

/** A submodule that differs between the two sides. */
export interface MergedSubmodule {
  /** The path from the root of the working tree, also of one inside another. */
  readonly path: string;
  readonly fate: SubmoduleFate;
  /** The commit that is recorded now. */
  readonly commit: string;
}

/**
 * What became of a session file: `merged` by its own rules; `kept` although theirs deleted it; `deleted`: ours deleted it, and theirs
 * had nothing new in it; `unknown`: it does not have the shape that the rules are for, and git's result stands.
 */
export interface MergedSessionFile {
  /** From the root of the working tree. */
  readonly path: string;
  readonly state: 'merged' | 'kept' | 'deleted' | 'unknown';
  /** What is unknown, with the line. */
  readonly unknown?: string | undefined;
  /** The entries that the two sides did not have alike, and why the rules decided as they did. */
  readonly entries: readonly MergedEntry[];
}

/** One entry of a session file, as far as a report needs it. */
export type MergedEntry = Pick<MergeEntry, 'name' | 'section' | 'reason' | 'needsLook'>;

/**
 * How the checks went. `none`: there are none; `passed`; `unapproved`: the repository's files suggest them, and they wait for the
 * user's approval. Checks that fail, and configured ones that are not approved, are a problem and not an outcome.
 */
export interface ChecksOutcome {
  readonly state: 'none' | 'passed' | 'unapproved';
  readonly command: string | undefined;
}

/** What a merge did. */
export interface Merged {
  readonly name: string;
  readonly branch: string;
  /** `already`: everything of the branch was merged before. */
  readonly state: 'merged' | 'already';
  /** The merge commit; `undefined` where none was ever needed, because the branch has nothing of its own. */
  readonly commit: string | undefined;
  readonly submodules: readonly MergedSubmodule[];
  /** The session files that were merged by their own rules. */
  readonly sessionFiles: readonly MergedSessionFile[];
  readonly checks: ChecksOutcome;
  /** The operation in the log that undoes it; `undefined` where nothing was merged now, or no branch was merged into. */
  readonly operation: string | undefined;
  /** What a choice between two sides has dropped. */
  readonly backups: readonly Backup[];
  readonly notes: readonly Message[];
  /** What became of the commands around it; missing where there were none. */
  readonly hooks?: readonly HookResult[];
  /** This call has ended it, although its commit was there before. */
  readonly ends?: boolean;
}

/** What taking a merge back did. */
export interface Aborted {
  readonly name: string;
  /** Submodules that were rolled back. */
  readonly submodules: readonly string[];
  /** Files that the merge had made and git had left. */
  readonly removed: readonly string[];
  /** What a person had done during the merge. */
  readonly backups: readonly Backup[];
  readonly notes: readonly Message[];
}
