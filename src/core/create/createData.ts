import type { RegistryEntry } from '../repository/registry.ts';
import type { Described } from '../worktree/variables.ts';
import { isUnderWay, readPending } from '../operations/store.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** The name of the kind of operation that creates a worktree. */
export const createKindName = 'create';

/** Where a branch is on a remote: what git fetches it from and pushes it to. */
export interface Tracking {
  /** The name of a remote, or its address. */
  readonly remote: string;
  /** The full name there, such as `refs/heads/x`. */
  readonly ref: string;
}

/** All that is needed to roll a creation back or to finish it, without the process that began it. */
export interface CreateData {
  readonly name: string;
  readonly slug: string;
  /** The absolute path of the worktree. */
  readonly path: string;
  readonly relativePath: string;
  readonly branch: string;
  /** The branch did not exist before. */
  readonly newBranch: boolean;
  /** The commit that the branch is made at, or is at. */
  readonly startCommit: string;
  /** What the branch follows, where it is made and follows one. */
  readonly tracking?: Tracking;
  /** The outermost folder above the worktree that did not exist before; the worktree itself when all of them did. */
  readonly firstMade: string;
  /** The worktree's folder was there before, empty. */
  readonly folderThere: boolean;
  /** What the registry is to hold. */
  readonly entry: RegistryEntry;
  /** What it held under this name before: the entry of a worktree that is gone. */
  readonly entryBefore?: RegistryEntry;
  /** The task of the session file that it is made for, as the file has it; moved to the worktree tasks as one of the last steps. */
  readonly handedTask?: string;
  /** The operation that carries uncommitted work to it: without that it is not wanted. */
  readonly carries?: string;
}

/** The worktree as programs that run in it are told of it. */
export function describedBy({ name, slug, path, branch, entry }: CreateData): Described {
  return { name, slug, path, main: false, branch, base: { branch: entry.base }, entry };
}

/** A worktree that is being created, or whose creation was interrupted. */
export interface CreateUnderWay extends CreateData {
  /** Its process has died, and it could not be recovered yet. */
  readonly interrupted: boolean;
}

/** The worktrees that are being created, or whose creation was interrupted. */
export async function createsUnderWay(workspace: Workspace): Promise<CreateUnderWay[]> {
  const records = await readPending(workspace, createKindName);
  return Promise.all(
    records.map(async (record) => {
      const interrupted = !(await isUnderWay(workspace.environment, record));
      return { ...(record.data as CreateData), interrupted };
    }),
  );
}
