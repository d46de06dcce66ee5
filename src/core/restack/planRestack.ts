import type { Workspace } from '../worktree/workspace.ts';
import { BranchPlanner } from './branchPlanner.ts';
import { checkoutsOf } from '../checkout/checkout.ts';
import { readCommitSettings } from './commitSettings.ts';
import { withCommitWriter } from './commitWriter.ts';
import { checkCheckouts } from './checkCheckouts.ts';
import { keepContent } from './keepContent.ts';
import type { RestackPlan } from './plan.ts';
import { readPlanContext, type PlanOptions, type PlanRequest } from './planContext.ts';
import type { StackState } from '../stack/readStack.ts';

/**
 * Plans the restack of some branches in memory: no branch and no worktree is touched.
 *
 * @throws Problem `not-found` for an `onto` or a `since` that does not exist, `ambiguous` when trunk and its remote have diverged, `usage` for
 *   a branch that would be its own base, `git-failed` when git knows no identity to commit with; obstacles of single branches are in their plans.
 */
export async function planRestack(
  workspace: Workspace,
  state: StackState,
  request: PlanRequest,
  options: PlanOptions = {},
): Promise<RestackPlan> {
  const { progress, signal } = options;
  const checkouts = new Map(
    request.branches.flatMap((name) => {
      const [checkout] = checkoutsOf(state.stack.branches.get(name)?.worktrees ?? []);
      return checkout ? [[name, checkout] as const] : [];
    }),
  );
  const [context, settingsOf] = await Promise.all([
    readPlanContext(workspace, state, request, options),
    readCommitSettings(workspace, checkouts, signal),
  ]);
  const planned = await withCommitWriter(workspace, { progress, signal }, async (writer) => {
    const planner = new BranchPlanner(workspace, { ...context, writer, settingsOf, progress, signal });
    return planner.planAll(request.branches);
  });
  const kept = await keepContent(workspace, planned, context.merged.reverted, signal);
  return {
    state,
    branches: await checkCheckouts(workspace, kept, {
      tryTrees: options.tryTrees ?? true,
      worktreesOf: (name) => state.stack.branches.get(name)?.worktrees ?? [],
      signal,
    }),
    notes: context.notes,
  };
}
