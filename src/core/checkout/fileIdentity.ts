import { constants } from 'node:fs';
import { copyFile, link, lstat, readlink, stat, symlink, utimes } from 'node:fs/promises';
import { sep } from 'node:path';
import { rename, unlink } from '../base/heldFiles.ts';
import { errorCode } from '../base/problem.ts';

/** Changes when a file is replaced or written to; `undefined` when there is nothing. */
export async function identityOf(path: Buffer | string): Promise<string | undefined> {
  const found = await lstat(path, { bigint: true }).catch((thrown: unknown) => {
    if (errorCode(thrown) === 'ENOENT' || errorCode(thrown) === 'ENOTDIR') return undefined;
    throw thrown;
  });
  if (!found) return undefined;
  return found.isDirectory() ? 'folder' : [found.dev, found.ino, found.size, found.mtimeNs].join(' ');
}

/** A hard link where that is possible, else a copy with the same times. */
export async function duplicate(from: Buffer, to: string | Buffer): Promise<void> {
  const found = await lstat(from);
  if (found.isSymbolicLink()) return symlink(await readlink(from, { encoding: 'buffer' }), to);
  try {
    await link(from, to);
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') throw thrown;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await utimes(to, found.atime, found.mtime);
  }
}

/** Moves a backup to its path; on another disk the file there is deleted first to free its space. Returns whether that worked. */
export async function moveTo(backup: string, path: Buffer, taken: boolean): Promise<boolean> {
  const expected = await identityOf(backup);
  try {
    await rename(backup, path);
    return (await identityOf(path)) === expected;
  } catch (thrown) {
    if (errorCode(thrown) !== 'EXDEV') throw thrown;
  }
  if (taken) await unlink(path);
  await duplicate(Buffer.from(backup), path);
  const [one, other] = [await lstat(backup), await lstat(path)];
  return one.size === other.size && one.mode === other.mode;
}

/** The length of the longest part of a path that is a folder. */
export async function existingFolder(root: string, path: Buffer): Promise<number> {
  const least = Buffer.byteLength(root);
  for (let end = path.lastIndexOf(sep); end > least; end = path.lastIndexOf(sep, end - 1)) {
    const found = await stat(path.subarray(0, end)).catch(() => undefined);
    if (found?.isDirectory()) return end;
  }
  return least;
}
