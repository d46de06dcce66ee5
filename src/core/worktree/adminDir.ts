import { join, resolve, sep } from 'node:path';
import { readNames, readText } from '../base/manyFiles.ts';
import { resolveFrom } from '../base/paths.ts';
import type { ListedWorktree } from '../git/worktreeList.ts';
import type { GitOperation } from './model.ts';

/** The file of an admin directory that says which files a sparse checkout has, relative to it. */
export const sparsePatterns = 'info/sparse-checkout';

/** What git keeps of one working tree, read from its git directory. */
export interface Administration {
  /** The git directory of the working tree. */
  readonly gitDir: string;
  /** What its file `gitdir` says, without the last `/.git`: the path as git lists it, possibly relative to the git directory. */
  readonly written: string | undefined;
  readonly operation: GitOperation | undefined;
  /** The branch that the operation took off `HEAD` and will put back. */
  readonly heldBranch: string | undefined;
  /** It has submodules whose repositories are kept here. */
  readonly modules: boolean;
}

/** The git directories of all linked worktrees, in no order; one without a record of its path is left out, as git does. */
export async function readAdministrations(commonDir: string): Promise<Administration[]> {
  const folder = join(commonDir, 'worktrees');
  const names = await readNames(folder).catch(() => []);
  const all = await Promise.all(
    names.map(async (name) => {
      // `join` would take the whole path to pieces, for each of them.
      const gitDir = folder + sep + name;
      const text = await textOf(`${gitDir}${sep}gitdir`);
      if (text === undefined) return undefined;
      return readAdministration(gitDir, text.replace(/[\r\n]+$/, '').replace(/[\\/]\.git$/, ''));
    }),
  );
  return all.filter((each) => each !== undefined);
}

/** One git directory: a single listing tells what is under way in it. */
export async function readAdministration(gitDir: string, written?: string): Promise<Administration> {
  const entries = new Set(await readNames(gitDir).catch(() => []));
  const operation = await operationIn(gitDir, entries);
  return {
    gitDir,
    written,
    operation,
    heldBranch: operation && (await heldBranch(gitDir, entries, operation)),
    modules: entries.has('modules'),
  };
}

/** Finds git's record of each listed worktree. */
export class Administrations {
  readonly #byPath = new Map<string, Administration[]>();

  constructor(all: readonly Administration[]) {
    for (const each of all) {
      if (each.written === undefined) continue;
      // Git before 2.48 lists a relative path as it is written, later versions make it absolute.
      for (const path of new Set([each.written, resolveFrom(each.gitDir, each.written)])) {
        const same = this.#byPath.get(path);
        if (same) same.push(each);
        else this.#byPath.set(path, [each]);
      }
    }
  }

  /** The record of a listed worktree. Two may name one path, after a folder was moved onto another's; then `HEAD` tells. */
  async of(listed: ListedWorktree): Promise<Administration | undefined> {
    const [first, ...others] = this.#byPath.get(listed.path) ?? this.#byPath.get(resolve(listed.path)) ?? [];
    if (!first || others.length === 0) return first;
    const wanted = listed.branch === undefined ? listed.head : `ref: refs/heads/${listed.branch}`;
    for (const each of [first, ...others]) {
      if ((await textOf(join(each.gitDir, 'HEAD')))?.trim() === wanted) return each;
    }
    return first;
  }
}

/** The absolute path of a listed worktree. */
export function absolutePath(listed: ListedWorktree, administration: Administration | undefined): string {
  return administration ? resolveFrom(administration.gitDir, listed.path) : resolve(listed.path);
}

async function operationIn(gitDir: string, entries: ReadonlySet<string>): Promise<GitOperation | undefined> {
  if (entries.has('rebase-merge')) return 'rebase';
  if (entries.has('rebase-apply')) {
    return (await textOf(join(gitDir, 'rebase-apply', 'applying'))) === undefined ? 'rebase' : 'am';
  }
  if (entries.has('MERGE_HEAD')) return 'merge';
  if (entries.has('CHERRY_PICK_HEAD')) return 'cherry-pick';
  if (entries.has('REVERT_HEAD')) return 'revert';
  if (entries.has('sequencer')) {
    // Between two commits of a series there is no *_HEAD; the list of what is left tells which kind it is.
    const todo = await textOf(join(gitDir, 'sequencer', 'todo'));
    if (todo !== undefined) return /^revert /m.test(todo) ? 'revert' : 'cherry-pick';
  }
  return entries.has('BISECT_LOG') ? 'bisect' : undefined;
}

async function heldBranch(
  gitDir: string,
  entries: ReadonlySet<string>,
  operation: GitOperation,
): Promise<string | undefined> {
  if (operation === 'rebase') {
    const folder = entries.has('rebase-merge') ? 'rebase-merge' : 'rebase-apply';
    const name = (await textOf(join(gitDir, folder, 'head-name')))?.trim();
    return name?.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : undefined;
  }
  if (operation === 'bisect') {
    const start = (await textOf(join(gitDir, 'BISECT_START')))?.trim().replace(/^refs\/heads\//, '');
    return start === undefined || start === '' || /^[0-9a-f]{40,64}$/.test(start) ? undefined : start;
  }
  return undefined;
}

async function textOf(file: string): Promise<string | undefined> {
  return readText(file).catch(() => undefined);
}
