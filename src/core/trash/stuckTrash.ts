import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { pendingFiles, readPendingFile } from '../operations/store.ts';
import type { Repository } from '../repository/identity.ts';
import { allTrash } from './earlierTrash.ts';
import { deleteTrash } from './trash.ts';
import { trashEntry, type TrashData } from './trashEntry.ts';
import { asMessage } from '../messages/message.ts';

/**
 * The working trees that could not be deleted, as far as they are there: each with its path, how much is left, the cause, and the command
 * that helps. Reads a few files and tries nothing.
 */
export async function stuckTrash(repository: Repository): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { data } of await allTrash(repository)) {
    const { stuck, left } = data;
    const tree = typeof data.tree === 'string' && (await isThere(data.tree)) ? data.tree : left;
    if (!stuck || typeof tree !== 'string' || !(await isThere(tree))) continue;
    const { message, next, items } = stuck;
    const details = { file: tree, items, outcome: 'incomplete' as const };
    problems.push(
      new Problem('not-writable', asMessage(message), {
        ...details,
        next: next === undefined ? undefined : asMessage(next),
      }),
    );
  }
  return problems;
}

/** Tries to delete again what could not be deleted before: whatever held it may have let go. What still cannot stays in the store. */
export async function deleteStuckTrash(git: Git, repository: Repository): Promise<void> {
  await deleteEach(git, repository, ({ stuck }) => stuck !== undefined);
}

/**
 * Deletes at once whatever may be deleted, also what another process is deleting: for a disk that is full.
 *
 * @returns whether there was any.
 */
export function deleteFreeTrash(git: Git, repository: Repository): Promise<boolean> {
  return deleteEach(git, repository, () => true);
}

async function deleteEach(git: Git, repository: Repository, isMeant: (data: TrashData) => boolean): Promise<boolean> {
  const meant = (await allTrash(repository)).filter(({ data }) => !data.late && isMeant(data));
  for (const { data } of meant) {
    await deleteTrash(git, trashEntry(repository, data.id).folder).catch((thrown: unknown) => {
      if (!Problem.is(thrown)) throw thrown;
    });
  }
  return meant.length > 0;
}

/** Staged working trees in the folder of worktrees that no pending operation knows. */
export async function lostTrash(repository: Repository): Promise<string[]> {
  const folder = join(repository.mainRoot, '.worktrees');
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) =>
    /^\.trash-.+-[0-9a-f]{12}$/.test(name),
  );
  if (names.length === 0) return [];
  const files = await pendingFiles(repository);
  const pending = await Promise.all(files.map((file) => readPendingFile(repository, file)));
  // A removal knows its trash entry as `bin`. What cannot be read may be one.
  const known = pending.map((each) =>
    each === 'empty' ? 'any' : (each?.data as { readonly id?: string; readonly bin?: string } | undefined),
  );
  if (known.includes('any')) return [];
  const ids = new Set(known.flatMap((each) => (typeof each === 'object' ? [each.id, each.bin] : [])));
  return names.filter((name) => !ids.has(name.slice(-12))).map((name) => join(folder, name));
}
