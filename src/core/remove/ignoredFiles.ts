import { join } from 'node:path';
import type { Copies } from '../trash/changedCopies.ts';
import { countTree, type TreeSize } from '../trash/treeSize.ts';

/** Something in a worktree that git ignores: a file, or a folder with all that is in it. */
export interface IgnoredEntry {
  /** Relative to the worktree, as git lists it: a folder with a slash at its end. */
  readonly path: string;
  readonly size: TreeSize;
}

/** What becomes of the ignored files of a worktree that is removed. Copies that are as they are in the main working tree are in neither. */
export interface IgnoredFiles {
  /** What is kept for a while, and comes back with the worktree. */
  readonly kept: readonly IgnoredEntry[];
  /** What is gone for good. */
  readonly gone: readonly IgnoredEntry[];
  /** How much of it would be kept in all, in bytes. */
  readonly limit: number;
}

/** What is ignored where there is no working tree. */
export const noIgnoredFiles: IgnoredFiles = { kept: [], gone: [], limit: 0 };

/** Names of folders that a command fills again: dependencies, and what tools remember. They are never kept. */
const fetchedAgain = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.pnpm-store',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '.eggs',
  'target',
  '.gradle',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.angular',
  '.turbo',
  '.dart_tool',
  '.terraform',
  '.stack-work',
  'dist-newstyle',
  'elm-stuff',
  'Pods',
  'DerivedData',
]);
/** Names of folders in which a build leaves what it makes, and of such files. They are kept only where there is room left. */
const builtAgain = new Set(['build', 'dist', 'out', 'bin', 'obj', 'lib', 'coverage', 'vendor', 'tmp', 'temp', 'logs']);
const builtFile = /\.(o|obj|a|so|dll|dylib|pyc|pyo|class|tsbuildinfo)$/;
/** `.cache`, `.cache.log`, `__pycache__`, `.eslintcache`, `.pytest_cache`. */
const cacheName = /^\.?cache(\.|$)|^[.\w-]*cache(__)?$/i;

/** The product's own marker of a poll that runs: it is of no use to a worktree that comes back. */
const notWorthKeeping = new Set(['.poll-active']);

/**
 * Counting goes so far, in entries of one folder and of all: first a little everywhere, so that a huge folder does not hide a small one
 * behind it. Keeping takes as long again.
 */
const rounds = [
  { each: 50, all: 4000 },
  { each: 500, all: 2000 },
  { each: 4000, all: 4000 },
];

/**
 * Decides which of the ignored files of a worktree are kept when it goes: the smallest first, until the limit is reached. Of huge folders no
 * more is read than that takes.
 *
 * @param paths what git ignores, as it lists it.
 * @param copies what is in the main working tree as well needs no keeping; what was changed since it was copied is always kept.
 * @param limit in bytes.
 */
export async function sortIgnored(
  root: string,
  paths: readonly string[],
  copies: Copies,
  limit: number,
): Promise<IgnoredFiles> {
  const changed = new Set(copies.changed);
  const alike = new Set(copies.found.filter((path) => !changed.has(path)));
  const open = paths.filter((path) => !alike.has(path) && !changed.has(path) && !notWorthKeeping.has(path));
  const may = open.filter((path) => !isFetchedAgain(path));
  const [candidates, fetched, always] = await Promise.all([
    countAll(root, bySuspicion(may), limit),
    countAll(root, open.filter(isFetchedAgain), undefined),
    countAll(root, copies.changed, undefined),
  ]);
  const kept: IgnoredEntry[] = [];
  const gone: IgnoredEntry[] = [...fetched];
  let room = limit;
  const rank = ({ path }: IgnoredEntry): number => (isBuiltAgain(path) ? 1 : 0);
  const order = candidates.sort((one, other) => rank(one) - rank(other) || one.size.bytes - other.size.bytes);
  for (const entry of order) {
    if (limit > 0 && entry.size.whole && entry.size.bytes <= room) {
      kept.push(entry);
      room -= entry.size.bytes;
    } else gone.push(entry);
  }
  // One in a folder that is kept comes along with that.
  const folders = kept.map(({ path }) => path).filter((path) => path.endsWith('/'));
  kept.push(...always.filter(({ path }) => !folders.some((folder) => path.startsWith(folder))));
  const byPath = (one: IgnoredEntry, other: IgnoredEntry): number => (one.path < other.path ? -1 : 1);
  return { kept: kept.sort(byPath), gone: gone.sort(byPath), limit };
}

/** @param limit counting of one ends once it is larger than that, in bytes. */
async function countAll(root: string, paths: readonly string[], limit: number | undefined): Promise<IgnoredEntry[]> {
  const sizes = new Map<string, TreeSize>();
  for (const { each, all } of rounds) {
    let left = all;
    for (const path of paths) {
      const before = sizes.get(path);
      if (before && (before.whole || (limit !== undefined && before.bytes > limit))) continue;
      if (left <= 0) break;
      const entries = Math.min(each, left);
      const bounds = { entries, bytes: limit };
      sizes.set(path, await countTree(join(root, path), bounds));
      left -= entries - bounds.entries;
    }
  }
  const unknown: TreeSize = { bytes: 0, entries: 0, whole: false, closed: undefined };
  return paths.map((path) => ({ path, size: sizes.get(path) ?? unknown }));
}

/** Files first, folders that may be huge last: the number of entries is spent on what is likely to be kept. */
function bySuspicion(paths: readonly string[]): string[] {
  const rank = (path: string): number => (isBuiltAgain(path) ? 2 : path.endsWith('/') ? 1 : 0);
  return [...paths].sort((one, other) => rank(one) - rank(other));
}

const nameOf = (path: string): string => path.replace(/\/$/, '').split('/').at(-1) ?? path;

function isFetchedAgain(path: string): boolean {
  const name = nameOf(path);
  // A file of such a name may be anything, a cache apart.
  return cacheName.test(name) || (path.endsWith('/') && fetchedAgain.has(name));
}

const isBuiltAgain = (path: string): boolean =>
  path.endsWith('/') ? builtAgain.has(nameOf(path)) : builtFile.test(path);
