import type { Operation } from '../operations/operationLog.ts';
import type { RestorePlan } from './restorePlan.ts';

/** The kind of the journal records that bringing a worktree back writes. */
export const restoreKind = 'restore';

/** The same for bringing back git's record of a worktree alone. */
export const restoreAdminKind = 'restore-record';

/** All that is needed to complete it or to take it back, without the process that began it. */
export interface RestoreData extends RestorePlan {
  /** What it is remembered as once it is done. */
  readonly operation: Operation;
  /** Where the worktree is built, under its own last name, in a folder of its own beside its place. */
  readonly aside: string;
  /** A file in git's record of it with the operation's id, until that is written down: what is built proves to be ours. */
  readonly mark: string;
  /** The first entry in the log of a branch that was made again: how another process knows it for ours. */
  readonly note: string;
}
