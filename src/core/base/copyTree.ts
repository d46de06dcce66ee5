import type { Stats } from 'node:fs';
import { access, chmod, constants, link, lstat, lutimes, mkdir, readlink, symlink, utimes } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { limitTo, workThrough } from './concurrency.ts';
import { CannotClone, FileCopier } from './copyFileCheaply.ts';
import { copyLink } from './copyLink.ts';
import { kindOf } from './obstacle.ts';
import { Problem, errorCode, stopIfCancelled } from './problem.ts';
import { notWritable } from './linkTree.ts';
import { inFolder, readRawFolder, type RawEntry, type RawPath } from './rawPaths.ts';
import type { Message } from '../messages/message.ts';

/** So many entries are worked on side by side: enough to keep a disk busy, few enough for any limit on open files. */
const atOnce = 16;
/** After so many files, or bytes, progress is told. */
const filesPerStep = 200;
const bytesPerStep = 64 * 2 ** 20;

/** How files are copied: as cheaply as is safe, only as copies on write, never so, or as second names of the same files. */
export type CopyMethod = 'cheap' | 'reflink' | 'copy' | 'hardlink';

/** How a tree is copied. */
export interface TreeOptions {
  readonly method: CopyMethod;
  /** Whether nobody ever writes into a file, so that it may have a second name where it cannot become a copy on write. */
  readonly isStored?: ((path: string, stats: Stats) => boolean) | undefined;
  /** What a link is to lead to, given the path of the one that is copied and what that leads to, as written there. */
  readonly linkTo?: ((source: string, link: string) => string) | undefined;
  readonly onProgress?: ((files: number, bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Something that was not copied. */
export interface LeftOut {
  readonly path: string;
  readonly why: 'unreadable' | 'repository' | Message;
}

/** What came of copying a tree. Paths are those of the tree that was copied. */
export interface TreeCopy {
  readonly files: number;
  /** The length of all files; those with several names in the tree count once. */
  readonly bytes: number;
  /** So many of the bytes are shared as copies on write. */
  readonly cloned: number;
  /** So many of the bytes have a second name now. */
  readonly linked: number;
  readonly leftOut: readonly LeftOut[];
  /** Links with an absolute path: where each was found and put, and what it leads to. */
  readonly absoluteLinks: readonly { readonly source: string; readonly target: string; readonly link: string }[];
}

/** A folder that was made. */
interface Folder {
  readonly target: RawPath;
  /** Of the one that it is a copy of. */
  readonly stats: Stats;
}

/** One entry on its way. */
interface Item {
  readonly source: RawPath;
  readonly target: RawPath;
}

/**
 * Copies a file, a link or a folder with all that is in it to a place where nothing is. Modes and times stay, empty folders, links as links,
 * several names of one file, and names that are no UTF-8. Pipes, sockets and devices are left out and never opened; so are
 * repositories inside. What vanishes meanwhile is passed over.
 *
 * @throws Problem `not-writable`, `cancelled`; {@link CannotClone}. What was copied by then is the caller's to delete.
 */
export async function copyTree(source: string, target: string, options: TreeOptions): Promise<TreeCopy> {
  const copying = new Copying(options);
  await workThrough<Item>([{ source, target }], atOnce, (item) => copying.put(item));
  await copying.closeFolders();
  return copying;
}

class Copying implements TreeCopy {
  files = 0;
  bytes = 0;
  cloned = 0;
  linked = 0;
  readonly leftOut: LeftOut[] = [];
  readonly absoluteLinks: { source: string; target: string; link: string }[] = [];
  readonly #options: TreeOptions;
  readonly #copier: FileCopier;
  readonly #folders: Folder[] = [];
  /** The first copy of each file that has several names, by what it is on the disk; `undefined` where none was made. */
  readonly #copies = new Map<string, Promise<RawPath | undefined>>();
  #told = { files: 0, bytes: 0 };

  constructor(options: TreeOptions) {
    this.#options = options;
    const { method, signal } = options;
    this.#copier = new FileCopier(method === 'reflink' ? 'must' : method === 'copy' ? 'never' : 'try', signal);
  }

  /** Copies one entry; gives those that are in it. */
  async put(item: Item): Promise<Item[]> {
    stopIfCancelled(this.#options.signal);
    const { source, target } = item;
    const stats = await lstat(source).catch(() => undefined);
    if (!stats) return [];
    try {
      if (stats.isDirectory()) return await this.#putFolder(item, stats);
      if (stats.isSymbolicLink()) await this.#putLink(item, stats);
      else if (stats.isFile()) await this.#putFile(item, stats);
      else this.#leaveOut(source, kindOf(stats));
    } catch (thrown) {
      stopIfCancelled(this.#options.signal);
      if (thrown instanceof CannotClone || Problem.is(thrown)) throw thrown;
      if (errorCode(thrown) === 'EEXIST' || !(await lstat(source).catch(() => undefined))) return [];
      if (!stats.isFile() || (await isReadable(source))) throw notWritable(target, thrown);
      this.#leaveOut(source, 'unreadable');
    }
    return [];
  }

  /** Gives the folders the modes and times of those that they are copies of, now that nothing more is put into them. */
  async closeFolders(): Promise<void> {
    const limit = limitTo(atOnce);
    const close = async ({ target, stats }: Folder): Promise<void> => {
      await utimes(target, stats.atime, stats.mtime).catch(() => undefined);
      await chmod(target, stats.mode & 0o7777).catch(() => undefined);
    };
    const isOpen = ({ stats }: Folder): boolean => (stats.mode & 0o700) === 0o700;
    await Promise.all(this.#folders.filter(isOpen).map((folder) => limit(() => close(folder))));
    // From the inside out: one that is closed to us hides what is in it.
    for (const folder of this.#folders.reverse()) if (!isOpen(folder)) await close(folder);
  }

  async #putFolder({ source, target }: Item, stats: Stats): Promise<Item[]> {
    let entries: RawEntry[];
    try {
      entries = await readRawFolder(source);
    } catch (thrown) {
      if (errorCode(thrown) !== 'ENOENT') this.#leaveOut(source, 'unreadable');
      return [];
    }
    if (entries.some(({ name }) => name.toString() === '.git')) {
      this.#leaveOut(source, 'repository');
      return [];
    }
    await mkdir(target, 0o700);
    this.#folders.push({ target, stats });
    return entries.map(({ name }) => ({ source: inFolder(source, name), target: inFolder(target, name) }));
  }

  async #putLink({ source, target }: Item, { atime, mtime }: Stats): Promise<void> {
    const raw = await readlink(source, { encoding: 'buffer' });
    const written = raw.toString();
    if (typeof source !== 'string' || typeof target !== 'string' || written.includes('\uFFFD')) {
      await symlink(raw, target);
    } else {
      await copyLink(source, this.#options.linkTo?.(source, written) ?? written, target);
      if (isAbsolute(written)) this.absoluteLinks.push({ source, target, link: written });
    }
    await lutimes(target, atime, mtime).catch(() => undefined);
    this.#count(0);
  }

  async #putFile({ source, target }: Item, stats: Stats): Promise<void> {
    const { method, isStored } = this.#options;
    const isNamedTwice = stats.nlink > 1;
    if (method === 'hardlink' && (await linked(source, target))) return this.#count(stats.size, 'linked');
    if (method === 'cheap' && isStored?.(source.toString(), stats)) {
      if (await this.#copier.clone(source, target, stats)) return this.#made(target, stats, true);
      if (await linked(source, target)) return this.#count(stats.size, 'linked');
    }
    if (!isNamedTwice || sep === '\\') return this.#copy({ source, target }, stats);
    // Size and time stand beside the number, which may be one of several where it is longer than a number of JavaScript is exact.
    const key = [stats.dev, stats.ino, stats.size, stats.mtimeMs].join(':');
    const before = this.#copies.get(key);
    if (before === undefined) {
      const copying = this.#copy({ source, target }, stats);
      this.#copies.set(
        key,
        copying.then(
          () => target,
          () => undefined,
        ),
      );
      return copying;
    }
    const first = await before;
    if (first !== undefined && (await linked(first, target))) return this.#count(0);
    return this.#copy({ source, target }, stats);
  }

  async #copy({ source, target }: Item, stats: Stats): Promise<void> {
    await this.#made(target, stats, await this.#copier.copy(source, target, stats));
  }

  async #made(target: RawPath, { size, atime, mtime }: Stats, isCloned: boolean): Promise<void> {
    await utimes(target, atime, mtime);
    this.#count(size, isCloned ? 'cloned' : undefined);
  }

  #count(bytes: number, shared?: 'cloned' | 'linked'): void {
    this.files++;
    this.bytes += bytes;
    if (shared) this[shared] += bytes;
    if (this.files - this.#told.files < filesPerStep && this.bytes - this.#told.bytes < bytesPerStep) return;
    this.#told = { files: this.files, bytes: this.bytes };
    this.#options.onProgress?.(this.files, this.bytes);
  }

  #leaveOut(path: RawPath, why: LeftOut['why']): void {
    this.leftOut.push({ path: path.toString(), why });
  }
}

/** Whether a file has a second name now; false where the disk does not make one, or not of a file of somebody else's. */
async function linked(source: RawPath, target: RawPath): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (thrown) {
    const code = errorCode(thrown) ?? '';
    if (['ENOENT', 'EEXIST', 'ENOSPC', 'EDQUOT', 'EROFS'].includes(code)) throw thrown;
    return false;
  }
}

function isReadable(path: RawPath): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
