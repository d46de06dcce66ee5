import { basename, dirname } from 'node:path';
import { isHeld, rm, rmdir } from '../base/heldFiles.ts';
import { isThere } from '../base/isThere.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { OperationKind } from '../operations/runner.ts';
import { writePending } from '../operations/store.ts';
import { keepSpareRoom } from '../repository/spareRoom.ts';
import { findLateWork } from './lateChanges.ts';
import {
  readTrash,
  repositoryOf,
  stagedAdminDir,
  stuckFor,
  trashEntry,
  trashFile,
  type PendingTrash,
  type TrashData,
  type TrashEntry,
} from './trashEntry.ts';
import { countTree, sizeLabel } from './treeSize.ts';
import { trashMessages } from '../messages/trash.ts';

/** So many entries of what could not be deleted are counted. */
const stuckEntries = 20_000;

/** Deleting what a removal has staged. It begins past its commit point, with the end of the removal. */
export const trashKind: OperationKind<TrashData> = {
  name: 'trash',
  describe: ({ was }) => trashMessages.deleting({ was }),
  isCommitted: () => Promise.resolve(true),
  async finish({ git, repository }, { id }) {
    try {
      await deleteTrash(git, trashEntry(repository, id).folder);
    } catch (thrown) {
      if (!Problem.is(thrown) || thrown.reason === 'would-lose-work') throw thrown;
      // Those that cannot be deleted are named by `stuckTrash`.
      return { operation: undefined, remains: true };
    }
    return { operation: undefined };
  },
  rollBack: () => Promise.resolve(),
};

/**
 * Deletes a trash entry and the working tree that was staged with it, after the check for late changes, where one is due. Links and junctions
 * are removed, never followed; read-only files and folders go too; other disks that are mounted inside are left alone. Running it twice, or at
 * the same time, is harmless.
 *
 * @param folder the entry's folder.
 * @throws Problem `unsupported` for a folder that may not be deleted, `would-lose-work` when something was written to the working tree that
 *   is nowhere else, `not-writable` when something could not be deleted.
 */
export async function deleteTrash(git: Git, folder: string): Promise<void> {
  const strange = (): Problem => new Problem('unsupported', trashMessages.notPutAside({ folder }), { file: folder });
  if (basename(dirname(folder)) !== 'trash' || basename(dirname(dirname(folder))) !== 'worktree-stacks')
    throw strange();
  const trash = await readTrash(folder);
  if (!trash) {
    if (await isThere(folder)) throw strange();
    return;
  }
  const { tree } = trash.data;
  if (typeof tree === 'string') {
    // The name that we gave it is proof that it is the one: nothing else ends in this entry's random id.
    const name = basename(tree);
    if (!name.startsWith('.trash-') || !name.endsWith(`-${basename(folder)}`)) throw strange();
    if (await isThere(tree)) {
      await checkLate(git, folder, trash, tree);
      await deleteFolder(tree).catch((thrown: unknown) => noteStuck(folder, tree, thrown));
    }
  }
  const { left } = trash.data;
  if (left !== undefined) await deleteLeft(left).catch((thrown: unknown) => noteStuck(folder, left, thrown));
  await deleteFolder(folder);
  await rm(trashFile(folder), { force: true });
  // The next one may come when there is no room left.
  await keepSpareRoom(dirname(dirname(dirname(folder))));
}

/** Deletes the folder that a working tree was moved out of; where something is in it by now, it is that one's. */
async function deleteLeft(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (thrown) {
    if (!isHeld(thrown)) return;
    throw new Problem('not-writable', trashMessages.folderInUse({ path: folder }), {
      file: folder,
      next: trashMessages.leaveFolder(),
      outcome: 'incomplete',
      cause: thrown,
    });
  }
}

function rewrite(folder: string, pending: PendingTrash): Promise<void> {
  return writePending(repositoryOf(folder, pending.data.root), pending);
}

/** Writes down that a working tree could not be deleted, so that it is named from now on, and how much there is of it. */
async function noteStuck(folder: string, tree: string, thrown: unknown): Promise<never> {
  if (Problem.is(thrown, 'not-writable')) {
    const now = await readTrash(folder);
    const isLeft = tree === now?.data.left;
    const size = isLeft ? '' : sizeLabel(await countTree(tree, { entries: stuckEntries }));
    const message = isLeft ? thrown.what : trashMessages.notDeleted({ what: thrown.what, size });
    const stuck = { message, next: thrown.nextStep, items: thrown.items };
    const notBefore = new Date(Date.now() + stuckFor).toISOString();
    // On a full disk it is tried again as one that was abandoned.
    if (now) await rewrite(folder, { ...now, notBefore, data: { ...now.data, stuck } }).catch(() => undefined);
  }
  throw thrown;
}

/** Returns when a working tree may be deleted, which is then written down: from now on files will be missing from it. */
async function checkLate(git: Git, folder: string, { data }: PendingTrash, tree: string): Promise<void> {
  const { look } = data;
  if (data.late) throw keptTree(data, tree);
  if (!look) return;
  let late: string[];
  try {
    late = await findLateWork(git, tree, stagedAdminDir(folder), look);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    throw new Problem(
      'would-lose-work',
      trashMessages.keptInTree({ lookName: look.name, tree, reason: thrown.message }),
      {
        file: tree,
        next: trashMessages.moveNeedOut(),
        items: thrown.items,
        outcome: 'incomplete',
        cause: thrown,
      },
    );
  }
  // Somebody else may have checked it meanwhile, and be deleting already.
  const now = await readTrash(folder);
  if (!now?.data.look) return;
  if (late.length === 0) return rewrite(folder, { ...now, data: { ...now.data, look: undefined } });
  await rewrite(folder, { ...now, notBefore: undefined, data: { ...now.data, late } });
  throw keptTree({ ...now.data, late }, tree);
}

/**
 * Whether something was written to a working tree at the very moment in which it was staged, as far as it is not deleted yet: checks that
 * where it is due.
 *
 * @returns the problem that says where it is kept.
 */
export async function lateWorkIn(git: Git, { folder }: TrashEntry): Promise<Problem | undefined> {
  const trash = await readTrash(folder);
  const tree = trash?.data.tree;
  if (!trash || typeof tree !== 'string' || !(await isThere(tree))) return undefined;
  try {
    await checkLate(git, folder, trash, tree);
    return undefined;
  } catch (thrown) {
    if (!Problem.is(thrown, 'would-lose-work')) throw thrown;
    // Whoever is deleting it has checked before, and found nothing.
    const now = await readTrash(folder);
    return now?.data.look || now?.data.late ? thrown : undefined;
  }
}

function keptTree({ look, was, late = [] }: TrashData, tree: string): Problem {
  const written = trashMessages.writtenLate({ count: late.length, name: look?.name ?? was ?? tree, tree });
  return new Problem('would-lose-work', written, {
    file: tree,
    next: trashMessages.moveNeedOut(),
    items: late.slice(0, 20),
    outcome: 'incomplete',
  });
}
