import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { addedFiles, whyNotFollow, whyNotRebase, type InTheWay } from './blockers.ts';
import type { BranchPlan } from './plan.ts';

/**
 * Tries, without changing anything, whether each working tree could follow its branch; holds back the branches whose trees could not,
 * and whatever stands on a branch that does not move.
 *
 * @param plans each after the one of the branch that it stands on.
 * @param options.worktreesOf those that have a branch checked out, also where their folder is out of sight.
 */
export async function followTrees(
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
    plans.filter(({ outcome, places }) => outcome === 'moves' && places.length > 0),
    signal,
  );
  const obstacles = await Promise.all(
    plans.map(async (plan): Promise<(InTheWay & { path: string }) | undefined> => {
      const unseen =
        plan.outcome === 'moves' || plan.outcome === 'conflict' ? outOfSight(worktreesOf(plan.branch)) : undefined;
      if (unseen) return unseen;
      for (const place of plan.places) {
        const step = { from: plan.from, to: plan.to, added: added.get(plan.to) ?? [], tryIt: tryTrees };
        const found =
          plan.outcome === 'moves'
            ? await whyNotFollow(workspace, place, step, signal)
            : plan.outcome === 'conflict'
              ? await whyNotRebase(workspace, place, plan, signal)
              : undefined;
        if (found) return { ...found, path: place.path };
      }
      if (plan.outcome !== 'conflict' || plan.places.length > 0) return undefined;
      return { why: `${plan.why ?? 'it conflicts'}, and no worktree has it checked out`, files: [], path: '' };
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
          ? `make one with \`git worktree add <path> ${plan.branch}\`, then run the same again`
          : (obstacle.next ??
            `${files.length > 0 ? 'commit them or move them away' : 'finish that'} in ${path}, then run the same again`);
      settled.set(plan.branch, { ...plan, outcome: 'held', to: plan.from, why, next, files, lock, entry: undefined });
    } else settled.set(plan.branch, plan);
  }
  return [...settled.values()];
}

/**
 * A branch that moves without the files of its worktree would make everything that is new look deleted there, once they are seen again:
 * the next commit of everything would take it back.
 */
function outOfSight(worktrees: readonly Worktree[]): (InTheWay & { path: string }) | undefined {
  const unseen = worktrees.find(({ bare, condition }) => !bare && condition !== 'fine');
  if (!unseen) return undefined;
  const { path } = unseen;
  return {
    why: 'its worktree is out of sight, so that its files could not follow',
    next: `make ${path} visible again, or run \`wt doctor --fix\` where it was moved, then run the same again; if the folder was deleted, \`git worktree prune\` forgets it`,
    files: [],
    path,
  };
}

/** A branch that cannot move before the one that it stands on has. */
export function waiting(plan: BranchPlan, below: Pick<BranchPlan, 'name' | 'outcome' | 'unsigned'>): BranchPlan {
  const stops = below.unsigned ? 'could not be signed' : 'conflicts';
  const why = below.outcome === 'conflict' ? `${below.name} ${stops}` : `${below.name} stays where it is`;
  return { ...plan, outcome: 'waits', to: plan.from, why, next: undefined, files: [], entry: undefined };
}
