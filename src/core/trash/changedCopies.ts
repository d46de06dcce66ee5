import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { rulesFor } from '../repository/ignoreRules.ts';
import { readPatterns } from '../create/copyIgnored.ts';
import { inTree, type Tree, type TreeState } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** Folders in which package managers keep what they can fetch again, and so many entries that reading them takes long. */
export const passedOver: ReadonlySet<string> = new Set(['node_modules']);

/** Ignored files that a person cares for: those that the patterns name by which new worktrees get copies. */
export interface Copies {
  /** All of them, relative to the worktree. */
  readonly found: readonly string[];
  /** Those that are not in the main working tree, or are different there. */
  readonly changed: readonly string[];
}

/**
 * Finds the ignored files of a worktree that exist only there, among those that were copied into it or might have been.
 *
 * @throws Problem when git cannot list them, `unreadable-file`.
 */
export async function readCopies(
  workspace: Workspace,
  tree: Tree,
  state: Pick<TreeState, 'ignored'>,
  signal?: AbortSignal,
): Promise<Copies> {
  const { configuration, git, repository } = workspace;
  const own = rulesFor(configuration).map(({ beginning }) => beginning);
  const isOwn = (path: string): boolean => own.some((beginning) => path.startsWith(beginning));
  const within = state.ignored.filter((path) => !isOwn(path) && !passedOver.has(path.split('/').at(-2) ?? ''));
  // Without a main working tree there was nothing to copy from.
  if (within.length === 0 || repository.bare) return { found: [], changed: [] };
  const patterns = await readPatterns(workspace);
  if (patterns.length === 0) return { found: [], changed: [] };
  const args = ['ls-files', '-z', '--others', '--ignored', ...patterns.flatMap((pattern) => ['--exclude', pattern])];
  const found: string[] = [];
  // A command line holds only so much.
  for (let start = 0; start < within.length; start += 500) {
    const some = within.slice(start, start + 500);
    const command = inTree(tree, '--literal-pathspecs', ...args, '--', ...some);
    const paths = await git.nul(command, { cwd: tree.path, signal });
    found.push(...paths.filter((path) => !path.endsWith('/') && !isOwn(path)));
  }
  return { found, changed: await findChanged(repository.mainRoot, tree.path, found) };
}

/** Of some files in a folder those that are not the same at the same path of the main working tree. */
export async function findChanged(mainRoot: string, folder: string, paths: readonly string[]): Promise<string[]> {
  const changed: string[] = [];
  for (const path of paths) if (!(await isAlike(join(mainRoot, path), join(folder, path)))) changed.push(path);
  return changed;
}

async function isAlike(one: string, other: string): Promise<boolean> {
  try {
    const [first, second] = await Promise.all([lstat(one), lstat(other)]);
    if (first.isSymbolicLink() && second.isSymbolicLink()) return (await readlink(one)) === (await readlink(other));
    if (!first.isFile() || !second.isFile() || first.size !== second.size) return false;
    const [text, otherText] = await Promise.all([readFile(one), readFile(other)]);
    return text.equals(otherText);
  } catch {
    return false;
  }
}
