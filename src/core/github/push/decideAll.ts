import { Problem } from '../../base/problem.ts';
import type { Snapshot, Worktree } from '../../worktree/model.ts';
import { readAllBranches } from '../../snapshot/trunk.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { askAboutBranches } from '../askStatus.ts';
import type { GitHub } from '../client.ts';
import type { PullRequestStatus } from '../status.ts';
import type { PullsState } from '../pulls/readPulls.ts';
import { pushRemoteOf, readRemotes, type Remote } from '../remotes.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import { askHost } from './askHost.ts';
import { decide, type PushedPull, type PushWay } from './decide.ts';
import { isKeptClosed } from './keptClosed.ts';
import { lastPushedOf } from './lastPushed.ts';
import { noteWhere } from './noteWhere.ts';
import type { PushOptions } from './model.ts';
import { pushableMember } from './pushable.ts';
import { PushRefusal } from './pushRefusal.ts';
import type { RefusalContext } from './refusal.ts';
import { fetchMissing, readRemoteTips } from './remoteTips.ts';
import { githubMessages } from '../../messages/github.ts';

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
  readonly sight: PullsState | undefined;
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
  known?: PullsState,
): Promise<Decided> {
  const { signal } = options;
  const { asked, local } = await askRemotes(workspace, snapshot, worktrees, options);
  const { sight, problem } = known ? { sight: known } : await askHost(workspace, snapshot, asked, options);
  const groups: Group[] = [];
  for (const { remote, context, members, tips } of asked) {
    const pulls = sight && (await pullsOf(sight, members, tips, signal));
    const steps: PushStep[] = [];
    for (const member of members) {
      const remoteTip = tips.get(member.branch);
      const rewrite = options.rewrite === true;
      const force = options.force === true;
      const keepsClosed =
        sight !== undefined &&
        options.replaces !== true &&
        isKeptClosed(sight.found.get(member.branch), member, remoteTip);
      const author = authorOf(member, sight);
      const question = { member, tip: member.tip, remote, remoteTip, rewrite, force, keepsClosed, author };
      try {
        const way = await decide(workspace, { ...question, pull: pulls?.get(member.branch) }, signal);
        if (author !== undefined && way.kind !== 'unchanged')
          options.onNote?.(githubMessages.pushedToAnother({ name: member.worktree.name, author }));
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

/** Whose branch it is, where it is somebody else's: as GitHub says, or as it was recorded. */
export function authorOf(
  { branch, worktree: { entry } }: Pick<StackedWorktree, 'branch' | 'worktree'>,
  sight: PullsState | undefined,
): string | undefined {
  const recorded = entry?.branch === branch ? entry.pr : undefined;
  const found = sight?.found.get(branch);
  return found?.state === 'open' && sight ? sight.authors.get(branch) : recorded?.author;
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
    const what =
      members.length === 1 ? (members[0]?.worktree.name ?? '') : githubMessages.stackOf({ count: members.length });
    await noteWhere(workspace, remotes, remote, members, options);
    const context = { remote: remote.name, what, command: options.command ?? `wt push ${members[0]?.worktree.name}` };
    progress?.(githubMessages.askingRemote({ remote: remote.name }));
    const names = members.map(({ branch }) => branch);
    const also = snapshot.trunk === undefined ? all : [...all, snapshot.trunk];
    const tips = await readRemoteTips(workspace, remote, names, context, signal, also);
    const own = new Map([...tips].filter(([branch]) => names.includes(branch)));
    await fetchMissing(workspace, remote, own, context, signal);
    asked.push({ remote, context, members, tips });
  }
  return { asked, local: new Map([...branches.local].map(([name, { oid }]) => [name, oid])) };
}

async function pullsOf(
  { found, place }: PullsState,
  members: readonly (StackedWorktree & { tip: string })[],
  tips: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, PushedPull>> {
  const pulls = new Map<string, PushedPull>();
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
    const { number, head, draft, approved = more?.review === 'approved' } = pull;
    const state = pull.queued || more?.state === 'queued' ? 'queued' : pull.state;
    const { entry } = member.worktree;
    // One that was over long ago, of a branch of the same name, says nothing about this one.
    const isOwn = entry?.pr?.number === number || lastPushedOf(entry)?.oid === head.oid;
    if (isOwn || state === 'open' || state === 'queued')
      pulls.set(member.branch, { number, state, headCommit: head.oid, draft, approved });
  }
  return pulls;
}

/** Reviews and the merge queue matter only for what is about to move; that they cannot be asked keeps nobody from pushing. */
async function reviewsOf(
  github: GitHub,
  numbers: ReadonlyMap<string, number>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, PullRequestStatus> | undefined> {
  try {
    return await askAboutBranches(github, [...numbers.keys()], { numbers, heads: [] }, signal);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return undefined;
  }
}
