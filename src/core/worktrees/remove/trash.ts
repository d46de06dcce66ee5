import { chmod, lstat, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { writeAtomically } from '../../base/atomicFile.ts';
import { readJsonObject } from '../../base/jsonText.ts';
import { limitTo, type Limit } from '../../base/limit.ts';
import { Problem, errorCode, messageOf } from '../../base/problem.ts';
import { makeFolders } from '../../base/sharing.ts';
import type { Git } from '../../git/git.ts';
import type { Repository } from '../../repository/identity.ts';
import { findLateWork, type LastLook } from './lastLook.ts';

/**
 * Where what a removal has put aside waits to be deleted. A bin is a folder in the repository's common directory. It holds
 * git's record of the worktree; the working tree itself stays on its own disk, renamed. Only the note `bin.json`, which is
 * written when nothing can be taken back any more, gives both free to be deleted.
 */
export interface Bin {
  readonly id: string;
  /** The bin's own folder: what `deleteTrash` is given. */
  readonly folder: string;
}

const noteName = 'bin.json';
/** A bin that is older than this, in milliseconds, has been forgotten by whoever was to delete it. */
const forgotten = 10 * 60 * 1000;
/** The longest path, in bytes, that is still worked with; below it folders are moved up first. */
const longestPath = 3000;

/** A new bin's name and place; nothing is made yet. */
export function newBin(repository: Repository): Bin {
  return binOf(repository, randomBytes(6).toString('hex'));
}

/** The bin with an id. */
export function binOf(repository: Repository, id: string): Bin {
  return { id, folder: join(binsOf(repository), id) };
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
interface Note extends Contents {
  /** The paths that were written after the worktree had been looked at: because of them the tree stays. */
  readonly late?: readonly string[];
}

/** Gives a bin, and the working tree that was put aside with it, free to be deleted. */
export async function fillBin(bin: Bin, contents: Contents): Promise<void> {
  await makeFolders(bin.folder);
  await writeNote(bin.folder, contents);
}

function writeNote(folder: string, note: Note): Promise<void> {
  return writeAtomically(join(folder, noteName), `${JSON.stringify({ version: 1, ...note }, null, 2)}\n`);
}

/** The note of a bin; `undefined` when there is none that we have written. */
async function readNote(folder: string): Promise<Note | undefined> {
  const found = await lstat(folder).catch(() => undefined);
  const note = found?.isDirectory() ? await readJsonObject(join(folder, noteName), 'the note of a bin') : undefined;
  return note?.['version'] === 1 ? (note as unknown as Note) : undefined;
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
      await deleteTree(tree);
    }
  }
  await deleteTree(folder, [noteName]);
  await deleteTree(folder);
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
    const isOld = async (path: string): Promise<boolean> => {
      const found = await stat(path).catch(() => undefined);
      return found !== undefined && now.getTime() - found.mtimeMs >= forgotten;
    };
    if (!(await isOld(join(bin, noteName))) && !(await holdsLateWork(bin))) {
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

async function holdsLateWork(bin: string): Promise<boolean> {
  return (await readNote(bin).catch(() => undefined))?.late !== undefined;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/**
 * Deletes a folder and everything in it, except entries of its top level that are named.
 *
 * @throws Problem `not-writable` naming what could not be deleted; everything else is gone then.
 */
export async function deleteTree(folder: string, except: readonly string[] = []): Promise<void> {
  const root = await lstat(folder).catch(() => undefined);
  if (!root) return;
  const deletion = new Deletion(folder, root.dev);
  if (root.isDirectory()) await deletion.empty(folder, except);
  if (except.length === 0 && deletion.failures.length === 0) await deletion.remove(folder, root.isDirectory());
  const [first, ...others] = deletion.failures;
  if (first === undefined) return;
  throw new Problem('not-writable', `${folder} could not be deleted completely: ${first}`, {
    file: folder,
    next: 'close what uses it; it is tried again later',
    items: others.slice(0, 20),
    outcome: 'incomplete',
  });
}

/** One run of {@link deleteTree}. */
class Deletion {
  readonly failures: string[] = [];
  readonly #root: string;
  readonly #device: number;
  readonly #limit: Limit = limitTo(16);
  #moved = 0;

  constructor(root: string, device: number) {
    this.#root = root;
    this.#device = device;
  }

  /** Deletes what is in a folder, files side by side, folders one after the other. */
  async empty(folder: string, except: readonly string[] = []): Promise<void> {
    const entries = (await this.#entries(folder)).filter((entry) => !except.includes(entry.name));
    const folders = entries.filter((entry) => entry.isDirectory());
    const files = entries.filter((entry) => !entry.isDirectory());
    await Promise.all(files.map((file) => this.#limit(() => this.remove(join(folder, file.name), false))));
    for (const each of folders) await this.#folder(folder, each.name);
  }

  async #folder(parent: string, name: string): Promise<void> {
    let path = join(parent, name);
    try {
      if ((await lstat(path)).dev !== this.#device) {
        this.failures.push(`${path} is another disk`);
        return;
      }
      if (Buffer.byteLength(path) > longestPath && parent !== this.#root) {
        // Deeper down the system could not be told any more what is meant.
        const higher = join(this.#root, `.deep-${++this.#moved}`);
        await rename(path, higher);
        path = higher;
      }
    } catch (thrown) {
      if (errorCode(thrown) !== 'ENOENT') this.failures.push(messageOf(thrown));
      return;
    }
    const before = this.failures.length;
    await this.empty(path);
    // What holds something that could not be deleted cannot be deleted either, and needs no telling.
    if (this.failures.length === before) await this.remove(path, true);
  }

  async #entries(folder: string): Promise<{ name: string; isDirectory(): boolean }[]> {
    for (const last of [false, true]) {
      try {
        return await readdir(folder, { withFileTypes: true });
      } catch (thrown) {
        if (errorCode(thrown) === 'ENOENT') return [];
        if (last) this.failures.push(messageOf(thrown));
        else await allowAll(folder);
      }
    }
    return [];
  }

  /** Deletes a file, a link, or an empty folder. */
  async remove(path: string, isFolder: boolean): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await (isFolder ? rmdir(path) : unlink(path));
        return;
      } catch (thrown) {
        const code = errorCode(thrown);
        if (code === 'ENOENT') return;
        const failures = this.failures.length;
        if (attempt < 5 && (await this.#clearTheWay(path, code, isFolder, attempt))) continue;
        if (this.failures.length === failures) this.failures.push(messageOf(thrown));
        return;
      }
    }
  }

  /** Whether it is worth another try, after what is in the way has been dealt with. */
  async #clearTheWay(path: string, code: string | undefined, isFolder: boolean, attempt: number): Promise<boolean> {
    const failures = this.failures.length;
    if (code === 'EBUSY') await delay(50 * attempt);
    else if (isFolder && (code === 'ENOTEMPTY' || code === 'EEXIST')) await this.empty(path);
    else if (code === 'EPERM' || code === 'EACCES') {
      // Windows refuses read-only entries, others those in a read-only folder. The mode of a file is that of all its hard links.
      if (isFolder || sep === '\\') await allowAll(path);
      if (path !== this.#root) await allowAll(dirname(path));
    } else return false;
    return this.failures.length === failures;
  }
}

/** Makes a folder or file writable for its owner, links apart: their mode is that of something else. */
async function allowAll(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isSymbolicLink()) return;
  await chmod(path, found.isDirectory() ? 0o700 : 0o600).catch(() => undefined);
}

const binsOf = (repository: Repository): string => join(repository.commonDir, 'worktree-stacks', 'trash');
