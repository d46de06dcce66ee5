import { Problem } from '../../base/problem.ts';
import type { Progress, Snapshot, Worktree } from '../../worktree/model.ts';
import { readAllBranches, type Branches } from '../../snapshot/trunk.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { HostSession } from '../connect.ts';
import { carryOutPlan } from '../plan/carryOut.ts';
import { makePlan } from '../plan/makePlan.ts';
import { recordBases, recordedBaseOf } from '../plan/recordBases.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { Group } from '../push/decideAll.ts';
import { fetchMissing, readRemoteTips } from '../push/remoteTips.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import type { PullRepositories } from '../pulls/repositories.ts';
import { readPulls, type PullsState } from '../pulls/readPulls.ts';
import { githubMessages } from '../../messages/github.ts';

/** A pull request that was given another base, or why it was not. */
export interface Retargeted {
  readonly number: number;
  readonly url: string;
  readonly from: string;
  readonly to: string;
  /** The reason for leaving it as it is. */
  readonly problem: Problem | undefined;
}

/** How {@link retargetDependents} talks to GitHub. */
export interface RetargetOptions {
  readonly session: () => Promise<HostSession>;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The worktrees whose pull requests may be into a branch: those that are based on it, and those of which that is recorded, such as one that
 * was moved and not pushed since.
 */
export function dependentsWithPulls(snapshot: Snapshot, { branch }: Worktree): StackedWorktree[] {
  return [...worktreeGraph(snapshot).branches.values()].filter(
    ({ base, worktree: { entry } }) =>
      branch !== undefined && entry?.pr && (base === branch || recordedBaseOf(entry) === branch),
  );
}

/**
 * Gives the open pull requests into the branch of a worktree another base, which has to be done before that branch goes: without it they
 * would be closed. The planner decides, as for a push: one whose commits its new base has all stays where it is, since GitHub would close it
 * as merged, and so does one in a stack of GitHub's own. What the bases have now is fetched before.
 *
 * Asks GitHub only where pull requests of dependents are recorded.
 *
 * @throws Problem when the remote or GitHub cannot be asked; nothing was changed then, or only what is recorded.
 */
export async function retargetDependents(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  { session: open, progress, signal }: RetargetOptions,
): Promise<Retargeted[]> {
  const { branch } = worktree;
  const dependents = dependentsWithPulls(snapshot, worktree);
  const chain = worktreeGraph(snapshot).stackOf(branch);
  const own = chain.find((each) => each.branch === branch);
  if (branch === undefined || !own || dependents.length === 0) return [];
  const session = await open();
  const branches = await readAllBranches(workspace, signal);
  const below = chain.slice(0, chain.indexOf(own) + 1);
  const members = [...below, ...dependents.filter((each) => !below.some((other) => other.branch === each.branch))];
  const tips = new Map(members.map((each) => [each.branch, branches.local.get(each.branch)?.oid ?? '']));
  progress?.(githubMessages.askingDependents());
  const question = { members, wanted: new Set<string>(), into: new Set([branch]), tips };
  const seen = await readPulls(workspace, snapshot, session, question, signal);
  const meant = openInto(seen, branch);
  if (meant.size === 0) return [];
  const sight: PullsState = { ...seen, found: new Map([...seen.found, ...meant]) };
  // One that was moved away gets the base that it has here.
  const wishes = new Map(
    [...meant.keys()].map((head): [string, string] => {
      const member = members.find((each) => each.branch === head && each.base !== branch) ?? own;
      return [head, sight.stack.basesOf(member, sight.found).at(-1) ?? ''];
    }),
  );
  const command = `wt cleanup ${worktree.name}`;
  const names = [...new Set([...wishes].flat())];
  const group = await groupOf(workspace, session, sight.place, { names, command }, signal);
  const groups = group ? [group] : [];
  const plan = await makePlan(workspace, { groups, sight, wishes, command, signal });
  const push = (): Promise<void> => Promise.resolve();
  const done = await carryOutPlan(workspace, plan, { github: sight.place.github, push, progress, signal });
  await recordBases(workspace, plan, done);
  return [...meant].map(([head, { number, url, base }]) => {
    const now = done.changed.get(number)?.base.branch;
    const to = now ?? wishes.get(head) ?? '';
    const left = done.left.get(number) ?? stays({ number, head, from: base.branch, to }, branches);
    return { number, url, from: base.branch, to, problem: now === undefined ? left : undefined };
  });
}

/** The open pull requests of worktrees that are into a branch, by their own branches. */
function openInto({ found, dependents }: PullsState, branch: string): Map<string, PullRequest> {
  const isMeant = ({ state, base }: PullRequest): boolean => state === 'open' && base.branch === branch;
  const others = dependents.map((pull): [string, PullRequest] => [pull.head.branch, pull]);
  return new Map([...others, ...found].filter(([, pull]) => isMeant(pull)));
}

/** What the remote with the bases has now of some branches, fetched; `undefined` where no remote leads there. */
async function groupOf(
  workspace: Workspace,
  { remotes }: HostSession,
  place: PullRepositories,
  { names, command }: { readonly names: readonly string[]; readonly command: string },
  signal: AbortSignal | undefined,
): Promise<Group | undefined> {
  const remote = place.remotes.map((name) => remotes.byName.get(name)).find((each) => each !== undefined);
  if (!remote) return undefined;
  const context = { remote: remote.name, what: githubMessages.theBranch(), command };
  const tips = await readRemoteTips(workspace, remote, [], context, signal, names);
  await fetchMissing(workspace, remote, tips, context, signal);
  return { remote, context, steps: [], tips };
}

function stays(
  { number, head, from, to }: { readonly number: number; readonly head: string } & Record<'from' | 'to', string>,
  { local }: Branches,
): Problem {
  return new Problem('host-refused', githubMessages.pullRequestStill({ number, from, to }), {
    next: local.has(head) ? githubMessages.rebaseAndPush({ head }) : undefined,
    outcome: 'incomplete',
  });
}
