import { isObject } from '../base/jsonText.ts';
import { tipsOf, type Branches } from '../snapshot/trunk.ts';
import type { History } from './history.ts';
import type { PullRequestState } from './pullRequestLookup.ts';
import type { Stack, StackBranch } from './model.ts';

/** The data that the first own commit of a branch is found from. */
export interface BaseSources {
  readonly stack: Stack;
  readonly branches: Branches;
  readonly remote: string;
  /** Former tips of a branch, before our own operations moved it, by branch. */
  readonly formerTips: ReadonlyMap<string, readonly string[]>;
  readonly pullRequests: ReadonlyMap<string, PullRequestState>;
  /** The merged part of branches that got commits after their merge, proven. */
  readonly mergedHeads: ReadonlyMap<string, string>;
}

/**
 * Commits that are known to have been the base of a branch: the recorded one, the tips of its bases now, when they were pushed or merged,
 * and before we moved them. Never a guess: no fork point, and no merge base except with the trunk where nothing is recorded.
 *
 * @param bases its base; behind a base that was merged or is gone the base of that one.
 */
function trustedBases(branch: StackBranch, bases: readonly string[], sources: BaseSources): string[] {
  const { stack, branches, remote, formerTips, pullRequests } = sources;
  const found = [branch.baseCommit];
  for (const [index, base] of bases.entries()) {
    // Without a record the commits of a base that is gone cannot be told from the branch's own.
    if (index > 0 && branch.baseCommit === undefined) break;
    const tips = tipsOf(branches, base, remote);
    found.push(tips.local, tips.remote, ...(formerTips.get(base) ?? []), pullRequests.get(base)?.headCommit);
    found.push(pushedCommit(stack.branches.get(base)));
  }
  // Only the commits after its merge are left.
  found.push(sources.mergedHeads.get(branch.branch));
  return [...new Set(found)].filter((oid) => oid !== undefined);
}

/**
 * The nearest of the commits that are known to have been the base of a branch. Where nothing is recorded and the trunk is the base, that
 * is the commit where the branch left the trunk: everything that is not on the trunk is its own.
 *
 * @returns `undefined` when none of them is in its history (any more).
 */
export function baseCommitOf(
  branch: StackBranch,
  bases: readonly string[],
  sources: BaseSources,
  history: History,
): string | undefined {
  const reported = new Set(reportedTips(bases, sources));
  const candidates = trustedBases(branch, bases, sources).filter(
    (oid) => !reported.has(oid) || isBelow(branch, oid, bases, sources, history),
  );
  const trusted = history.nearest(candidates, branch.tip);
  if (trusted !== undefined) return trusted;
  const { stack, branches, remote } = sources;
  if (branch.base === undefined || branch.base !== stack.trunk) return undefined;
  const tips = tipsOf(branches, branch.base, remote);
  return leavingPoint(
    history,
    branch.tip,
    [tips.local, tips.remote].filter((oid) => oid !== undefined),
  );
}

/** The tips of bases as reported by the remote and the host, where the branch itself may have been merged into one. */
function reportedTips(bases: readonly string[], { branches, remote, pullRequests }: BaseSources): string[] {
  const reported = bases.flatMap((base) => [tipsOf(branches, base, remote).remote, pullRequests.get(base)?.headCommit]);
  return reported.filter((oid) => oid !== undefined);
}

/**
 * Whether what a remote has of a base is really below a branch: up to the recorded commit, or in a base that is here or the trunk. Beyond
 * that it may be the branch's own work, which nothing else holds.
 */
function isBelow(
  { baseCommit }: StackBranch,
  oid: string,
  bases: readonly string[],
  { stack, branches, remote, formerTips }: BaseSources,
  history: History,
): boolean {
  if (baseCommit === undefined || history.isAncestor(oid, baseCommit) || !history.isAncestor(baseCommit, oid))
    return true;
  const below = bases.flatMap((base) => [
    tipsOf(branches, base, remote).local,
    pushedCommit(stack.branches.get(base)),
    ...(formerTips.get(base) ?? []),
  ]);
  const trunks = stack.trunk === undefined ? undefined : tipsOf(branches, stack.trunk, remote);
  return [...below, trunks?.local, trunks?.remote].some((tip) => tip !== undefined && history.isAncestor(oid, tip));
}

/** The first commit on the way down from a branch's tip that one of some others has. */
export function leavingPoint(history: History, tip: string, others: readonly string[]): string | undefined {
  const own = history.own(tip, others);
  const last = own.at(-1) ?? undefined;
  if (last === undefined) return tip;
  const inside = new Set(own);
  for (let at = tip; ;) {
    const [parent] = history.parentsOf(at);
    if (parent === undefined) return undefined;
    if (!inside.has(parent)) return parent;
    at = parent;
  }
}

/** The commit that a branch was pushed at last, as the registry has it. */
export function pushedCommit(branch: StackBranch | undefined): string | undefined {
  const pushed = branch?.entry?.lastPushed;
  const oid = isObject(pushed) ? pushed['oid'] : pushed;
  return typeof oid === 'string' && /^[0-9a-f]{40,64}$/.test(oid) ? oid : undefined;
}
