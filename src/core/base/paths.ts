import { lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path, { sep } from 'node:path';
import { pathRules } from './pathRules.ts';

/** The one place where paths are compared, on this system. What a person sees keeps the person's spelling. */
export const systemPaths = pathRules({ path, realpath, realpathNow: realpathSync.native, identityOf });

export const {
  absolute,
  asOnDisk,
  upFrom,
  displayPath,
  relativeTo,
  withSlashes,
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

/**
 * What `resolve` of `node:path` gives, a path that is whole and plain already at once: it takes every path to pieces, and the list of a
 * thousand worktrees has thousands.
 */
export function resolveFrom(folder: string, file: string): string {
  return sep === '/' && file.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(file) ? file : path.resolve(folder, file);
}

/** Whether a path ends in these folders and this name, wherever it begins: what was moved keeps them. */
export function endsAlike(file: string, end: string): boolean {
  return file.endsWith(sep + end);
}
