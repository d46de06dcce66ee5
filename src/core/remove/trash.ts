import { lstat, readdir, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { randomBytes } from 'node:crypto';
import { isThere } from '../base/isThere.ts';
import { writeAtomically } from '../base/atomicFile.ts';
import { readJsonObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import { makeFolders } from '../base/sharing.ts';
import type { Git } from '../git/git.ts';
import type { Repository } from '../repository/identity.ts';
import { keepSpareRoom } from '../repository/spareRoom.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import { fromMovable, toMovable } from '../repository/movablePaths.ts';
import { findLateWork, type LastLook } from './lateChanges.ts';
import { countTree, sizeWords } from './treeSize.ts';

/**
 * Where what a removal has put aside waits to be deleted. A bin is a folder in the repository's common directory. It holds
 * git's record of the worktree; the working tree itself stays on its own disk, renamed. Only the note `bin.json`, which is
 * written when nothing can be rolled back any more, gives both free to be deleted.
 */
export interface Bin {
  readonly id: string;
  /** The bin's own folder: what `deleteTrash` is given. */
  readonly folder: string;
  /** The way from the common directory to the main root. */
  readonly root: string;
}

const noteName = 'bin.json';
/** A bin that is older than this, in milliseconds, has been forgotten by whoever was to delete it. */
const forgotten = 10 * 60 * 1000;
/** What could not be deleted is tried again after so long, in milliseconds. */
const stuckFor = 60 * 60 * 1000;
/** So many entries of what could not be deleted are counted. */
const stuckEntries = 20_000;

/** A new bin's name and place; nothing is made yet. */
export function newBin(repository: Repository): Bin {
  return binOf(repository, randomBytes(6).toString('hex'));
}

/** The bin with an id. */
export function binOf(repository: Repository, id: string): Bin {
  const { commonDir, mainRoot } = repository;
  const root = basename(commonDir) === '.git' ? '..' : relative(commonDir, mainRoot);
  return { id, folder: join(binsOf(repository), id), root };
}

/** The name that a working tree gets when it is put aside: beside its old one, so that renaming is all there is to it. */
export function asideOf(path: string, slug: string, bin: Bin): string {
  return join(dirname(path), `.trash-${slug}-${bin.id}`);
}

/** What is put aside with a bin. */
export interface Contents {
  /** The renamed working tree, `undefined` where there was none. */
  readonly tree: string | undefined;
  /** Where it stood, for people who find it. */
  readonly was: string;
  /** What has to be found before the tree may be deleted; `undefined` when that was found already. */
  readonly look: LastLook | undefined;
}

/** The note of a bin as it is on disk. */
export interface Note extends Contents {
  /** The paths that were written after the worktree had been looked at: because of them the tree stays. */
  readonly late?: readonly string[];
  /** Why it could not be deleted when that was tried last, and what helps. */
  readonly stuck?: { readonly message: string; readonly next: string | undefined; readonly items: readonly string[] };
  /** As {@link Bin}; not there in the note of an earlier version. */
  readonly root?: string;
}

/** Gives a bin, and the working tree that was put aside with it, free to be deleted. */
export async function fillBin(bin: Bin, contents: Contents): Promise<void> {
  await makeFolders(bin.folder);
  await writeNote(bin.folder, { ...contents, root: bin.root });
}

function writeNote(folder: string, note: Note): Promise<void> {
  const text = JSON.stringify(toMovable(repositoryOf(folder, note.root), { version: 1, ...note }), null, 2);
  return writeAtomically(join(folder, noteName), `${text}\n`);
}

/** The note of a bin; `undefined` when there is none that we have written. */
export async function readNote(folder: string): Promise<Note | undefined> {
  const found = await lstat(folder).catch(() => undefined);
  const note = found?.isDirectory() ? await readJsonObject(join(folder, noteName), 'the note of a bin') : undefined;
  if (note?.['version'] !== 1) return undefined;
  const { root } = note;
  return fromMovable(repositoryOf(folder, typeof root === 'string' ? root : undefined), note) as unknown as Note;
}

/** The folders that the paths of a note are relative to. Whoever deletes a bin is told nothing but its folder. */
function repositoryOf(bin: string, root = '..'): Repository {
  const commonDir = resolve(bin, '..', '..', '..');
  const mainRoot = resolve(commonDir, root);
  return { commonDir, mainRoot, bare: false, name: basename(mainRoot) };
}

/**
 * Deletes a bin and the working tree that was put aside with it, after the last look at that, where one is due. Links and junctions are
 * removed, never followed; read-only files and folders go too; other disks that are mounted inside are left alone. Running it
 * twice, or at the same time, is harmless.
 *
 * @param folder the bin's folder.
 * @throws Problem `unsupported` for a folder that was not given free by us, `would-lose-work` when something was written to the tree that
 *   is nowhere else, `not-writable` when something could not be deleted.
 */
export async function deleteTrash(git: Git, folder: string): Promise<void> {
  const strange = (): Problem =>
    new Problem('unsupported', `${folder} was not put aside by Worktree Stacks.`, { file: folder });
  if (basename(dirname(folder)) !== 'trash' || basename(dirname(dirname(folder))) !== 'worktree-stacks')
    throw strange();
  if (!(await isThere(folder))) return;
  const note = await readNote(folder);
  if (!note) throw strange();
  const { tree } = note;
  if (typeof tree === 'string') {
    // The name that we gave it is proof that it is the one: nothing else ends in this bin's random id.
    const name = basename(tree);
    if (!name.startsWith('.trash-') || !name.endsWith(`-${basename(folder)}`)) throw strange();
    if (await isThere(tree)) {
      await lookLast(git, folder, note, tree);
      await deleteFolder(tree).catch((thrown: unknown) => noteStuck(folder, tree, thrown));
    }
  }
  await deleteFolder(folder, [noteName]);
  await deleteFolder(folder);
  // The next one may come when there is no room left.
  await keepSpareRoom(dirname(dirname(dirname(folder))));
}

/** Remembers that a tree could not be deleted, so that it is named from now on, and how much there is of it. */
async function noteStuck(folder: string, tree: string, thrown: unknown): Promise<never> {
  if (Problem.is(thrown, 'not-writable')) {
    const size = await countTree(tree, { entries: stuckEntries });
    const message = `${thrown.message} ${sizeWords(size)} of it ${size.entries === 1 ? 'is' : 'are'} left.`;
    const note = await readNote(folder).catch(() => undefined);
    const stuck = { message, next: thrown.next, items: thrown.items };
    // On a disk that takes no note it is tried again as one that was forgotten.
    if (note) await writeNote(folder, { ...note, stuck }).catch(() => undefined);
  }
  throw thrown;
}

/**
 * Deletes at once whatever bins are free to be deleted, also those that another process is deleting: for a disk that is full.
 *
 * @returns whether there were any.
 */
export async function deleteFreeTrash(git: Git, repository: Repository): Promise<boolean> {
  let found = false;
  for (const id of await readdir(binsOf(repository)).catch((): string[] => [])) {
    const bin = join(binsOf(repository), id);
    const note = await readNote(bin).catch(() => undefined);
    if (!note || note.late) continue;
    found = true;
    await deleteTrash(git, bin).catch((thrown: unknown) => {
      if (!Problem.is(thrown)) throw thrown;
    });
  }
  return found;
}

/** Returns when a tree may be deleted, which is then noted: from now on files will be missing from it. */
async function lookLast(git: Git, folder: string, note: Note, tree: string): Promise<void> {
  const { look } = note;
  if (note.late) throw keptTree(note, tree);
  if (!look) return;
  let late: string[];
  try {
    late = await findLateWork(git, tree, join(folder, 'record'), look);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    throw new Problem('would-lose-work', `What was ${look.name} is kept in ${tree}: ${thrown.message}`, {
      file: tree,
      next: 'move what you need out of that folder, then delete it',
      items: thrown.items,
      outcome: 'incomplete',
      cause: thrown,
    });
  }
  // Somebody else may have looked meanwhile, and be deleting already.
  const now = await readNote(folder);
  if (!now?.look) return;
  await writeNote(folder, late.length > 0 ? { ...now, late } : { ...now, look: undefined });
  if (late.length > 0) throw keptTree({ ...now, late }, tree);
}

/**
 * Whether something was written to a tree at the very moment in which it was put aside, as far as it is not deleted yet: takes the last
 * look where it is due.
 *
 * @returns the problem that says where it is kept.
 */
export async function lateWorkIn(git: Git, { folder }: Bin): Promise<Problem | undefined> {
  const read = (): Promise<Note | undefined> => readNote(folder).catch(() => undefined);
  const note = await read();
  if (typeof note?.tree !== 'string' || !(await isThere(note.tree))) return undefined;
  try {
    await lookLast(git, folder, note, note.tree);
    return undefined;
  } catch (thrown) {
    if (!Problem.is(thrown, 'would-lose-work')) throw thrown;
    // Whoever is deleting it has looked before, and found nothing.
    const now = await read();
    return now?.look || now?.late ? thrown : undefined;
  }
}

function keptTree({ look, was, late = [] }: Note, tree: string): Problem {
  const what = late.length === 1 ? 'a file was' : `${late.length} files were`;
  const message = `${look?.name ?? was} was removed, but ${what} written to it at that very moment; it is kept in ${tree}.`;
  return new Problem('would-lose-work', message, {
    file: tree,
    next: 'move what you need out of that folder, then delete it',
    items: late.slice(0, 20),
    outcome: 'incomplete',
  });
}

/**
 * Deletes bins that were given free and forgotten, since the process that was to delete them has died. What cannot be deleted
 * now is tried again another time.
 *
 * @returns a problem for each tree that stays because of work in it.
 */
export async function deleteForgottenTrash(git: Git, repository: Repository, now: Date): Promise<Problem[]> {
  const folder = binsOf(repository);
  const problems: Problem[] = [];
  for (const id of await readdir(folder).catch((): string[] => [])) {
    const bin = join(folder, id);
    const isOld = async (path: string, age = forgotten): Promise<boolean> => {
      const found = await stat(path).catch(() => undefined);
      return found !== undefined && now.getTime() - found.mtimeMs >= age;
    };
    const note = await readNote(bin).catch(() => undefined);
    if (note?.stuck && (await isThere(note.tree ?? '')) && !(await isOld(join(bin, noteName), stuckFor))) continue;
    if (!(await isOld(join(bin, noteName))) && note?.late === undefined) {
      // The note goes last but one: a process that has died there left an empty folder.
      if (await isOld(bin)) await rmdir(bin).catch(() => undefined);
      continue;
    }
    await deleteTrash(git, bin).catch((thrown: unknown) => {
      if (!Problem.is(thrown)) throw thrown;
      if (thrown.reason === 'would-lose-work') problems.push(thrown);
    });
  }
  return problems;
}

/** The folder of all bins. */
export const binsOf = (repository: Repository): string => join(repository.commonDir, 'worktree-stacks', 'trash');
