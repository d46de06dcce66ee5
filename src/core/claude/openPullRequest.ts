import { join } from 'node:path';
import { textOf } from './gitPointer.ts';
import type { KnownWorktree } from './knownWorktrees.ts';

/**
 * The number of the pull request of a worktree that somebody should watch: one that goes on, of work that was not merged otherwise. It reads
 * git's own files, and starts no process.
 *
 * @param commonDir the repository's git directory.
 */
export function openPullRequest(
  { pullRequest, mergedAt, branch }: Pick<KnownWorktree, 'pullRequest' | 'mergedAt' | 'branch'>,
  commonDir: string,
): number | undefined {
  if (pullRequest === undefined || mergedAt === undefined) return pullRequest;
  // To ask nobody to watch it no proof is needed: nothing is lost by that.
  if (mergedAt === '') return undefined;
  // With commits after the merge the work goes on. Where git keeps branches in other files the word has to do.
  const tip = tipOf(branch, commonDir);
  return tip === undefined || tip === mergedAt ? undefined : pullRequest;
}

function tipOf(branch: string, commonDir: string): string | undefined {
  const ref = `refs/heads/${branch}`;
  const loose = textOf(join(commonDir, ref))?.trim();
  if (loose) return loose;
  const line = textOf(join(commonDir, 'packed-refs'))
    ?.split('\n')
    .find((each) => each.endsWith(` ${ref}`));
  return line?.split(' ')[0];
}
