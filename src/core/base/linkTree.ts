import { constants } from 'node:fs';
import { chmod, copyFile, link, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises';
import { sep } from 'node:path';
import { Problem, errorCode } from './problem.ts';
import { writeFailure } from './diskSpace.ts';
import { baseMessages } from '../messages/base.ts';

/** So many files are linked side by side. */
const atOnce = 32;

/**
 * Puts files and folders of one folder into another one, under the same paths: as second names of the same files, which takes no room and no
 * time, else as copies. Modes, times and links stay, empty folders too, and names that are no UTF-8. What is in the other folder already stays
 * as it is; nothing is put through a link there.
 *
 * @param paths relative to both, a folder with or without a slash at its end. One that is not there is passed over.
 * @param except files that are left out.
 * @returns the paths that could not be read, relative.
 * @throws Problem `not-writable`.
 */
export async function linkTree(
  from: string,
  to: string,
  paths: readonly string[],
  except: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const linking = new Linking(Buffer.from(from), Buffer.from(to), except);
  for (const path of paths) await linking.add(path.replace(/\/$/, ''));
  return linking.unread;
}

class Linking {
  readonly unread: string[] = [];
  readonly #from: Buffer;
  readonly #to: Buffer;
  readonly #except: ReadonlySet<string>;

  constructor(from: Buffer, to: Buffer, except: ReadonlySet<string>) {
    this.#from = from;
    this.#to = to;
    this.#except = except;
  }

  async add(path: string): Promise<void> {
    let above: Buffer = Buffer.alloc(0);
    const names = path.split('/');
    for (const [index, name] of names.entries()) {
      const real = (await findName(this.#from, above, name)) ?? Buffer.from(name);
      const here = above.length === 0 ? real : below(above, real);
      if (index === names.length - 1) await this.#put(here);
      else if (!(await this.#folder(here))) return;
      above = here;
    }
  }

  /** Makes a folder above what is put, with the mode of the one that it stands for. Whether it is there, and no link. */
  async #folder(path: Buffer): Promise<boolean> {
    const target = below(this.#to, path);
    const source = await lstat(below(this.#from, path)).catch(() => undefined);
    if (!source?.isDirectory()) return false;
    try {
      await mkdir(target, source.mode | 0o700);
    } catch (thrown) {
      if (errorCode(thrown) !== 'EEXIST') throw notWritable(target, thrown);
    }
    return (await lstat(target)).isDirectory();
  }

  async #put(path: Buffer): Promise<void> {
    if (this.#except.has(path.toString())) return;
    const found = await lstat(below(this.#from, path)).catch(() => undefined);
    // What is a socket is of no use to anybody later.
    if (!found || found.isSocket()) return;
    if (found.isDirectory()) await this.#putFolder(path, found);
    else await this.#putFile(path, found.isSymbolicLink(), found.isFile());
  }

  async #putFolder(path: Buffer, { mode, atime, mtime }: Awaited<ReturnType<typeof lstat>>): Promise<void> {
    const source = below(this.#from, path);
    const target = below(this.#to, path);
    const made = await mkdir(target, 0o700).then(
      () => true,
      (thrown: unknown) => {
        if (errorCode(thrown) !== 'EEXIST') throw notWritable(target, thrown);
        return false;
      },
    );
    if (!made && !(await lstat(target)).isDirectory()) return;
    const closed = (Number(mode) & 0o700) !== 0o700;
    if (closed) await chmod(source, 0o700).catch(() => undefined);
    try {
      const names = await readdir(source, { encoding: 'buffer' }).catch(() => undefined);
      if (!names) this.unread.push(path.toString());
      for (let start = 0; start < (names?.length ?? 0); start += atOnce) {
        const some = names?.slice(start, start + atOnce) ?? [];
        await Promise.all(some.map((name) => this.#put(below(path, name))));
      }
    } finally {
      if (closed) await chmod(source, Number(mode) & 0o7777).catch(() => undefined);
    }
    if (!made) return;
    await chmod(target, Number(mode) & 0o7777).catch(() => undefined);
    await utimes(target, atime, mtime).catch(() => undefined);
  }

  async #putFile(path: Buffer, isLink: boolean, isFile: boolean): Promise<void> {
    const source = below(this.#from, path);
    const target = below(this.#to, path);
    try {
      if (isLink) await symlink(await readlink(source, { encoding: 'buffer' }), target);
      else await link(source, target);
    } catch (thrown) {
      const code = errorCode(thrown);
      if (code === 'EEXIST' || code === 'ENOENT') return;
      if (isLink || code === 'ENOSPC' || code === 'EDQUOT') throw notWritable(target, thrown);
      // Another disk, one without such names, or a file of somebody else's.
      if (isFile) await this.#copy(path, source, target);
      else this.unread.push(path.toString());
    }
  }

  async #copy(path: Buffer, source: Buffer, target: Buffer): Promise<void> {
    try {
      const { atime, mtime } = await lstat(source);
      await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await utimes(target, atime, mtime);
    } catch (thrown) {
      const code = errorCode(thrown);
      if (code === 'EEXIST' || code === 'ENOENT') return;
      if (code !== 'EACCES' && code !== 'EPERM') throw notWritable(target, thrown);
      this.unread.push(path.toString());
    }
  }
}

/** The bytes of a name of which only a text is known, where that text is not what is on disk. */
async function findName(root: Buffer, above: Buffer, name: string): Promise<Buffer | undefined> {
  if (!name.includes('\uFFFD')) return undefined;
  const folder = above.length === 0 ? root : below(root, above);
  const names = await readdir(folder, { encoding: 'buffer' }).catch(() => []);
  return names.find((each) => each.toString() === name);
}

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from(sep), name]);
}

/** The problem of a file or folder that could not be written. */
export function notWritable(file: Buffer | string, thrown: unknown): Problem {
  const path = file.toString();
  return new Problem('not-writable', baseMessages.cannotWriteBecause({ path, reason: writeFailure(thrown) }), {
    file: path,
    next: baseMessages.checkFolderYours(),
    outcome: 'incomplete',
    cause: thrown,
  });
}
