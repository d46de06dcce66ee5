import type { ReverseOperation } from '../operations/operation.ts';
import type { RestorePlan } from './restorePlan.ts';

/** All that is needed to finish restoring a worktree or to roll it back, without the process that began it. */
export interface RestoreData extends RestorePlan {
  /** What it is remembered as once it is done. */
  readonly operation: ReverseOperation;
  /** Where the worktree is built, under its own last name, in a folder of its own beside its path. */
  readonly aside: string;
  /** Only in files of earlier versions: a file in its admin directory with the operation's id. */
  readonly mark?: string;
  /** The first entry in the log of a branch that was made again: how another process knows it for ours. */
  readonly note: string;
}
