import type { Worktree } from '../worktree/model.ts';

/** A worktree whose files follow its branch. */
export interface Checkout {
  readonly path: string;
  readonly gitDir: string;
}

/** The lock that a git command holds on the index of a worktree, or left behind when it died. */
export interface IndexLock {
  readonly file: string;
  /** In milliseconds. */
  readonly age: number;
  /** The process that has it open; `none` when no process that we can see has, `unknown` where the system does not tell. */
  readonly holder: number | 'none' | 'unknown';
}

/** Why a worktree cannot follow its branch now, and the files that are in the way. */
export interface Blocker {
  readonly why: string;
  readonly files: readonly string[];
  /** What to do, as a sentence part; `undefined` for what any such file calls for. */
  readonly next?: string;
  /** The lock on its index, where that is what is in the way. */
  readonly lock?: IndexLock;
}

/** Those of some worktrees that have files to write to. */
export function checkoutsOf(worktrees: readonly Worktree[]): Checkout[] {
  return worktrees.flatMap(({ path, gitDir, condition, bare }) =>
    bare || condition !== 'fine' || gitDir === undefined ? [] : [{ path, gitDir }],
  );
}
