import { join } from 'node:path';
import { diskUsage, type Met } from '../base/diskUsage.ts';
import { isWithin, samePath } from '../base/paths.ts';
import type { Git } from '../git/git.ts';
import type { Worktree } from './model.ts';
import { readFingerprint } from './treeState.ts';

/** How much room a worktree takes on its disk. */
export interface WorktreeSize {
  /** What removing it gives back, in bytes; of the main working tree its files, without git's own. */
  readonly bytes: number;
  /** How much of that git ignores. */
  readonly ignored: number;
  /** All of it could be read. */
  readonly whole: boolean;
}

/** What was measured of a worktree, and what git ignores in it. */
export interface MeasuredWorktree {
  readonly size: WorktreeSize;
  /** The bytes of each ignored file and folder, by its absolute path. */
  readonly parts: ReadonlyMap<string, number>;
  /** Ignored files and folders, as git lists them: relative, a folder with a slash at its end. */
  readonly ignored: readonly string[];
  /** When a file in it was last written, in milliseconds since 1970. */
  readonly newest: number;
}

/** How a worktree is measured. */
export interface MeasureOptions {
  /** All worktrees: those that lie in this one are measured by themselves. */
  readonly all: readonly Pick<Worktree, 'path'>[];
  readonly signal?: AbortSignal | undefined;
  /** So many folders are read at the same time. */
  readonly atOnce?: number;
  readonly onMeet?: (met: Met) => void;
  /** Ignored folders that are measured by themselves, although git names one above: relative to the worktree. */
  readonly parts?: readonly string[];
}

/**
 * Measures a worktree: reads every folder of it, and writes nothing.
 *
 * @returns `undefined` where there is no working tree to measure.
 * @throws Problem `cancelled`; git's own, when it cannot tell what it ignores.
 */
export async function measureWorktree(
  git: Git,
  worktree: Pick<Worktree, 'path' | 'main' | 'bare' | 'condition' | 'gitDir'>,
  { all, parts: own = [], ...options }: MeasureOptions,
): Promise<MeasuredWorktree | undefined> {
  const { path, main, bare, condition, gitDir } = worktree;
  if (bare || condition !== 'fine' || gitDir === undefined) return undefined;
  const { ignored } = await readFingerprint(git, { path, gitDir }, options.signal);
  const inside = all.filter((each) => !samePath(each.path, path) && isWithin(path, each.path));
  const except = new Set([...inside.map((each) => each.path), ...(main ? [join(path, '.git'), gitDir] : [])]);
  const parts = new Set([...ignored, ...own].map((each) => join(path, each.replace(/\/$/, ''))));
  const usage = await diskUsage([path], { ...options, except, parts });
  // What git has of a linked worktree goes with it.
  const admin = main ? undefined : await diskUsage([gitDir], { signal: options.signal });
  const bytes = usage.bytes + (admin?.bytes ?? 0);
  const whole = usage.unread + (admin?.unread ?? 0) === 0;
  return { size: { bytes, ignored: usage.inParts, whole }, parts: usage.parts, newest: usage.newest, ignored };
}
