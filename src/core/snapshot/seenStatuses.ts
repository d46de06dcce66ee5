import { setImmediate as pause } from 'node:timers/promises';
import type { Environment } from '../base/environment.ts';
import { stopIfCancelled } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { ruleOn } from '../git/ignoreFile.ts';
import { readOwnIgnoreFile } from '../git/ownIgnoreFile.ts';
import type { StatusEntry } from '../git/status.ts';
import { Looks, type TreeLook } from './workingFiles.ts';

/** A working tree, its git directory and the commit that it is on. */
export interface LookedAt {
  readonly path: string;
  readonly gitDir: string;
  readonly head: string | undefined;
}

/** What the looks go by. */
interface LookOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** The trees of commits that are known from earlier, to which new ones are added. */
  readonly known?: Map<string, string> | undefined;
  /** Awaited at first, and whenever this thread has worked for some milliseconds. */
  readonly beforeEach?: (() => Promise<void>) | undefined;
  /** Told of each tree before it is looked at, by its path. */
  readonly onLook: (path: string) => void;
}

/** With fewer trees the process that this takes is no gain, unless it is spared the next time. */
const fewest = 3;
/** How long this thread may be held up at a time (ms). */
const longestHold = 8;
/** So many trees of commits are remembered at most. */
const mostKnown = 20_000;

/**
 * Finds out what `git status` would say of working trees without starting it for each, which is what most of a listing's time goes to.
 *
 * Nothing is uncommitted where all tracked files look as git's index has them on record (gitformat-index(5): kind, mode, times, inode,
 * owner, size), nothing else is there but what plain ignore rules name, and the index is that of the tree's commit. A file that was
 * written at the moment of the index or later is in doubt, as for git ("racy git"); moments are compared to the nanosecond, as by libgit2.
 * A tracked file of another size is changed, and one that is not there is deleted. Whatever else is different, or in doubt, is left to git.
 *
 * @returns what is uncommitted, in the order of the paths, by the path of each tree of which it is sure.
 * @throws Problem `cancelled`.
 */
export async function seeStatuses(
  git: Git,
  commonDir: string,
  trees: readonly LookedAt[],
  { environment, known, signal, beforeEach, onLook }: LookOptions,
): Promise<Map<string, readonly StatusEntry[]>> {
  const committed = known ?? new Map<string, string>();
  const heads = new Set(trees.flatMap(({ head }) => head ?? []).filter((head) => !committed.has(head)));
  if (trees.length === 0 || (heads.size > 0 && !known && trees.length < fewest)) return new Map();
  await beforeEach?.();
  // While git works, this thread looks at files.
  const reading = readTrees(git, commonDir, heads, signal);
  reading.catch(() => undefined);
  const looks = new Looks(commonDir, environment.platform);
  const found = new Map<string, TreeLook>();
  let begun = performance.now();
  for (const { path, gitDir } of trees) {
    onLook(path);
    const look = looks.at(path, gitDir);
    if (look) found.set(path, look);
    if (looks.areDear) break;
    if (performance.now() - begun < longestHold) continue;
    await pause();
    await beforeEach?.();
    stopIfCancelled(signal);
    begun = performance.now();
  }
  if (committed.size > mostKnown) committed.clear();
  for (const [commit, tree] of await reading) committed.set(commit, tree);
  const seen = trees.flatMap(({ path, head = '' }) => {
    const look = found.get(path);
    return look && look.tree === committed.get(head) ? [{ path, look }] : [];
  });
  const inDoubt = seen.filter(({ look }) => look.doubts.length > 0);
  const own = inDoubt.length < 2 ? undefined : await readOwnIgnoreFile(git, commonDir, { environment, signal });
  const isIgnored = (path: string): boolean => own !== undefined && ruleOn(own, path) === 'ignored';
  const sure = seen.filter(({ look }) => look.doubts.every(isIgnored));
  return new Map(sure.map(({ path, look }) => [path, look.entries]));
}

/** The trees of those commits that exist, in one process. */
async function readTrees(
  git: Git,
  commonDir: string,
  commits: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  if (commits.size === 0) return new Map();
  const args = [
    'rev-list',
    '--no-walk=unsorted',
    '--no-commit-header',
    '--format=%H %T',
    '--ignore-missing',
    '--stdin',
  ];
  const { stdout } = await git.in(commonDir).run(args, { input: `${[...commits].join('\n')}\n`, signal });
  return new Map(stdout.split('\n').map((line) => line.split(' ') as [commit: string, tree: string]));
}
