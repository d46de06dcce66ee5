import { isWithin, realPathOf, relativeTo } from '../base/paths.ts';
import { isObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import { hasEndedRun } from '../repository/standing.ts';
import { readTracking } from '../repository/trackingFile.ts';
import { recordOf } from '../repository/trackingRecords.ts';
import { workOf } from '../snapshot/facts.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Why the work in a worktree is done: it was merged, or the workflow that ran there has ended. `undefined` while it is not, and where
 * something is under way or not committed: that has to be dealt with first.
 */
export function finishedBy(worktree: Worktree): 'merged' | 'ended' | undefined {
  const { main, condition, operation, changes, entry } = worktree;
  if (main || condition !== 'fine' || operation !== undefined || (changes?.total ?? 0) > 0) return undefined;
  if (workOf(worktree) === 'merged') return 'merged';
  return hasEndedRun(entry) ? 'ended' : undefined;
}

/**
 * The worktrees, of those that are given, whose removal may be offered when their work is done (`auto_cleanup`). Its own record decides for
 * each: that in the tracking file, where it can be edited; else what was said when it was made; else what the team has configured.
 */
export async function withAutoCleanup<T extends Pick<Worktree, 'path' | 'entry'>>(
  workspace: Workspace,
  worktrees: readonly T[],
): Promise<T[]> {
  if (worktrees.length === 0) return [];
  const { repository, configuration } = workspace;
  const { mainRoot } = repository;
  const records = await recordsOf(workspace);
  return worktrees.filter(({ path, entry }) => {
    const record = recordOf(records, relativeTo(mainRoot, path), mainRoot);
    const tracked = isObject(record) ? record['auto_cleanup'] : undefined;
    const said = [tracked, entry?.autoCleanup].find((each) => typeof each === 'boolean');
    return said ?? configuration.worktree.autoCleanup;
  });
}

/** A file that cannot be read decides nothing; doctor names it. */
async function recordsOf({ repository, configuration }: Workspace): Promise<readonly unknown[]> {
  try {
    return await readTracking(repository, configuration);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return [];
  }
}

/** Whether the removal of a worktree is to be offered now: its work is done, and `auto_cleanup` holds for it. */
export async function isRemovalOffered(workspace: Workspace, worktree: Worktree): Promise<boolean> {
  return finishedBy(worktree) !== undefined && (await withAutoCleanup(workspace, [worktree])).length > 0;
}

/**
 * Whether the removal of a worktree is to be offered because the workflow in it has just ended: nothing there is under way or uncommitted, and
 * `auto_cleanup` holds for it.
 */
export async function isRemovalOfferedAfterRun(workspace: Workspace, worktree: Worktree): Promise<boolean> {
  const { main, condition, operation, path } = worktree;
  if (main || condition !== 'fine' || operation !== undefined) return false;
  if ((await withAutoCleanup(workspace, [worktree])).length === 0) return false;
  const { exitCode, stdout } = await workspace.git.run(['status', '--porcelain', '--untracked-files=normal'], {
    cwd: path,
  });
  return exitCode === 0 && stdout === '';
}

/** Whether a folder is inside of a worktree: whoever works there has to leave it first. */
export async function standsIn(folder: string, { path }: Pick<Worktree, 'path'>): Promise<boolean> {
  return isWithin(await realPathOf(path), await realPathOf(folder));
}
