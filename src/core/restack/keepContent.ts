import type { Git } from '../git/git.ts';
import { readTreeDiffs } from '../git/treeDiff.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { waiting } from './checkCheckouts.ts';
import { listed } from '../base/phrases.ts';
import type { BranchPlan } from './plan.ts';

/** The difference of a branch to its base, before and after. */
export interface Shown {
  readonly since: string;
  readonly from: string;
  readonly onto: string;
  readonly to: string;
}

/**
 * Compares the difference of each moving branch to its base before and after. A branch that would lose a file from that difference,
 * although the new base does not have its version, is held, and so are its dependents.
 *
 * @param plans each after the plan of its base.
 * @param reverted a sentence part about work that a base had and reverted, by branch.
 */
export async function keepContent(
  { git, repository }: Workspace,
  plans: readonly BranchPlan[],
  reverted: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<BranchPlan[]> {
  const moving = plans.flatMap((plan) => {
    const { outcome, shownSince: since, from, onto, to } = plan;
    if (outcome !== 'moves' || since === undefined || onto === undefined) return [];
    return [{ plan, shown: { since, from, onto, to } }];
  });
  const lost = await lostFiles(
    git,
    repository.commonDir,
    moving.map(({ shown }) => shown),
    signal,
  );
  const byBranch = new Map(moving.map(({ plan }, index) => [plan.branch, lost[index] ?? []]));
  const settled = new Map<string, BranchPlan>();
  for (const plan of plans) {
    const files = byBranch.get(plan.branch) ?? [];
    const below = plan.base === undefined ? undefined : settled.get(plan.base);
    if (files.length > 0) settled.set(plan.branch, heldFor(plan, files, reverted.get(plan.branch)));
    else if (below && isHeldHere(below) && (plan.outcome === 'moves' || plan.outcome === 'conflict'))
      settled.set(plan.branch, waiting(plan, below));
    else settled.set(plan.branch, plan);
  }
  return [...settled.values()];
}

/**
 * The files that disappear from the difference of a branch to its base although the new base has them unchanged: the work would be lost.
 * One answer for each, in the same order; two processes at most, however many there are.
 */
export async function lostFiles(
  git: Git,
  commonDir: string,
  all: readonly Shown[],
  signal?: AbortSignal,
): Promise<string[][]> {
  if (all.length === 0) return [];
  const diffs = await changedFiles(
    git,
    commonDir,
    all.flatMap(({ since, from, onto, to }) => [
      { from: since, to: from },
      { from: onto, to },
    ]),
    signal,
  );
  const gone = all.map((shown, index) => {
    const then = new Set(diffs[2 * index + 1]);
    return { shown, files: (diffs[2 * index] ?? []).filter((file) => !then.has(file)) };
  });
  const open = gone.filter(({ files }) => files.length > 0);
  if (open.length === 0) return all.map(() => []);
  const moved = await changedFiles(
    git,
    commonDir,
    open.map(({ shown }) => ({ from: shown.since, to: shown.onto })),
    signal,
  );
  const inBase = new Map(open.map(({ shown }, index) => [shown, new Set(moved[index])]));
  // Where the new base has something else than before, its commits have been compared one by one.
  return gone.map(({ shown, files }) => files.filter((file) => !inBase.get(shown)?.has(file)));
}

/** For each pair the files in which two commits differ. */
async function changedFiles(
  git: Git,
  commonDir: string,
  pairs: readonly { readonly from: string; readonly to: string }[],
  signal: AbortSignal | undefined,
): Promise<string[][]> {
  const diffs = await readTreeDiffs(git, commonDir, pairs, signal);
  return diffs.map((changes) => changes.map(({ path }) => path));
}

const isHeldHere = ({ outcome }: BranchPlan): boolean => outcome === 'held' || outcome === 'waits';

function heldFor(plan: BranchPlan, files: readonly string[], reverted: string | undefined): BranchPlan {
  const base = plan.baseLabel ?? 'the new base';
  const why = reverted ?? `it would lose its changes in ${listed(files, 3)}, which ${base} does not have`;
  const next =
    reverted === undefined
      ? 'check with `git log` what happened to it; `wt move --onto` sets another base'
      : `revert that revert in ${base}, then run the same again; until then the branch is not moved`;
  return { ...plan, outcome: 'held', to: plan.from, why, next, files, entry: undefined };
}
