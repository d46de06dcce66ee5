import { resolve } from 'node:path';
import { realPathOf, samePath } from '../base/paths.ts';
import { realNeighbours } from '../base/realNeighbours.ts';
import type { Registry, RegistryEntry } from '../repository/registry.ts';
import type { ActiveWorktree } from '../repository/stateFile.ts';
import type { Listing } from './worktreeList.ts';

/** An entry of the registry with its name. */
export interface NamedEntry {
  readonly name: string;
  readonly entry: RegistryEntry;
}

/** What the product's own files say of the worktrees, by their place in the list. */
export interface Matches {
  readonly entries: ReadonlyMap<number, NamedEntry>;
  readonly active: number | undefined;
}

/** Of a working tree what tells which entry is its own. */
export type Identified = Pick<Listing, 'id' | 'path' | 'branch'>;

/**
 * Finds the worktrees that the registry and the state file mean. An entry belongs to the worktree with its id. Where the entry has none,
 * or git knows no such id any more, branch and path help: both together, else the branch, which is checked out but once, else the path.
 *
 * @param mainRoot where paths that are not absolute start.
 * @param listing the main working tree first: it is nobody's to name.
 */
export async function matchRecords(
  mainRoot: string,
  listing: readonly Identified[],
  registry: Registry | undefined,
  active: ActiveWorktree | undefined,
): Promise<Matches> {
  const at = finder(
    mainRoot,
    listing.map(({ path }) => path),
  );
  const entries = new Map<number, NamedEntry>();
  const open = new Set([...(registry?.worktrees ?? [])].map(([name, entry]): NamedEntry => ({ name, entry })));
  const take = (named: NamedEntry, index: number | undefined): void => {
    if (index === undefined || index <= 0 || entries.has(index)) return;
    entries.set(index, named);
    open.delete(named);
  };
  const byId = new Map(listing.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index] as const])));
  for (const named of open) if (named.entry.id !== undefined) take(named, byId.get(named.entry.id));
  // An entry whose worktree has another entry already lost it to one with a better claim.
  for (const named of open) if (named.entry.id !== undefined && byId.has(named.entry.id)) open.delete(named);
  const byBranch = new Map<string, number[]>();
  for (const [index, { branch }] of listing.entries())
    if (index > 0 && branch !== undefined) byBranch.set(branch, [...(byBranch.get(branch) ?? []), index]);
  for (const named of open) {
    const index = await at(named.entry.path);
    if (index !== undefined && listing[index]?.branch === named.entry.branch) take(named, index);
  }
  for (const named of open) {
    const [index, ...others] = byBranch.get(named.entry.branch) ?? [];
    if (others.length === 0) take(named, index);
  }
  for (const named of open) take(named, await at(named.entry.path));
  if (!active) return { entries, active: undefined };
  const main = listing[0]?.branch === active.branch && active.branch !== '' ? [0] : [];
  const [sameBranch, ...others] = byBranch.get(active.branch) ?? main;
  return { entries, active: (await at(active.path)) ?? (others.length === 0 ? sameBranch : undefined) };
}

/** Almost all paths are spelled alike; only for the others is the disk asked. */
function finder(mainRoot: string, paths: readonly string[]): (path: string) => Promise<number | undefined> {
  const written = new Map(paths.map((path, index) => [path, index]));
  let real: Promise<string[]> | undefined;
  return async (path) => {
    const absolute = resolve(mainRoot, path);
    const found = written.get(absolute);
    if (found !== undefined) return found;
    real ??= realNeighbours(paths);
    const wanted = await realPathOf(absolute);
    const index = (await real).findIndex((each) => samePath(each, wanted));
    return index < 0 ? undefined : index;
  };
}
