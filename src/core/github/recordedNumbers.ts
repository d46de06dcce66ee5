import type { Snapshot } from '../worktree/model.ts';

/** A pull request as it is recorded. */
export interface RecordedNumber {
  readonly number: number;
  /** Tells which repository it is in; a number alone means nothing where there are forks. */
  readonly url: string | undefined;
}

/** The pull requests that are recorded, by branch. */
export function recordedOf({ worktrees }: Snapshot): Map<string, RecordedNumber> {
  const recorded = new Map<string, RecordedNumber>();
  for (const { branch, entry } of worktrees) {
    if (branch === undefined || !entry?.pr || entry.branch !== branch) continue;
    recorded.set(branch, { number: entry.pr.number, url: entry.pr.url });
  }
  return recorded;
}
