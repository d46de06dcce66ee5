import { lstatSync, readlinkSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { upFrom } from '../../base/paths.ts';
import { errorCode } from '../../base/problem.ts';

/** Linux follows at most this many links. */
const mostLinks = 40;

/** A path with its links resolved. */
export interface ResolvedPath {
  /** The path without links, as far as it exists; the rest as it was written. */
  readonly path: string;
  /** The deepest part of it that exists. */
  readonly existing: string;
  /** What is there; `undefined` where nothing of that name is. */
  readonly stats: BigIntStats | undefined;
}

/**
 * Resolves a path as the system would when it writes there: link by link, dangling ones included (a write through one creates its
 * target), and `..` relative to where the links lead.
 *
 * @param path an absolute path.
 * @throws Error with a message for people, for loops and for a file where a folder should be; what the system says when it cannot tell.
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
      at = join(at, '..');
      continue;
    }
    const next = join(at, part);
    const stats = statLink(next);
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
  return { path: at, existing: at, stats: statLink(at) };
}

function partsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
}

/** The rest of a path does not exist yet; `..` in it is resolved as text. */
function missing(existing: string, parts: readonly string[]): ResolvedPath {
  return {
    path: parts.reduce((path, part) => (part === '..' ? dirname(path) : join(path, part)), existing),
    existing,
    stats: undefined,
  };
}

function statLink(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** The same with the names that Windows has made up (`PROGRA~1`) replaced by the whole ones, as far as the path exists. */
export function withLongNames(target: ResolvedPath): ResolvedPath {
  const { path, existing } = target;
  // A drive that is not there has no names.
  const real = statLink(existing) === undefined ? existing : realpathSync.native(existing);
  return { ...target, path: join(real, relative(existing, path)), existing: real };
}

/** The real path of an existing folder. */
export function realFolder(path: string): string {
  const real = realpathSync.native(path);
  if (!statSync(real).isDirectory()) throw new Error(`${path} is no folder`);
  return real;
}

/**
 * The names on the way from a folder to a target below it, none for the folder itself; `undefined` for targets outside. Folders are
 * compared by device and inode, because on a disk that ignores case names do not tell.
 */
export function partsWithin(
  folder: string,
  { path, existing }: Pick<ResolvedPath, 'path' | 'existing'>,
): string[] | undefined {
  const root = statSync(folder, { bigint: true });
  const parts = partsOf(relative(existing, path));
  // With `..`, the rest leads out of what exists.
  if (parts.includes('..')) return partsWithin(folder, { path, existing: dirname(existing) });
  for (const at of upFrom(existing)) {
    // A drive or a share may not be there at all.
    const stats = statSync(at, { bigint: true, throwIfNoEntry: false });
    if (stats?.dev === root.dev && stats.ino === root.ino) return parts;
    parts.unshift(basename(at));
  }
  return undefined;
}
