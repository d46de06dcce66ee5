import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import type { Repository } from '../repository/identity.ts';
import type { Message } from '../messages/message.ts';

/** A ref that keeps what a removal took away. */
export interface Backup {
  /** The full name, below `refs/wt-backup/`. */
  readonly ref: string;
  /** What it holds, as the part of a sentence: "2 uncommitted files". Earlier versions kept the text. */
  readonly what: Message | string;
  /** The command that gets it back. */
  readonly restore: string;
}

/** Git's admin directory of a worktree that was dropped while its folder was out of sight, as the operation log remembers it. */
export interface KeptAdminDir {
  /** Where it waits, unchanged. */
  readonly folder: string;
  /** Where it belongs: the folder `worktrees/<id>` of the common directory. */
  readonly gitDir: string;
  /** The branch that was deleted with it. */
  readonly branch: { readonly name: string; readonly oid: string } | undefined;
}

/** Where the admin directory waits that an operation has dropped. */
export function keptAdminDir(repository: Repository, operation: string): string {
  return join(keptBy(repository, operation), 'admin');
}

/** Deletes what an operation has kept; for one that is forgotten. */
export async function deleteKept(repository: Repository, operation: string): Promise<void> {
  await rm(keptBy(repository, operation), { recursive: true, force: true });
}

const keptBy = ({ commonDir }: Repository, operation: string): string =>
  join(commonDir, 'worktree-stacks', 'dropped', operation);
