import { basename } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { upFrom } from '../base/paths.ts';
import { isDeviceName } from '../base/windowsNames.ts';
import { distinctSlugOf, formerSlugOf, slugOf } from '../repository/slug.ts';

/** A linked worktree that needs a name. */
export interface Nameless {
  readonly path: string;
  readonly branch: string | undefined;
  /** Its name in the registry. */
  readonly registered: string | undefined;
}

/** What people call a worktree, and the word that stands for it in paths. Each is used once among the linked worktrees. */
export interface Naming {
  readonly name: string;
  readonly slug: string;
}

/**
 * Names linked worktrees: as the registry has it, else after the folder. Where several folders are called the same, each of
 * them is called after its branch, or by as much of its path as tells them apart. Files are called like slugs, so on Windows
 * no slug is a device.
 */
export function nameWorktrees(all: readonly Nameless[], platform: Environment['platform']): Naming[] {
  const taken = new Set(all.flatMap(({ registered }) => registered ?? []));
  const folders = countOf(all.filter(({ registered }) => registered === undefined).map(({ path }) => basename(path)));
  const branches = countOf(all.map(({ branch }) => branch));
  const names = all.map((each) => {
    if (each.registered !== undefined) return each.registered;
    for (const name of candidates(each, folders, branches)) {
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
    return each.path;
  });
  const slugs = slugsFor(all, names, platform);
  return names.map((name, index) => ({ name, slug: slugs.get(index) ?? slugOf(name) }));
}

function* candidates(
  { path, branch }: Nameless,
  folders: ReadonlyMap<string, number>,
  branches: ReadonlyMap<string, number>,
): Generator<string> {
  let tail = basename(path);
  if (folders.get(tail) === 1) yield tail;
  if (branch !== undefined && branches.get(branch) === 1) yield branch;
  for (const at of [...upFrom(path)].slice(1, -1)) {
    tail = `${basename(at)}/${tail}`;
    yield tail;
  }
}

/** Of the two slugs that a name can have, a worktree has the one that its folder was made with. */
function slugsFor(
  all: readonly Nameless[],
  names: readonly string[],
  platform: Environment['platform'],
): Map<number, string> {
  const isDevice = (slug: string): boolean => platform === 'win32' && isDeviceName(slug);
  const slugs = new Map<number, string>();
  const taken = new Set<string>();
  const give = (index: number, slug: string): void => {
    slugs.set(index, slug);
    taken.add(slug);
  };
  // Folders that are called like a slug have the first claim to it.
  for (const [index, { path }] of all.entries()) {
    const name = names[index] ?? path;
    const folder = basename(path);
    const plain = slugOf(name);
    const former = formerSlugOf(name);
    const possible = folder === plain || folder === former ? [folder] : [distinctSlugOf(name), plain];
    const slug = possible.find((each) => folder.includes(each) && !isDevice(each));
    if (slug !== undefined && !taken.has(slug)) give(index, slug);
  }
  for (const [index, { path }] of all.entries()) {
    if (slugs.has(index)) continue;
    const name = names[index] ?? path;
    const plain = slugOf(name);
    give(index, taken.has(plain) || isDevice(plain) ? free(distinctSlugOf(name), taken) : plain);
  }
  return slugs;
}

function free(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

function countOf(values: readonly (string | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
