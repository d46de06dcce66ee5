import { lstatSync, readlinkSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { errorCode } from '../../base/problem.ts';

/** As many links as Linux follows before it gives up. */
const mostLinks = 40;

/** Where a path really leads. */
export interface ResolvedPath {
  /** The path without links, as far as it exists; the rest as it was written. */
  readonly path: string;
  /** The deepest part of it that exists. */
  readonly existing: string;
  /** What is there; `undefined` where nothing of that name is. */
  readonly stats: BigIntStats | undefined;
}

/**
 * Follows a path as the system would when it writes there: link by link, dangling ones included (a write through one makes the file
 * that it names), and `..` from where the links have led.
 *
 * @param path an absolute path.
 * @throws Error in words for people, for loops, names that are too long, and a file in the place of a folder.
 */
export function resolveLinks(path: string): ResolvedPath {
  const { root } = parse(path);
  let at = root;
  let rest = partsOf(path.slice(root.length));
  let links = 0;
  while (rest.length > 0) {
    const [part, ...others] = rest as [string, ...string[]];
    rest = others;
    if (part === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, part);
    const stats = lookAt(next);
    if (stats === undefined) return missing(at, [part, ...others]);
    if (stats.isSymbolicLink()) {
      if (++links > mostLinks) throw new Error(`${path} leads round in a circle of links`);
      const target = readlinkSync(next);
      if (isAbsolute(target)) at = parse(target).root;
      rest = [...partsOf(isAbsolute(target) ? target.slice(at.length) : target), ...rest];
      continue;
    }
    if (others.length > 0 && !stats.isDirectory()) throw new Error(`${next} is no folder`);
    at = next;
  }
  return { path: at, existing: at, stats: lookAt(at) };
}

function partsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
}

/** What does not exist yet is made below what does; there `..` is taken by its text. */
function missing(existing: string, parts: readonly string[]): ResolvedPath {
  return {
    path: parts.reduce((path, part) => (part === '..' ? dirname(path) : join(path, part)), existing),
    existing,
    stats: undefined,
  };
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be looked at (${errorCode(thrown) ?? 'unknown reason'})`, { cause: thrown });
  }
}

/** The real path of a folder that must be there. */
export function realFolder(path: string): string {
  const real = realpathSync.native(path);
  if (!statSync(real).isDirectory()) throw new Error(`${path} is no folder`);
  return real;
}

/**
 * The names that lead from a folder to a target below it, none for the folder itself; `undefined` for what is outside. Compared by
 * device and inode on the way up: on a disk that ignores case, names do not tell.
 */
export function partsWithin(
  folder: string,
  { path, existing }: Pick<ResolvedPath, 'path' | 'existing'>,
): string[] | undefined {
  const root = statSync(folder, { bigint: true });
  const parts = partsOf(relative(existing, path));
  // A rest with `..` has left what exists.
  if (parts.includes('..')) return partsWithin(folder, { path, existing: dirname(existing) });
  for (let at = existing; ; at = dirname(at)) {
    const stats = statSync(at, { bigint: true });
    if (stats.dev === root.dev && stats.ino === root.ino) return parts;
    if (dirname(at) === at) return undefined;
    parts.unshift(basename(at));
  }
}
