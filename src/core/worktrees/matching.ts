import { resolve } from 'node:path';
import { realPathOf } from '../base/paths.ts';
import type { Registry, RegistryEntry } from '../repository/registry.ts';
import type { ActiveWorktree } from '../repository/stateFile.ts';

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

/**
 * Finds the worktrees that the registry and the state file mean: those at the same place on disk, however it is spelled.
 *
 * @param mainRoot where paths that are not absolute start.
 */
export async function matchRecords(
  mainRoot: string,
  paths: readonly string[],
  registry: Registry | undefined,
  active: ActiveWorktree | undefined,
): Promise<Matches> {
  const find = finder(mainRoot, paths);
  const entries = new Map<number, NamedEntry>();
  for (const [name, entry] of registry?.worktrees ?? []) {
    const index = await find(entry.path);
    // The main working tree is nobody's to name, and of two entries for one place the first counts.
    if (index !== undefined && index > 0 && !entries.has(index)) entries.set(index, { name, entry });
  }
  return { entries, active: active && (await find(active.path)) };
}

/** Almost all paths are spelled alike; only for the others is the disk asked. */
function finder(mainRoot: string, paths: readonly string[]): (path: string) => Promise<number | undefined> {
  const written = new Map(paths.map((path, index) => [path, index]));
  let real: Promise<Map<string, number>> | undefined;
  return async (path) => {
    const absolute = resolve(mainRoot, path);
    const found = written.get(absolute);
    if (found !== undefined) return found;
    real ??= Promise.all(paths.map(realPathOf)).then((all) => new Map(all.map((each, index) => [each, index])));
    return (await real).get(await realPathOf(absolute));
  };
}
