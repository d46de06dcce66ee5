import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { parseStatus, type StatusEntry } from '../git/status.ts';
import type { Changes } from './model.ts';
import type { SnapshotCache } from './snapshotCache.ts';

/** A working tree whose changes are to be read. */
export interface WorkingTree {
  readonly path: string;
  readonly gitDir: string;
  readonly head: string | undefined;
  readonly modules: boolean;
}

/** The changes, or why they could not be read. */
export type ChangesAnswer = { readonly changes: Changes } | { readonly trouble: string };

/**
 * Reads how many paths differ from the last commit. Git is told the git directory, so that a folder that has just been
 * replaced is never taken for the repository around it.
 *
 * @param shared what outside of the tree the answer depends on; only for the cache.
 * @throws Problem `cancelled`; every other failure is an answer.
 */
export async function readChanges(
  git: Git,
  tree: WorkingTree,
  shared: string,
  options: { readonly cache: SnapshotCache | undefined; readonly signal: AbortSignal | undefined },
): Promise<ChangesAnswer> {
  const { cache, signal } = options;
  // The state of a submodule is in its own repository, whose files nobody watches.
  const stamp = cache && !tree.modules ? await stampOf(tree, shared) : undefined;
  const known = stamp === undefined ? undefined : cache?.known(tree.path, stamp);
  if (known) return { changes: known };
  const keep = stamp === undefined ? undefined : cache?.reading(tree.path, stamp);
  try {
    const args = [`--git-dir=${tree.gitDir}`, `--work-tree=${tree.path}`, 'status', '--porcelain=v2', '-z'];
    const output = await git.text([...args, '--untracked-files=normal'], { cwd: tree.path, signal });
    const changes = countChanges(parseStatus(output).entries);
    keep?.(changes);
    return { changes };
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return { trouble: [thrown.message, ...thrown.items].slice(0, 2).join(' ') };
  }
}

/** Counts the entries of a status by kind. */
export function countChanges(entries: readonly StatusEntry[]): Changes {
  const tracked = entries.filter(({ kind }) => kind === 'changed' || kind === 'renamed');
  const untracked = entries.filter(({ kind }) => kind === 'untracked').length;
  const conflicts = entries.filter(({ kind }) => kind === 'unmerged').length;
  return {
    total: tracked.length + untracked + conflicts,
    staged: tracked.filter(({ code }) => code[0] !== '.').length,
    unstaged: tracked.filter(({ code }) => code[1] !== '.').length,
    untracked,
    conflicts,
    submodules: entries.filter(({ submodule }) => submodule?.modified || submodule?.untracked).length,
  };
}

/** What the answer depends on outside of all working trees: configuration and the repository's own ignore rules. */
export async function sharedStamp(commonDir: string): Promise<string> {
  return (await Promise.all([join(commonDir, 'config'), join(commonDir, 'info', 'exclude')].map(fileStamp))).join('/');
}

async function stampOf(tree: WorkingTree, shared: string): Promise<string> {
  return `${shared}/${await fileStamp(join(tree.gitDir, 'index'))}/${tree.head ?? ''}`;
}

async function fileStamp(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found ? `${found.mtimeMs}:${found.ctimeMs}:${found.size}:${found.ino}` : '';
}
