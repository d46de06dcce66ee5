import type { Git } from '../git/git.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { waiting } from './checkCheckouts.ts';
import { listed } from './mergedBranches.ts';
import type { BranchPlan } from './plan.ts';

/** What a branch shows against its base: before, and after. */
export interface Shown {
  readonly since: string;
  readonly from: string;
  readonly onto: string;
  readonly to: string;
}

/**
 * Compares what each branch that is to move shows against its base now with what it would show then. One that would lose a file from that
 * difference, without the new base having what it made of it, is held back, and so is what stands on it.
 *
 * @param plans each after the one of the branch that it stands on.
 * @param takenBack what a base had of a branch and has no more, by branch.
 */
export async function keepContent(
  { git, repository }: Workspace,
  plans: readonly BranchPlan[],
  takenBack: ReadonlyMap<string, string>,
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
    if (files.length > 0) settled.set(plan.branch, heldFor(plan, files, takenBack.get(plan.branch)));
    else if (below && isHeldHere(below) && (plan.outcome === 'moves' || plan.outcome === 'conflict'))
      settled.set(plan.branch, waiting(plan, below));
    else settled.set(plan.branch, plan);
  }
  return [...settled.values()];
}

/**
 * The files that disappear from what a branch shows against its base although the new base has them as they were before: its work would be
 * nowhere. One answer for each, in the same order; two processes at most, however many there are.
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
      { before: since, after: from },
      { before: onto, after: to },
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
    open.map(({ shown }) => ({ before: shown.since, after: shown.onto })),
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
  pairs: readonly { readonly before: string; readonly after: string }[],
  signal: AbortSignal | undefined,
): Promise<string[][]> {
  const args = ['diff-tree', '--stdin', '--always', '-r', '-z', '--name-only', '--no-renames'];
  const input = pairs.map(({ before, after }) => `${after} ${before}\n`).join('');
  const words = (await git.in(commonDir).text(args, { signal, input })).split('\0');
  const found: string[][] = [];
  // Each begins with the id of its commit; no file can be told from that but by their order.
  for (const word of words) {
    if (word === pairs[found.length]?.after) found.push([]);
    else if (word !== '') found.at(-1)?.push(word);
  }
  return found;
}

const isHeldHere = ({ outcome }: BranchPlan): boolean => outcome === 'held' || outcome === 'waits';

function heldFor(plan: BranchPlan, files: readonly string[], takenBack: string | undefined): BranchPlan {
  const base = plan.baseLabel ?? 'the new base';
  const why = takenBack ?? `it would lose what it does in ${listed(files)}, which ${base} does not have`;
  const next =
    takenBack === undefined
      ? 'look with `git log` where it went; `wt move --onto` chooses another base'
      : `revert in ${base} what took it back, then run the same again; until then it stays as it is`;
  return { ...plan, outcome: 'held', to: plan.from, why, next, files, entry: undefined };
}
