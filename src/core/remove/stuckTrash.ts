import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { Repository } from '../repository/identity.ts';
import { isPaused, pendingFiles, readPendingFile } from '../operations/store.ts';
import { binsOf, deleteTrash, readNote } from './trash.ts';

/**
 * The trees that could not be deleted, as far as they are there: each with its path, how much is left, the cause, and the command that helps.
 * Reads a few files and tries nothing.
 */
export async function stuckTrash(repository: Repository): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const id of await readdir(binsOf(repository)).catch((): string[] => [])) {
    const note = await readNote(join(binsOf(repository), id)).catch(() => undefined);
    if (!note?.stuck || typeof note.tree !== 'string' || !(await isThere(note.tree))) continue;
    const { message, next, items } = note.stuck;
    const details = { file: note.tree, items, outcome: 'incomplete' as const };
    problems.push(new Problem('not-writable', message, { ...details, ...(next === undefined ? {} : { next }) }));
  }
  return problems;
}

/** Tries to delete again what could not be deleted before: whatever held it may have let go. What still cannot be stays noted. */
export async function deleteStuckTrash(git: Git, repository: Repository): Promise<void> {
  for (const id of await readdir(binsOf(repository)).catch((): string[] => [])) {
    const bin = join(binsOf(repository), id);
    const note = await readNote(bin).catch(() => undefined);
    if (!note?.stuck || note.late) continue;
    await deleteTrash(git, bin).catch((thrown: unknown) => {
      if (!Problem.is(thrown)) throw thrown;
    });
  }
}

/** Trees in the folder of worktrees that were put aside and that no bin knows any more. */
export async function lostTrash(repository: Repository): Promise<string[]> {
  const folder = join(repository.mainRoot, '.worktrees');
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) =>
    /^\.trash-.+-[0-9a-f]{12}$/.test(name),
  );
  // A bin is made only when a removal is decided; before that its pending operation has the working tree.
  if (names.length === 0) return [];
  const pending = await Promise.all((await pendingFiles(repository)).map((file) => readPendingFile(repository, file)));
  if (pending.some((each) => each === 'empty' || (each !== undefined && !isPaused(each)))) return [];
  const bins = new Set(await readdir(binsOf(repository)).catch((): string[] => []));
  return names.filter((name) => !bins.has(name.slice(-12))).map((name) => join(folder, name));
}
