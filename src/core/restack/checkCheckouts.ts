import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { addedFiles, whyNotFollow, whyNotRebase } from '../checkout/blockers.ts';
import type { Blocker } from '../checkout/checkout.ts';
import type { BranchPlan } from './plan.ts';
import { restackMessages } from '../messages/restack.ts';

/**
 * Checks, without changing anything, whether each worktree could follow its branch; holds the branches whose worktrees could not, and
 * the dependents of branches that do not move.
 *
 * @param plans each after the plan of its base.
 * @param options.worktreesOf those that have a branch checked out, also where their folder is out of sight.
 */
export async function checkCheckouts(
  workspace: Workspace,
  plans: readonly BranchPlan[],
  options: {
    readonly tryTrees: boolean;
    readonly worktreesOf: (branch: string) => readonly Worktree[];
    readonly signal: AbortSignal | undefined;
  },
): Promise<BranchPlan[]> {
  const { tryTrees, worktreesOf, signal } = options;
  const added = await addedFiles(
    workspace,
    plans.filter(({ outcome, checkouts }) => outcome === 'moves' && checkouts.length > 0),
    signal,
  );
  const obstacles = await Promise.all(
    plans.map(async (plan): Promise<(Blocker & { path: string }) | undefined> => {
      const unseen =
        plan.outcome === 'moves' || plan.outcome === 'conflict' ? outOfSight(worktreesOf(plan.branch)) : undefined;
      if (unseen) return unseen;
      for (const checkout of plan.checkouts) {
        const step = { from: plan.from, to: plan.to, added: added.get(plan.to) ?? [], tryIt: tryTrees };
        const found =
          plan.outcome === 'moves'
            ? await whyNotFollow(workspace, checkout, step, signal)
            : plan.outcome === 'conflict'
              ? await whyNotRebase(workspace, checkout, plan, signal)
              : undefined;
        if (found) return { ...found, path: checkout.path };
      }
      if (plan.outcome !== 'conflict' || plan.checkouts.length > 0) return undefined;
      return {
        why: restackMessages.nowhereCheckedOut({ why: plan.why ?? restackMessages.conflictsThere() }),
        files: [],
        path: '',
      };
    }),
  );
  const settled = new Map<string, BranchPlan>();
  for (const [index, plan] of plans.entries()) {
    const obstacle = obstacles[index];
    const below = plan.base === undefined ? undefined : settled.get(plan.base);
    if (
      below &&
      ['conflict', 'held', 'waits'].includes(below.outcome) &&
      (plan.outcome === 'moves' || plan.outcome === 'conflict')
    ) {
      settled.set(plan.branch, waiting(plan, below));
    } else if (obstacle) {
      const { why, files, path, lock } = obstacle;
      const next =
        path === ''
          ? restackMessages.makeWorktree({ planBranch: plan.branch })
          : (obstacle.next ??
            (files.length > 0 ? restackMessages.commitThemThere({ path }) : restackMessages.finishThatAgain({ path })));
      settled.set(plan.branch, { ...plan, outcome: 'held', to: plan.from, why, next, files, lock, entry: undefined });
    } else settled.set(plan.branch, plan);
  }
  return [...settled.values()];
}

/**
 * If a branch moved without the files of its worktree, everything new would appear deleted there: the next `git commit -a` would revert
 * the base.
 */
function outOfSight(worktrees: readonly Worktree[]): (Blocker & { path: string }) | undefined {
  const unseen = worktrees.find(({ bare, condition }) => !bare && condition !== 'fine');
  if (!unseen) return undefined;
  const { path } = unseen;
  return {
    why: restackMessages.worktreeOutSight(),
    next: restackMessages.makeVisibleAgain({ path }),
    files: [],
    path,
  };
}

/** The plan of a branch that cannot move before its base has. */
export function waiting(plan: BranchPlan, below: Pick<BranchPlan, 'name' | 'outcome' | 'unsigned'>): BranchPlan {
  const stops = below.unsigned ? restackMessages.notSigned() : restackMessages.conflicts();
  const why =
    below.outcome === 'conflict'
      ? restackMessages.branchStops({ name: below.name, stops })
      : restackMessages.notRebased({ belowName: below.name });
  return { ...plan, outcome: 'waits', to: plan.from, why, next: undefined, files: [], entry: undefined };
}
