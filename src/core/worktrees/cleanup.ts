import { Problem } from '../base/problem.ts';
import type { Progress } from './model.ts';
import type { Removal } from './removal.ts';
import type { Workspace } from './workspace.ts';

/** A ref that keeps what a removal took away. */
export interface Backup {
  /** The full name, below `refs/wt-backup/`. */
  readonly ref: string;
  /** What it holds, as a sentence part: "2 uncommitted files". */
  readonly what: string;
  /** The command that gets it back. */
  readonly restore: string;
}

/** What a removal did. */
export interface Removed {
  readonly name: string;
  readonly path: string;
  readonly branchDeleted: boolean;
  /** The branch that stays, and why. */
  readonly branchKept?: { readonly name: string; readonly why: string };
  readonly backups: readonly Backup[];
  /** Worktrees that stand on another branch now. */
  readonly dependents: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** The state file named this worktree and was removed. */
  readonly clearedActive: boolean;
  /** Sentences for the person: what was kept, what needs a look. */
  readonly notes: readonly string[];
}

/** How a worktree is removed. */
export interface RemoveOptions {
  /** Remove it although there are obstacles, after backing up what only it holds. */
  readonly force?: boolean;
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
  /** The host's way to delete a folder in the background, by `deleteTrash`: it must not keep the caller waiting. */
  readonly deleteLater: (folder: string) => void;
}

/**
 * Removes a worktree that {@link inspectRemoval} looked at.
 *
 * @throws Problem `would-lose-work` (outcome incomplete) that names each obstacle.
 */
export async function removeWorktree(_workspace: Workspace, removal: Removal, _options: RemoveOptions): Promise<Removed> {
  throw new Problem('unsupported', `${removal.worktree.name} cannot be removed yet.`);
}
