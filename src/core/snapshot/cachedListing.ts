import type { Snapshot, Worktree } from '../worktree/model.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import type { GitFiles } from './gitFiles.ts';
import type { Records } from './registryState.ts';
import type { Branches } from './trunk.ts';

/** A version of a working tree's files as far as watchers report changes: each report makes a new one. Compared by identity. */
export type WatchVersion = object;

/** The list of worktrees and branches that an earlier snapshot was made from. */
export interface CachedListing {
  /** The configuration that it was read with. */
  readonly configuration: string;
  readonly gitFiles: GitFiles;
  /** The version of each watched working tree before it was read, by path. */
  readonly versions: ReadonlyMap<string, WatchVersion>;
  /** The paths of working trees whose status was read before {@link gitFiles} were: an index may have been written in between. */
  readonly unsure: ReadonlySet<string>;
  readonly places: readonly Listing[];
  readonly branches: Branches;
  readonly records: Records;
  /** The snapshot without the changes. */
  readonly listed: Snapshot;
  /** The worktrees of the latest snapshot that was made from it. */
  readonly worktrees: readonly Worktree[];
}
