import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';
import { isWithin, relativeTo, samePath, samePlaceNow } from '../base/paths.ts';
import { gitFileTarget } from '../git/gitFile.ts';
import { readRegistry, type RegistryEntry } from '../repository/registry.ts';
import type { Workspace } from './workspace.ts';
import { lookAt, namesAdminDir, type LocationState } from './condition.ts';

/** The folder of a worktree, found where git did not look for it. */
export interface FoundFolder extends LocationState {
  readonly path: string;
}

/** What a removal has staged and what its undo builds name the worktree as well, and are not it. */
const ofOurs = /^\.(trash|restore)-/;

/** In folders with more entries than this nobody keeps worktrees side by side. */
const mostSiblings = 2000;

/**
 * Finds worktrees that are not where git has them on record: the repository was moved or is mounted elsewhere, or the folder was renamed
 * by hand. Where to look is a guess; the `.git` file of a folder that names git's admin directory is the proof.
 *
 * One finder serves one listing: what it reads of the disk it reads once.
 */
export class FolderFinder {
  readonly #workspace: Workspace;
  #recorded: Promise<ReadonlyMap<string, RegistryEntry>> | undefined;
  readonly #scans = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /**
   * @param gitDir git's admin directory of the worktree.
   * @param written the absolute path that git has on record.
   * @returns `undefined` when it is nowhere, or when several folders found by searching claim to be it.
   */
  async find(gitDir: string, written: string): Promise<FoundFolder | undefined> {
    for (const path of await this.#likely(gitDir, written)) {
      const found = await this.#isIt(path, gitDir, written);
      if (found) return found;
    }
    const searched = new Set<string>();
    for (const folder of this.#neighbourhood(written)) {
      const claims = (await this.#scan(folder)).get(basename(gitDir)) ?? [];
      for (const path of claims)
        if (![...searched].some((each) => samePlaceNow(each, path)) && (await this.#isIt(path, gitDir, written)))
          searched.add(path);
    }
    const [only, ...others] = searched;
    return only === undefined || others.length > 0 ? undefined : this.#isIt(only, gitDir, written);
  }

  /** Where it most likely is, the best first. */
  async #likely(gitDir: string, written: string): Promise<Set<string>> {
    const { repository, here } = this.#workspace;
    const { mainRoot } = repository;
    const entry = (await this.#entries()).get(basename(gitDir));
    const parts = written.slice(parse(written).root.length).split(sep);
    // The same place below the main root, or beside it, as before the repository was moved.
    const tails = parts.map((_, index) => parts.slice(index)).filter((tail) => tail.length <= 6);
    return new Set([
      ...(here?.gitDir === gitDir ? [here.root] : []),
      ...(entry ? [entry.path] : []),
      ...tails.map((tail) => join(mainRoot, ...tail)),
      ...tails.filter((tail) => tail.length <= 3).map((tail) => join(dirname(mainRoot), ...tail)),
    ]);
  }

  /** The registry's entries by the id of their worktree. */
  #entries(): Promise<ReadonlyMap<string, RegistryEntry>> {
    this.#recorded ??= readRegistry(this.#workspace.repository).then(
      ({ worktrees }) => new Map([...worktrees.values()].flatMap((entry) => (entry.id ? [[entry.id, entry]] : []))),
      // Whoever needs the registry itself tells that it cannot be read.
      () => new Map<string, RegistryEntry>(),
    );
    return this.#recorded;
  }

  /** Folders that may hold it under another name. */
  #neighbourhood(written: string): Set<string> {
    const { mainRoot } = this.#workspace.repository;
    return new Set([dirname(written), join(mainRoot, '.worktrees')]);
  }

  /** The folders in a folder whose `.git` is a file that names an admin directory, by its name. */
  #scan(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
    let scan = this.#scans.get(folder);
    if (!scan) this.#scans.set(folder, (scan = scanFolder(folder)));
    return scan;
  }

  async #isIt(path: string, gitDir: string, written: string): Promise<FoundFolder | undefined> {
    const { commonDir, mainRoot } = this.#workspace.repository;
    const place = await lookAt(path, gitDir, commonDir);
    if (place.condition === 'fine') return { ...place, path };
    if (place.condition !== 'moved') return undefined;
    // A name alone is weak proof far away: there the two must lie to one another as they did when they were made.
    if (isWithin(mainRoot, path) || (await movedTogether(path, gitDir, written, commonDir))) return { ...place, path };
    return undefined;
  }
}

async function scanFolder(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.length > mostSiblings) return found;
  const folders = entries
    .filter((entry) => entry.isDirectory() && !ofOurs.test(entry.name))
    .map((entry) => join(folder, entry.name));
  await Promise.all(
    folders.map(async (path) => {
      const target = await pointerOf(path);
      if (target === undefined || basename(dirname(target)) !== 'worktrees') return;
      found.set(basename(target), [...(found.get(basename(target)) ?? []), path]);
    }),
  );
  return found;
}

/** Whether the `.git` file's old path to the admin directory and git's old path to the folder fit where both are now. */
async function movedTogether(path: string, gitDir: string, written: string, commonDir: string): Promise<boolean> {
  const target = await pointerOf(path);
  if (target === undefined || !namesAdminDir(target, gitDir)) return false;
  if (samePath(path, written)) return true;
  return relativeTo(dirname(dirname(target)), written) === relativeTo(commonDir, path);
}

async function pointerOf(path: string): Promise<string | undefined> {
  const target = gitFileTarget(await readFile(join(path, '.git'), 'utf8').catch(() => ''));
  return target === undefined ? undefined : resolve(path, target);
}
