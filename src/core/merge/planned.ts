import type { Git } from '../git/git.ts';
import type { GitOptions } from '../git/gitProcess.ts';
import { parseMerge, type TriedMerge } from '../git/mergePairs.ts';
import { parseShortStatus, type ShortEntry } from '../git/status.ts';
import { dirtyLine } from '../worktree/cleanTree.ts';
import { isGitlink, parseTreeChanges } from '../git/treeDiff.ts';

/** What a merge of two commits will do to the files. */
export interface PlannedMerge extends Pick<TriedMerge, 'versions'> {
  /** The tree that git makes of them, conflicts with their markers included. */
  readonly tree: string;
  /** The paths that differ from ours, submodules apart. */
  readonly touched: readonly string[];
}

/**
 * What git will make of a merge, without doing it.
 *
 * @returns `undefined` for histories that have nothing in common.
 */
export async function planMerge(
  git: Git,
  options: GitOptions,
  ours: string,
  theirs: string,
): Promise<PlannedMerge | undefined> {
  const merged = await git.run(['merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs], options);
  if (merged.exitCode > 1 || merged.stdout === '') return undefined;
  const { tree, versions } = parseMerge(merged);
  const changes = parseTreeChanges(
    await git.text(['diff-tree', '-r', '-z', '--raw', '--no-renames', ours, tree], options),
  );
  return { tree, versions, touched: changes.filter((change) => !isGitlink(change)).map(({ path }) => path) };
}

/**
 * The files that a merge touches and that are not committed now, as `git status` writes them.
 *
 * @param but paths that do not count.
 */
export async function stillChanged(
  git: Git,
  root: string,
  { touched }: PlannedMerge,
  but: readonly string[],
): Promise<string[]> {
  const ofMerge = new Set(touched);
  return (await trackedChanges(git, root))
    .filter(({ path }) => ofMerge.has(path) && !but.includes(path))
    .map(dirtyLine);
}

/** What differs from what is committed in a working tree, of the files that git knows; submodules apart. */
export async function trackedChanges(git: Git, root: string): Promise<ShortEntry[]> {
  const how = ['--porcelain', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all'];
  return parseShortStatus(await git.text(['-c', 'core.fsmonitor=false', 'status', ...how], { cwd: root }));
}
