import type { Batch, Stop } from '../operations/operation.ts';
import type { BranchPlan, RestackPlan } from './plan.ts';

/** Whether executing a plan would do anything: move a branch, change the registry, or stop at a conflict. */
export function changesAnything({ branches }: RestackPlan): boolean {
  const { moves, entries, stop } = batchOf(branches);
  return moves.length > 0 || entries.length > 0 || stop !== undefined;
}

/** The part of a plan that can be done at once, and where it stops then. */
export function batchOf(plans: readonly BranchPlan[]): Batch {
  const moving = plans.filter(({ outcome }) => outcome === 'moves');
  const settled = plans.filter(({ outcome }) => outcome === 'moves' || outcome === 'current');
  const conflicts = plans.filter(({ outcome }) => outcome === 'conflict');
  const [first] = conflicts;
  const waits = first
    ? plans.filter(({ outcome, branch }) => outcome === 'waits' || (outcome === 'conflict' && branch !== first.branch))
    : [];
  return {
    moves: moving.map(({ branch, from, to, checkouts }) => ({ branch, from, to, worktrees: checkouts })),
    entries: settled.map(({ entry }) => entry).filter((entry) => entry !== undefined),
    ...(first ? { stop: stopAt(first) } : {}),
    remaining: waits.map(({ branch }) => branch),
  };
}

function stopAt(plan: BranchPlan): Stop {
  const [checkout] = plan.checkouts;
  const { branch, name, from, merges, files, unsigned, entry } = plan;
  return {
    ...{ branch, name, from, merges, files, unsigned, entry },
    path: checkout?.path ?? '',
    gitDir: checkout?.gitDir ?? '',
    onto: plan.onto ?? '',
    upstream: plan.upstream ?? '',
    started: false,
  };
}
