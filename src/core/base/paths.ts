import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errorCode } from './problem.ts';

/**
 * The real path of something that need not exist: links are followed as far as there is something to follow that can be looked at, the
 * rest is appended as it stands. A disk that is away or a folder that is closed to us is no reason to fail.
 */
export async function realPathOf(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch (thrown) {
    if (errorCode(thrown) === undefined) throw thrown;
    const parent = dirname(whole);
    if (parent === whole) return whole;
    return join(await realPathOf(parent), basename(whole));
  }
}

/** Whether `path` is `folder` or below it. Compares text: give real paths of both where links matter. */
export function isWithin(folder: string, path: string): boolean {
  // Most questions are about paths that are spelled alike; the parts of a path are split for the others only.
  if (path.startsWith(folder) && (path.length === folder.length || path[folder.length] === sep) && !path.includes('..'))
    return true;
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

/** Whether two paths name the same place on disk, links followed. Case is as the disk has it: the real path decides. */
export async function samePlace(one: string, other: string): Promise<boolean> {
  return one === other || (await realPathOf(one)) === (await realPathOf(other));
}

/** A path for people and scripts: relative to the folder if it lies within it, else whole; with forward slashes when relative. */
export function displayPath(folder: string, path: string): string {
  if (!isWithin(folder, path)) return path;
  return relative(folder, path).split(sep).join('/') || '.';
}
