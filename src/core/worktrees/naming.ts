import { basename, dirname } from 'node:path';
import { distinctSlugOf, slugOf } from '../repository/slug.ts';

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
 * them is called after its branch, or by as much of its path as tells them apart.
 */
export function nameWorktrees(all: readonly Nameless[]): Naming[] {
  const taken = new Set(all.flatMap(({ registered }) => registered ?? []));
  const names = all.map(({ registered }) => registered);
  const folders = countOf(all.filter(({ registered }) => registered === undefined).map(({ path }) => basename(path)));
  const branches = countOf(all.map(({ branch }) => branch));
  for (const [index, { path, branch }] of all.entries()) {
    if (names[index] !== undefined) continue;
    const folder = basename(path);
    const plain = folders.get(folder) === 1 ? [folder] : [];
    const byBranch = branch !== undefined && branches.get(branch) === 1 ? [branch] : [];
    const name = [...plain, ...byBranch, ...tailsOf(path)].find((candidate) => !taken.has(candidate)) ?? path;
    names[index] = name;
    taken.add(name);
  }
  return withSlugs(all, names);
}

/** The slug of a name and a path: which of the two that a name can have is the one that its folder was made with. */
function withSlugs(all: readonly Nameless[], names: readonly (string | undefined)[]): Naming[] {
  const taken = new Set<string>();
  const slugs = new Map<number, string>();
  const give = (index: number, slug: string): void => {
    slugs.set(index, slug);
    taken.add(slug);
  };
  const wanted = all.map(({ path }, index) => {
    const name = names[index] ?? path;
    const folder = basename(path);
    return folder.includes(distinctSlugOf(name)) ? distinctSlugOf(name) : slugOf(name);
  });
  // Folders that are called like the slug have the first claim to it.
  for (const byFolder of [true, false]) {
    for (const [index, { path }] of all.entries()) {
      const slug = wanted[index] ?? '';
      if (slugs.has(index) || (byFolder && !basename(path).includes(slug))) continue;
      if (!taken.has(slug)) give(index, slug);
      else if (!byFolder) give(index, free(distinctSlugOf(names[index] ?? path), taken));
    }
  }
  return all.map(({ path }, index) => ({ name: names[index] ?? path, slug: slugs.get(index) ?? '' }));
}

function free(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

/** Longer and longer ends of a path, from its last two parts on. */
function tailsOf(path: string): string[] {
  const tails: string[] = [];
  let tail = basename(path);
  for (let at = dirname(path); dirname(at) !== at; at = dirname(at)) {
    tail = `${basename(at)}/${tail}`;
    tails.push(tail);
  }
  return tails;
}

function countOf(values: readonly (string | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
