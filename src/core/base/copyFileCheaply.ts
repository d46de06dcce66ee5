import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { errorCode } from './problem.ts';
import type { RawPath } from './rawPaths.ts';

/** Files from this size on, in bytes, are copied in pieces, so that they can be cancelled. */
const large = 64 * 2 ** 20;
const piece = 2 ** 20;

/** With these a file system says that it can never share content between two places. Others are about the one file. */
const neverCodes: ReadonlySet<string> = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'ENOSYS', 'ENOTTY']);
/** With these nothing can be copied in another way either. */
const finalCodes: ReadonlySet<string> = new Set(['ENOENT', 'EEXIST', 'EACCES', 'ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE']);

/** Whether content may, must or must not be shared with the file that is copied. */
export type Cloning = 'try' | 'must' | 'never';

/** The disk cannot do what {@link Cloning} demands. */
export class CannotClone extends Error {}

/**
 * Copies files, as copies on write where the file system can: then the two share their content until one is changed, which takes neither time
 * nor room. What a disk cannot do is tried once, not for every file.
 */
export class FileCopier {
  readonly #cloning: Cloning;
  readonly #signal: AbortSignal | undefined;
  /** By the number of the disk. */
  readonly #clones = new Map<number, boolean>();

  constructor(cloning: Cloning, signal?: AbortSignal) {
    this.#cloning = cloning;
    this.#signal = signal;
  }

  /**
   * Copies a file with its mode to a place where nothing is.
   *
   * @returns whether its content is shared.
   * @throws CannotClone; what the file system says; an AbortError.
   */
  async copy(source: RawPath, target: RawPath, stats: Stats): Promise<boolean> {
    if (this.#cloning !== 'never' && (await this.clone(source, target, stats))) return true;
    if (this.#cloning === 'must') throw new CannotClone();
    if (stats.size < large) await copyFile(source, target, constants.COPYFILE_EXCL);
    else await this.#copyInPieces(source, target, stats);
    return false;
  }

  /**
   * Makes a copy on write, or nothing.
   *
   * @returns whether it is there.
   * @throws as {@link copy}.
   */
  async clone(source: RawPath, target: RawPath, { dev }: Stats): Promise<boolean> {
    if (this.#clones.get(dev) === false) return false;
    try {
      await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
      this.#clones.set(dev, true);
      return true;
    } catch (thrown) {
      const code = errorCode(thrown) ?? '';
      if (finalCodes.has(code)) throw thrown;
      if (neverCodes.has(code) && !this.#clones.has(dev)) this.#clones.set(dev, false);
      return false;
    }
  }

  /** A file that grows meanwhile is copied as long as it was. */
  async #copyInPieces(source: RawPath, target: RawPath, { size, mode }: Stats): Promise<void> {
    await pipeline(
      createReadStream(source, { end: size - 1, highWaterMark: piece }),
      createWriteStream(target, { flags: 'wx', mode, highWaterMark: piece }),
      { signal: this.#signal },
    );
    await chmod(target, mode & 0o7777);
  }
}
