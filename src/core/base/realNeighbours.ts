import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { realPathOf, samePath } from './paths.ts';

/**
 * The real paths of many folders, in their order, as `realPathOf` gives them. Most worktrees lie beside one another: the folder that holds
 * them is followed once, and of each only whether it is a link itself is asked.
 */
export async function realNeighbours(paths: readonly string[]): Promise<string[]> {
  const parents = new Map<string, Promise<string>>();
  const parentOf = (path: string): Promise<string> => {
    const parent = dirname(path);
    const known = parents.get(parent) ?? realPathOf(parent);
    parents.set(parent, known);
    return known;
  };
  return Promise.all(
    paths.map(async (path) => {
      const isFolder = (await lstat(path).catch(() => undefined))?.isDirectory() === true;
      return isFolder ? join(await parentOf(path), basename(path)) : realPathOf(path);
    }),
  );
}

/** The first that lies at the same place as a path, links followed: by its spelling where there is one, for that costs nothing. */
export async function findAtPlace<T extends { readonly path: string }>(
  all: readonly T[],
  path: string,
): Promise<T | undefined> {
  const spelledAlike = all.find((each) => samePath(each.path, path));
  if (spelledAlike) return spelledAlike;
  const [place, real] = await Promise.all([realPathOf(path), realNeighbours(all.map((each) => each.path))]);
  return all.find((_, index) => samePath(real[index] ?? '', place));
}
