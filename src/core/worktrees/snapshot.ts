import { Problem } from '../base/problem.ts';
import type { Snapshot } from './model.ts';
import type { SnapshotCache } from './snapshotCache.ts';
import type { Workspace } from './workspace.ts';

/** What a snapshot is to hold and how it is to be read. */
export interface SnapshotOptions {
  readonly signal?: AbortSignal | undefined;
  /** Read the uncommitted changes of each worktree, by far the most expensive part. Default true. */
  readonly withChanges?: boolean;
  /** Kept by somebody who watches the files; see {@link SnapshotCache}. */
  readonly cache?: SnapshotCache | undefined;
  /** Called once with everything but the changes, as soon as that is known. */
  readonly onListed?: (snapshot: Snapshot) => void;
}

/**
 * Reads what there is to know of a repository's worktrees: git's list is the truth about what exists, the disk tells in what
 * condition it is, the registry and the state file add to it. A worktree that cannot be read has its `trouble`, a file that
 * cannot be read is among the `problems`; everything else is there all the same.
 *
 * @throws Problem when git cannot list the worktrees, or `cancelled`.
 */
export async function readSnapshot(_workspace: Workspace, _options: SnapshotOptions = {}): Promise<Snapshot> {
  throw new Problem('unsupported', 'Worktrees cannot be read yet.');
}
