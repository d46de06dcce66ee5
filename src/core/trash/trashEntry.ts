import { randomBytes } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { relativeTo } from '../base/paths.ts';
import { abandoned, pendingFile, readPendingFile, writePending } from '../operations/store.ts';
import type { PendingOperation } from '../operations/store.ts';
import type { Repository } from '../repository/identity.ts';
import type { LateCheck } from './lateChanges.ts';
import type { Message } from '../messages/message.ts';

/**
 * What a removal has staged for deletion: a folder in the common directory with git's admin directory of the worktree, and the working tree
 * itself, which stays on its own disk under another name. Both may be deleted once a pending operation of the kind `trash` names them,
 * which begins when the removal can no longer be rolled back.
 */
export interface TrashEntry {
  readonly id: string;
  /** The entry's own folder: what `deleteTrash` is given. */
  readonly folder: string;
  /** The way from the common directory to the main root. */
  readonly root: string;
}

/** What is staged with a trash entry. */
export interface Staged {
  /** The renamed working tree, `undefined` where there was none. */
  readonly tree: string | undefined;
  /** Where it was, for people who find it. */
  readonly was: string;
  /** What has to be checked before the working tree may be deleted; `undefined` when that was done already. */
  readonly look: LateCheck | undefined;
  /** Its folder, which was emptied and could not be renamed: it is deleted as long as it is empty. */
  readonly left?: string;
}

/** All that is needed to delete a trash entry, without the process that staged it. */
export interface TrashData extends Staged {
  readonly id: string;
  /** The paths that were written after the worktree had been inspected: because of them the working tree stays. */
  readonly late?: readonly string[];
  /** Why it could not be deleted when that was tried last, and what helps. */
  readonly stuck?: {
    readonly message: Message | string;
    readonly next: Message | string | undefined;
    readonly items: readonly string[];
  };
  /** As {@link TrashEntry}. */
  readonly root: string;
}

/** A trash entry that is to be deleted. */
export type PendingTrash = PendingOperation<TrashData>;

/** Trash entries older than this (ms) are considered abandoned by whoever was to delete them. */
export const abandonedAfter = 10 * 60 * 1000;

/** What could not be deleted is tried again after so long (ms). */
export const stuckFor = 60 * 60 * 1000;

/** A new trash entry; nothing is made yet. */
export function newTrash(repository: Repository): TrashEntry {
  return trashEntry(repository, randomBytes(6).toString('hex'));
}

/** The trash entry with an id. */
export function trashEntry(repository: Repository, id: string): TrashEntry {
  const { commonDir, mainRoot } = repository;
  const root = basename(commonDir) === '.git' ? '..' : relativeTo(commonDir, mainRoot);
  return { id, folder: join(commonDir, 'worktree-stacks', 'trash', id), root };
}

/** The name that a working tree gets when it is staged: beside its old one, so that one rename stages it. */
export function stagedPath(path: string, slug: string, { id }: TrashEntry): string {
  return join(dirname(path), `.trash-${slug}-${id}`);
}

/** Where git's admin directory of the worktree is staged, in the folder of a trash entry. */
export const stagedAdminDir = (folder: string): string => join(folder, 'record');

/** Writes down that a trash entry, and the working tree that was staged with it, may be deleted: by recovery, if nobody else does it soon. */
export function stageTrash(repository: Repository, { id, root }: TrashEntry, staged: Staged): Promise<void> {
  const notBefore = new Date(Date.now() + abandonedAfter).toISOString();
  return writePending(repository, pendingTrash({ ...staged, id, root }, notBefore));
}

/** Trash that is to be deleted, as the store has it: no living process owns it. */
export function pendingTrash(data: TrashData, notBefore: string | undefined): PendingTrash {
  const owner = { pid: abandoned, host: '' };
  return { kind: 'trash', key: keyOf(data.id), owner, started: new Date().toISOString(), notBefore, data };
}

/** No slug begins like this, so no worktree has the key. */
const keyOf = (id: string): string => `_trash-${id}`;

/** The trash entry of a folder; `undefined` when none may be deleted there. Whoever deletes it is told nothing but its folder. */
export async function readTrash(folder: string): Promise<PendingTrash | undefined> {
  const read = async (root?: string): Promise<PendingTrash | undefined> => {
    const repository = repositoryOf(folder, root);
    const found = await readPendingFile(repository, pendingFile(repository, keyOf(basename(folder))));
    return found === 'empty' || found?.kind !== 'trash' ? undefined : (found as PendingTrash);
  };
  const found = await read();
  // Its paths are relative to the main root, which it names itself.
  return found && found.data.root !== '..' ? read(found.data.root) : found;
}

/** The repository of a trash entry's folder. @param root as {@link TrashEntry}. */
export function repositoryOf(folder: string, root = '..'): Repository {
  const commonDir = resolve(folder, '..', '..', '..');
  const mainRoot = resolve(commonDir, root);
  return { commonDir, mainRoot, bare: false, name: basename(mainRoot) };
}

/** The file that says that a trash entry may be deleted: it goes last. */
export function trashFile(folder: string): string {
  return pendingFile(repositoryOf(folder), keyOf(basename(folder)));
}
