import type { Snapshot } from '../worktrees/model.ts';

/** The numbers of the pull requests that are recorded, by branch. */
export function numbersOf({ worktrees }: Snapshot): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { branch, entry } of worktrees) {
    if (branch !== undefined && entry?.pr && entry.branch === branch) numbers.set(branch, entry.pr.number);
  }
  return numbers;
}
