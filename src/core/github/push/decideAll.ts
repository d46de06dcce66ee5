import { Problem } from '../../base/problem.ts';
import type { Snapshot, Worktree } from '../../worktree/model.ts';
import { readAllBranches } from '../../snapshot/trunk.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { factsFrom } from '../askStatus.ts';
import type { GitHub } from '../client.ts';
import type { PullRequestFact } from '../facts.ts';
import type { PullsSight } from '../sight/sight.ts';
import { pushRemoteOf, readRemotes, type Remote } from '../remotes.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import { askHost } from './askHost.ts';
import { decide, type PushWay } from './decide.ts';
import { isKeptClosed } from './keptClosed.ts';
import { lastPushedOf } from './lastPushed.ts';
import { noteWhere } from './noteWhere.ts';
import type { PushOptions } from './model.ts';
import { pushableMember } from './pushable.ts';
import { PushRefusal } from './pushRefusal.ts';
import type { RefusalContext } from './refusal.ts';
import { fetchMissing, readRemoteTips } from './remoteTips.ts';

/** A branch, and how it gets where it is pushed to. */
export interface PushStep {
  readonly member: StackedWorktree & { tip: string };
  readonly way: PushWay;
  readonly before: string | undefined;
}

/** The branches that go to one remote. */
export interface Group {
  readonly remote: Remote;
  readonly context: RefusalContext;
  readonly steps: readonly PushStep[];
  /** What that remote has of these, of the other branches with worktrees, and of the trunk. */
  readonly tips: ReadonlyMap<string, string>;
}

/** What was decided of all branches. */
export interface Decided {
  readonly groups: readonly Group[];
  /** What GitHub has of them; `undefined` where it was not asked, or could not be. */
  readonly sight: PullsSight | undefined;
  /** Why it could not be asked. */
  readonly unasked: Problem | undefined;
  /** The last commits of all branches here. */
  readonly local: ReadonlyMap<string, string>;
}

/** A remote with what is to be pushed there and what it has. */
interface Asked {
  readonly remote: Remote;
  readonly context: RefusalContext;
  readonly members: readonly (StackedWorktree & { tip: string })[];
  readonly tips: ReadonlyMap<string, string>;
}

/**
 * Asks the remotes what they have, and GitHub what there is to know of the pull requests, and decides of each branch how it is pushed.
 *
 * @param known what GitHub has, where it was asked before.
 */
export async function decideAll(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: PushOptions,
  known?: PullsSight,
): Promise<Decided> {
  const { signal } = options;
  const { asked, local } = await askRemotes(workspace, snapshot, worktrees, options);
  const { sight, problem } = known ? { sight: known } : await askHost(workspace, snapshot, asked, options);
  const groups: Group[] = [];
  for (const { remote, context, members, tips } of asked) {
    const facts = sight ? await factsIn(sight, members, tips, signal) : await factsFor(members, tips, options);
    const steps: PushStep[] = [];
    for (const member of members) {
      const remoteTip = tips.get(member.branch);
      const rewrite = options.rewrite === true;
      const force = options.force === true;
      const keepsClosed =
        sight !== undefined &&
        options.replaces !== true &&
        isKeptClosed(sight.found.get(member.branch), member, remoteTip);
      const question = { member, tip: member.tip, remote, remoteTip, rewrite, force, keepsClosed };
      try {
        const way = await decide(workspace, { ...question, fact: facts.get(member.branch) }, signal);
        steps.push({ member, way, before: remoteTip });
      } catch (thrown) {
        // Where there are others, one that has to wait for a person keeps nobody else.
        if (!(thrown instanceof PushRefusal) || thrown.refusal !== 'closed' || worktrees.length === 1) throw thrown;
        options.onLeft?.(member.worktree, thrown);
      }
    }
    groups.push({ remote, context, steps, tips });
  }
  return { groups, sight, unasked: problem, local };
}

async function askRemotes(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: PushOptions,
): Promise<{ asked: Asked[]; local: ReadonlyMap<string, string> }> {
  const configured = workspace.configuration.stack.remote;
  const { signal, progress } = options;
  const [remotes, branches] = await Promise.all([
    readRemotes(workspace, { hosts: false, signal }),
    readAllBranches(workspace, signal),
  ]);
  const byRemote = new Map<Remote, (StackedWorktree & { tip: string })[]>();
  for (const worktree of worktrees) {
    const remote = pushRemoteOf(remotes, worktree.branch ?? '', configured);
    const member = pushableMember(snapshot, branches, worktree, remote.name);
    byRemote.set(remote, [...(byRemote.get(remote) ?? []), member]);
  }
  const all = [...worktreeGraph(snapshot).branches.values()].flatMap(({ branch, base }) => [branch, base]);
  const asked: Asked[] = [];
  for (const [remote, members] of byRemote) {
    const what = members.length === 1 ? (members[0]?.worktree.name ?? '') : `the stack of ${members.length} branches`;
    await noteWhere(workspace, remotes, remote, members, options);
    const context = { remote: remote.name, what, command: options.command ?? `wt push ${members[0]?.worktree.name}` };
    progress?.(`Asking ${remote.name} what it has`);
    const names = members.map(({ branch }) => branch);
    const also = snapshot.trunk === undefined ? all : [...all, snapshot.trunk];
    const tips = await readRemoteTips(workspace, remote, names, context, signal, also);
    const own = new Map([...tips].filter(([branch]) => names.includes(branch)));
    await fetchMissing(workspace, remote, own, context, signal);
    asked.push({ remote, context, members, tips });
  }
  return { asked, local: new Map([...branches.local].map(([name, { oid }]) => [name, oid])) };
}

async function factsIn(
  { found, place }: PullsSight,
  members: readonly (StackedWorktree & { tip: string })[],
  tips: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, PullRequestFact>> {
  const facts = new Map<string, PullRequestFact>();
  const moving = members.filter(({ branch, tip }) => tips.get(branch) !== tip).map(({ branch }) => branch);
  const unsure = moving.filter(
    (branch) => found.get(branch)?.state === 'open' && found.get(branch)?.approved === undefined,
  );
  const numbers = new Map(unsure.map((branch) => [branch, found.get(branch)?.number ?? 0]));
  const told = unsure.length === 0 ? undefined : await reviewsOf(place.github, numbers, signal);
  for (const member of members) {
    const pull = found.get(member.branch);
    if (!pull || !place.heads.has(member.branch)) continue;
    const more = told?.get(member.branch);
    const fact: PullRequestFact = {
      ...{ number: pull.number, recorded: member.worktree.entry?.pr?.number === pull.number },
      ...{
        state: pull.queued || more?.state === 'queued' ? 'queued' : pull.state,
        headCommit: pull.head.oid,
        mergeCommit: pull.mergeCommit,
      },
      ...{ baseBranch: pull.base.branch, draft: pull.draft, approved: pull.approved ?? more?.approved === true },
    };
    if (isOf(member, fact) || fact.state === 'open' || fact.state === 'queued') facts.set(member.branch, fact);
  }
  return facts;
}

/** Reviews and the merge queue matter only for what is about to move; that they cannot be asked keeps nobody from pushing. */
async function reviewsOf(
  github: GitHub,
  numbers: ReadonlyMap<string, number>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, PullRequestFact> | undefined> {
  try {
    return await factsFrom(github, numbers, [], signal).pullRequestsOf([...numbers.keys()]);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return undefined;
  }
}

/** GitHub is asked only where its answer would change something: for a branch that is gone there, and for one that has parted. */
async function factsFor(
  members: readonly (StackedWorktree & { tip: string })[],
  tips: ReadonlyMap<string, string>,
  { facts }: PushOptions,
): Promise<ReadonlyMap<string, PullRequestFact>> {
  const asked = members
    .filter(
      ({ branch, tip, worktree }) => tips.get(branch) !== tip && (worktree.entry?.pr ?? worktree.entry?.lastPushed),
    )
    .map(({ branch }) => branch);
  if (!facts || asked.length === 0) return new Map();
  try {
    const found = await facts.pullRequestsOf(asked);
    // A pull request that was merged long ago from a branch of the same name says nothing about this one.
    const about = (branch: string): StackedWorktree | undefined => members.find((each) => each.branch === branch);
    return new Map([...found].filter(([branch, fact]) => isOf(about(branch), fact)));
  } catch (thrown) {
    // Pushing needs git and nothing else.
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return new Map();
  }
}

function isOf(member: StackedWorktree | undefined, { number, headCommit }: PullRequestFact): boolean {
  const entry = member?.worktree.entry;
  return entry?.pr?.number === number || (headCommit !== undefined && lastPushedOf(entry)?.oid === headCommit);
}
