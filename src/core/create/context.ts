import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { readRegistry } from '../repository/registry.ts';
import { findTrunk, readAllBranches, type Branches } from '../snapshot/trunk.ts';
import type { Naming } from '../worktree/naming.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readListing, type Listing } from '../worktree/worktreeList.ts';
import { nameListings } from '../worktree/worktreeNames.ts';
import { createsUnderWay, type CreateUnderWay } from './createData.ts';
import { createMessages } from '../messages/create.ts';

/** The state of the repository that a request is resolved in. */
export interface CreateContext {
  readonly workspace: Workspace;
  readonly listing: readonly Listing[];
  /** The names of the linked worktrees, in the order of the listing without the main one. */
  readonly names: readonly Naming[];
  /** The work ids that the registry has, by the name of the worktree. */
  readonly workIds: ReadonlyMap<string, string>;
  /** The base that the registry has, by branch. */
  readonly recordedBases: ReadonlyMap<string, string>;
  /** The worktrees that other processes are creating. */
  readonly underWay: readonly CreateUnderWay[];
  readonly branches: Branches;
  readonly trunk: string | undefined;
  /** {@link worktreesVersion} before anything of this was read. */
  readonly version: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads what a request is resolved against, side by side where the order does not matter.
 *
 * @throws Problem `not-found` in a repository without commits; `unreadable-file`.
 */
export async function readContext(workspace: Workspace, signal: AbortSignal | undefined): Promise<CreateContext> {
  const [worktrees, branches] = await Promise.all([
    readWorktrees(workspace, signal),
    readAllBranches(workspace, signal),
  ]);
  const { listing } = worktrees;
  if (branches.local.size === 0 && branches.remote.oids.size === 0 && listing.every(({ head }) => head === undefined)) {
    throw new Problem('not-found', createMessages.repositoryNoCommits(), {
      next: createMessages.makeFirstCommit(),
    });
  }
  const trunk = await findTrunk(workspace, branches, listing[0]?.branch, signal);
  return { workspace, ...worktrees, branches, trunk, signal };
}

/**
 * The worktrees, those that are being created, and the registry, in this order: a creation lists its worktree first, then enters it into
 * the registry, and ends its pending operation last, so whatever is listed has a name in one of the two.
 */
async function readWorktrees(
  workspace: Workspace,
  signal: AbortSignal | undefined,
): Promise<Pick<CreateContext, 'version' | 'listing' | 'names' | 'workIds' | 'recordedBases' | 'underWay'>> {
  const { repository } = workspace;
  const version = await worktreesVersion(workspace);
  const listing = await readListing(workspace, signal ?? new AbortController().signal);
  const underWay = await createsUnderWay(workspace);
  const registry = await readRegistry(repository);
  const names = await nameListings(workspace, listing, registry);
  const workIds = new Map(
    [...registry.worktrees].flatMap(([name, { workId }]) => (typeof workId === 'string' ? [[name, workId]] : [])),
  );
  const recordedBases = new Map([...registry.worktrees.values()].map(({ branch, base }) => [branch, base]));
  return { version, listing, names, workIds, recordedBases, underWay };
}

/**
 * A text that changes whenever a worktree is created or removed, by us or by git alone.
 *
 * @throws Problem `unreadable-file` when the registry cannot be read.
 */
export async function worktreesVersion({ repository }: Workspace): Promise<string> {
  const adminDirs = await readdir(join(repository.commonDir, 'worktrees')).catch(() => []);
  const { revision } = await readRegistry(repository);
  return [revision, ...adminDirs.sort()].join('\0');
}
