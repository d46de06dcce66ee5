import type { Progress } from '../worktree/model.ts';

/** How a worktree is removed. */
export interface RemoveOptions {
  /** Remove it although there are obstacles, after backing up what only it holds. */
  readonly force?: boolean | undefined;
  /** A person has asked to drop this very worktree, although its folder is out of sight. Without it `force` does not do that. */
  readonly drop?: boolean | undefined;
  readonly progress?: Progress | undefined;
  /** Honoured until the removal is decided; from then on it is completed. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Leaves the check for late changes of a worktree without obstacles to `deleteTrash`, which keeps the folder when something was written to it
   * meanwhile. For whoever has inspected it just now: what is found to have been written before the folder is staged stops a removal
   * only without this.
   */
  readonly lookLater?: boolean | undefined;
  /** Write it to the log, so that it can be undone; default true, and always where only git's admin directory goes. */
  readonly remember?: boolean | undefined;
  /** What all removals of one command share, by `newRemovalGroup`: they are undone together. */
  readonly group?: string | undefined;
  /** The host's way to delete a folder in the background, by `deleteTrash`: it must not keep the caller waiting. */
  readonly deleteLater: (folder: string) => void;
}
