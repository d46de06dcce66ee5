import { Problem } from '../base/problem.ts';
import { isIntegrated } from '../integration/isIntegrated.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { baseCommitOf } from '../stack/baseCommits.ts';
import { freshPlan, heldPlan, withoutBase, withoutSince } from './branchPlans.ts';
import { hintsOf } from '../stack/mergedBranches.ts';
import type { StackBranch } from '../stack/model.ts';
import { findRenamed, resolveBase, type StackBase } from './resolveBase.ts';
import type { BranchPlan } from './plan.ts';
import type { PlanContext } from './planContext.ts';
import { targetOf } from '../stack/trunkTarget.ts';
import { restackMessages } from '../messages/restack.ts';

/** The base of a branch from now on, and where its own commits begin. */
export interface RebaseRange {
  readonly branch: StackBranch;
  readonly plan: BranchPlan;
  /** The commit before its first own one; `undefined` when the plan is settled already. */
  readonly since: string | undefined;
  /** The tips of its bases and of the trunk: whatever they have is not the branch's own either. */
  readonly others: readonly string[];
}

/**
 * Finds the new base of a branch, and its own commits. When one of the two is unknown, or the branch is merged, its plan is settled.
 *
 * @throws Problem `usage` for a `since` that is not in the history of the branch.
 */
export async function findRange(
  workspace: Workspace,
  context: PlanContext,
  branch: StackBranch,
  signal: AbortSignal | undefined,
): Promise<RebaseRange> {
  const { sources, subject, onto, history, trunk } = context;
  const isSubject = branch.branch === subject;
  const chosen = isSubject ? onto : undefined;
  const settled = (plan: BranchPlan): RebaseRange => ({ branch, plan, since: undefined, others: [] });
  if (!chosen) {
    const plan = settledPlan(context, branch);
    if (plan) return settled(plan);
  }
  const revertedIn = new Map<string, string>();
  const resolved: StackBase = chosen
    ? { base: chosen.branch, passed: [branch.base, chosen.branch].filter((each) => each !== undefined), notes: [] }
    : await resolve(workspace, context, branch, revertedIn, signal);
  const plan = { ...freshPlan(branch), base: resolved.base, notes: resolved.notes };
  if (resolved.base === undefined) {
    const gone = resolved.passed.at(-1) ?? branch.base ?? 'its base';
    return settled(withoutBase(branch, plan, { gone, trunk, revertedIn: revertedIn.get(gone) }));
  }
  const asked = isSubject ? context.since : undefined;
  if (asked !== undefined && !history.isAncestor(asked, tipOf(context, branch))) {
    throw new Problem('usage', restackMessages.notHistory({ asked: asked.slice(0, 10), branchBranch: branch.branch }), {
      next: restackMessages.nameBaseLast(),
    });
  }
  const since = asked ?? baseCommitOf(branch, resolved.passed, sources, history);
  if (since === undefined) return settled(await withoutSince(workspace, branch, plan, signal));
  // Behind a merged base the difference to that base must be kept, wherever the own commits begin.
  const { baseCommit } = branch;
  const behind = !chosen && resolved.passed.length > 1 && baseCommit !== undefined;
  const shownSince = behind && history.isAncestor(baseCommit, since) ? baseCommit : since;
  const tips = [...resolved.passed.map((base) => sources.branches.local.get(base)?.oid), trunk?.oid];
  const others = asked === undefined ? tips.filter((oid) => oid !== undefined) : [];
  return { branch, plan: { ...plan, shownSince }, since, others };
}

/** The last commit of a branch, or the remote's where that has work which was merged into it there. */
export function tipOf({ merged }: PlanContext, branch: StackBranch): string {
  return merged.advanced.get(branch.branch)?.oid ?? branch.tip;
}

/** The plan of a branch that is not rebased unless somebody names a base for it. */
function settledPlan({ sources, merged, trunk }: PlanContext, branch: StackBranch): BranchPlan | undefined {
  const name = quoted(branch.name);
  if (sources.stack.isCyclic(branch.branch))
    return heldPlan(branch, restackMessages.basesFormCycle(), restackMessages.breakCycle({ name }));
  const into = sources.merged.get(branch.branch);
  if (into !== undefined) {
    const why = restackMessages.workIsIn({ base: into === trunk?.label ? restackMessages.theTrunk() : into });
    return { ...freshPlan(branch), outcome: 'landed', why, next: restackMessages.cleanupRemoves({ name }) };
  }
  const blocked = merged.blocked.get(branch.branch);
  return blocked && heldPlan(branch, blocked.why, blocked.next);
}

function resolve(
  workspace: Workspace,
  context: PlanContext,
  branch: StackBranch,
  revertedIn: Map<string, string>,
  signal: AbortSignal | undefined,
): Promise<StackBase> {
  const { sources, history, trunk, pullRequests } = context;
  const { baseCommit } = branch;
  return resolveBase(branch, sources, isMerged, () => {
    const firstOwn = baseCommit === undefined ? undefined : history.own(branch.tip, [baseCommit]).at(-1);
    return findRenamed(workspace, branch, sources, firstOwn, signal);
  });

  /** Whether the work of a base that is gone is in its own base. */
  async function isMerged(gone: string, below: string): Promise<boolean> {
    if (baseCommit === undefined || !history.has(baseCommit)) return false;
    const into =
      below === sources.stack.trunk ? trunk : (targetOf(sources.branches, below, sources.remote, history) ?? trunk);
    if (!into) return false;
    const entry = sources.registered.branches.get(gone)?.entry;
    const began = entry?.baseCommit;
    const since = began !== undefined && history.isAncestor(began, baseCommit) ? began : undefined;
    const hints = hintsOf({ entry }, pullRequests.get(gone));
    const answer = await isIntegrated(workspace.git, workspace.repository.commonDir, {
      ...{ branch: baseCommit, into: into.oid, since, hints, signal },
    });
    if (answer.state === 'no' && answer.reverted) revertedIn.set(gone, into.label);
    return answer.state === 'yes';
  }
}
