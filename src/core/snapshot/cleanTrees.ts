import { setImmediate as pause } from 'node:timers/promises';
import type { Environment } from '../base/environment.ts';
import { stopIfCancelled } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { ruleOn } from '../git/ignoreRules.ts';
import { readOwnIgnoreRules } from '../git/ownIgnoreRules.ts';
import { Looks, type Look } from './workingFiles.ts';

/** A working tree, its git directory and the commit that it is on. */
export interface PossiblyClean {
  readonly path: string;
  readonly gitDir: string;
  readonly head: string | undefined;
}

/** What the looks go by. */
interface LookOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Awaited at first, and whenever this thread has worked for some milliseconds. */
  readonly beforeEach?: (() => Promise<void>) | undefined;
  /** Told of each tree before it is looked at, by its path. */
  readonly onLook: (path: string) => void;
}

/** With fewer trees the one process that this takes is no gain. */
const fewest = 3;
/** How long this thread may be held up at a time (ms). */
const longestHold = 8;

/**
 * Finds working trees that are clean without a `git status` for each, which is what most of a listing's time goes to.
 *
 * A tree is clean when all of its tracked files look as git's index has them on record (gitformat-index(5): kind, mode, times, inode,
 * owner, size), nothing else is there but what plain ignore rules name, and the index is that of the tree's commit. A file that was
 * written at the moment of the index or later is in doubt, as for git ("racy git"); moments are compared to the nanosecond, as by libgit2.
 * Whatever is in doubt is left to git: a tree that is not among those given may be clean as well.
 *
 * @returns the paths of trees that surely are clean.
 * @throws Problem `cancelled`.
 */
export async function findCleanTrees(
  git: Git,
  commonDir: string,
  trees: readonly PossiblyClean[],
  { environment, signal, beforeEach, onLook }: LookOptions,
): Promise<Set<string>> {
  const heads = new Set(trees.flatMap(({ head }) => head ?? []));
  if (trees.length < fewest || heads.size === 0) return new Set();
  await beforeEach?.();
  // While git works, this thread looks at files.
  const reading = readTrees(git, commonDir, heads, signal);
  reading.catch(() => undefined);
  const looks = new Looks(commonDir, environment.platform);
  const found = new Map<string, Look>();
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
  const committed = await reading;
  const clean = trees.filter(({ path, head = '' }) => found.has(path) && found.get(path)?.tree === committed.get(head));
  const inDoubt = clean.filter(({ path }) => found.get(path)?.doubts.length !== 0);
  const own = inDoubt.length < 2 ? undefined : await readOwnIgnoreRules(git, commonDir, { environment, signal });
  const isIgnored = (path: string): boolean => own !== undefined && ruleOn(own, path) === 'ignored';
  return new Set(clean.filter(({ path }) => found.get(path)?.doubts.every(isIgnored)).map(({ path }) => path));
}

/** The trees of those commits that exist, in one process. */
async function readTrees(
  git: Git,
  commonDir: string,
  commits: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
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
