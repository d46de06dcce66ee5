import { lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path, { relative, sep } from 'node:path';
import { pathRules } from './pathRules.ts';

/** The one place where paths are compared, on this system. What a person sees keeps the person's spelling. */
export const systemPaths = pathRules({ path, realpath, realpathNow: realpathSync.native, identityOf });

export const {
  absolute,
  asOnDisk,
  upFrom,
  realPathOf,
  realPathNow,
  samePath,
  samePlace,
  samePlaceNow,
  isWithin,
  pathBelow,
} = systemPaths;

/** Several names of one file would say nothing about how the disk takes names; a folder has but one. */
function identityOf(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return !stats || (!stats.isDirectory() && stats.nlink > 1n) ? undefined : `${stats.dev}:${stats.ino}`;
  } catch {
    return undefined;
  }
}

/** A path for people and scripts: relative to the folder if it lies within it, else whole; with forward slashes when relative. */
export function displayPath(folder: string, file: string): string {
  const below = pathBelow(folder, file);
  return below === undefined ? file : withSlashes(below) || '.';
}

/** Whether a path ends in these folders and this name, wherever it begins: what was moved keeps them. */
export function endsAlike(file: string, end: string): boolean {
  return file.endsWith(sep + end);
}

/** A path as seen from a folder, with forward slashes; absolute on another drive. */
export function relativeTo(folder: string, file: string): string {
  return withSlashes(pathBelow(folder, file) ?? relative(folder, file));
}

/** A path with forward slashes, as git writes them into its own files on every system; other programs on Windows read them as well. */
export function withSlashes(file: string): string {
  return sep === '/' ? file : file.split(sep).join('/');
}
