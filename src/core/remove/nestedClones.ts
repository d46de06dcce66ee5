import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { passedOver } from '../trash/changedCopies.ts';
import { readCloneWork, storeOf, type LocalWork } from './localWork.ts';
import { inTree, type Tree, type TreeState } from '../worktree/treeState.ts';

/**
 * Finds repositories that somebody has put into a worktree and that hold work of their own: anywhere in untracked folders, and in
 * ignored folders or directly below them.
 *
 * @param known real paths of worktrees that are inspected elsewhere.
 */
export async function findNestedClones(
  git: Git,
  tree: Tree,
  state: TreeState,
  known: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<LocalWork[]> {
  const [inUntracked, inIgnored] = await Promise.all([
    clonesInUntracked(git, tree, state.uncommitted, signal),
    Promise.all(state.ignored.map((path) => clonesInIgnored(tree.path, path))),
  ]);
  const paths = [...inUntracked, ...inIgnored.flat()].filter((path) => !known.has(join(tree.path, path)));
  const work = await Promise.all(paths.map((path) => readCloneWork(git, tree.path, path, signal)));
  return work.filter((each) => each !== undefined);
}

/** Git lists the files of untracked folders, but a repository among them as a folder. */
export async function clonesInUntracked(
  git: Git,
  tree: Tree,
  uncommitted: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const folders = uncommitted.filter((path) => path.endsWith('/'));
  if (folders.length === 0) return [];
  const args = ['--literal-pathspecs', 'ls-files', '-z', '--others', '--exclude-standard', '--', ...folders];
  const paths = await git.nul(inTree(tree, ...args), { cwd: tree.path, signal });
  return paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
}

async function clonesInIgnored(root: string, path: string): Promise<string[]> {
  const name = path.replace(/\/$/, '');
  if (name === path || passedOver.has(name.slice(name.lastIndexOf('/') + 1))) return [];
  if (await storeOf(join(root, name))) return [name];
  const entries = await readdir(join(root, name), { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !passedOver.has(entry.name));
  const clones = await Promise.all(
    folders.map(async (entry) => {
      const found = await lstat(join(root, name, entry.name, '.git')).catch(() => undefined);
      return found ? `${name}/${entry.name}` : undefined;
    }),
  );
  return clones.filter((clone) => clone !== undefined);
}
