import { Problem } from '../../base/problem.ts';
import type { Progress, Snapshot, Worktree } from '../../worktrees/model.ts';
import { readAllBranches } from '../../worktrees/read/trunk.ts';
import type { Workspace } from '../../worktrees/workspace.ts';
import type { PullRequestFact, PullRequestFacts } from '../facts.ts';
import { pushRemoteOf, readRemotes, type Remote } from '../remotes.ts';
import type { Member } from '../stackMembers.ts';
import { decide, type Way } from './decide.ts';
import { lastPushedOf, recordPushed } from './lastPushed.ts';
import { noteWhere } from './noteWhere.ts';
import { pushableMember } from './pushable.ts';
import type { RefusalContext } from './refusal.ts';
import { fetchMissing, readRemoteTips } from './remoteTips.ts';
import { runPush } from './runPush.ts';
import { joinWithRemote, type Joined } from './sameContent.ts';

/** How a push is done. */
export interface PushOptions {
  /** The person allows to replace what was pushed, whatever the team has configured. */
  readonly rewrite?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
  /** Gets what hooks and the server said, as it is. */
  readonly onWords?: (text: string) => void;
  /** Gets a sentence about where it is pushed, where that is not what a person would expect. */
  readonly onNote?: ((sentence: string) => void) | undefined;
  /** Asked about branches that the remote lost, and about those that would be rewritten; its failures are no obstacle. */
  readonly facts?: PullRequestFacts | undefined;
  /** The command to name as a next step; default `wt push <name>`. */
  readonly command?: string;
}

/** What a push would do with one branch. */
export interface PlannedPush {
  readonly name: string;
  readonly branch: string;
  readonly remote: string;
  readonly how: Pushed['how'];
  /** The last commit here, and the one that the remote has. */
  readonly oid: string;
  readonly before: string | undefined;
}

/** A branch that is where it belongs now. */
export interface Pushed {
  readonly name: string;
  readonly branch: string;
  readonly remote: string;
  readonly oid: string;
  /** What the remote had before. */
  readonly before: string | undefined;
  readonly how: 'created' | 'forwarded' | 'rewritten' | 'joined' | 'unchanged';
}

interface Step {
  readonly member: Member & { tip: string };
  readonly way: Way;
  readonly before: string | undefined;
}

/** More refs in one command than this have made servers fail. */
const mostAtOnce = 20;

/**
 * Works out what pushing the branches of worktrees would do; asks the remote, and pushes nothing.
 *
 * @throws Problem as {@link pushBranches}, as far as it can be told beforehand.
 */
export async function planPush(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: PushOptions = {},
): Promise<PlannedPush[]> {
  const groups = await decideAll(workspace, snapshot, worktrees, options);
  return groups.flatMap(({ remote, steps }) =>
    steps.map(({ member: { worktree, branch, tip }, way, before }) => ({
      ...{ name: worktree.name, branch, remote: remote.name, how: results[way.kind], oid: tip, before },
    })),
  );
}

/**
 * Pushes the branches of worktrees, several of one remote all or none (twenty at a time), or one after the other where the server cannot
 * do that. Never the trunk, never by force; a branch that was rebased after it was pushed as `after_rebase` says. What was pushed is
 * recorded in the registry.
 *
 * @param worktrees each after the one that it stands on.
 * @throws Problem `push-refused`, `offline`, `no-token`, `not-found` (no remote), `cancelled`; nothing was pushed then; for more than
 *   twenty branches, or on such a server, those before were, which the problem says.
 */
export async function pushBranches(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: PushOptions = {},
): Promise<Pushed[]> {
  const pushed: Pushed[] = [];
  for (const { remote, context, steps } of await decideAll(workspace, snapshot, worktrees, options)) {
    for (let from = 0; from < steps.length; from += mostAtOnce) {
      options.progress?.(`Pushing ${context.what} to ${remote.name}`);
      pushed.push(...(await pushTogether(workspace, remote, steps.slice(from, from + mostAtOnce), context, options)));
    }
  }
  return pushed;
}

/** The branches that go to one remote, and how each gets there. */
interface Group {
  readonly remote: Remote;
  readonly context: RefusalContext;
  readonly steps: readonly Step[];
}

async function decideAll(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: PushOptions,
): Promise<Group[]> {
  const { configuration } = workspace;
  const { signal, progress } = options;
  const [remotes, branches] = await Promise.all([
    readRemotes(workspace, { hosts: false, signal }),
    readAllBranches(workspace, signal),
  ]);
  const byRemote = new Map<Remote, (Member & { tip: string })[]>();
  for (const worktree of worktrees) {
    const configured = configuration.stack.remote;
    const remote = pushRemoteOf(remotes, worktree.branch ?? '', configured);
    const member = pushableMember(snapshot, branches, worktree, remote.name);
    byRemote.set(remote, [...(byRemote.get(remote) ?? []), member]);
  }
  const groups: Group[] = [];
  for (const [remote, members] of byRemote) {
    const what = members.length === 1 ? (members[0]?.worktree.name ?? '') : `the stack of ${members.length} branches`;
    await noteWhere(workspace, remotes, remote, members, options);
    const context = { remote: remote.name, what, command: options.command ?? `wt push ${members[0]?.worktree.name}` };
    progress?.(`Asking ${remote.name} what it has`);
    const names = members.map(({ branch }) => branch);
    const tips = await readRemoteTips(workspace, remote, names, context, signal);
    await fetchMissing(workspace, remote, tips, context, signal);
    const facts = await factsFor(members, tips, options);
    const steps: Step[] = [];
    for (const member of members) {
      const { branch, tip } = member;
      const rewrite = options.rewrite === true;
      const question = { member, tip, remote, remoteTip: tips.get(branch), rewrite };
      const way = await decide(workspace, { ...question, fact: facts.get(branch) }, signal);
      steps.push({ member, way, before: tips.get(branch) });
    }
    groups.push({ remote, context, steps });
  }
  return groups;
}

/** GitHub is asked only where its answer would change something: for a branch that is gone there, and for one that has parted. */
async function factsFor(
  members: readonly (Member & { tip: string })[],
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
    return new Map(
      [...found].filter(([branch, fact]) =>
        isOf(
          members.find((each) => each.branch === branch),
          fact,
        ),
      ),
    );
  } catch (thrown) {
    // Pushing needs git and nothing else.
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return new Map();
  }
}

function isOf(member: Member | undefined, { number, headCommit }: PullRequestFact): boolean {
  const entry = member?.worktree.entry;
  return entry?.pr?.number === number || (headCommit !== undefined && lastPushedOf(entry)?.oid === headCommit);
}

async function pushTogether(
  workspace: Workspace,
  remote: Remote,
  steps: readonly Step[],
  context: RefusalContext,
  options: PushOptions,
): Promise<Pushed[]> {
  const open = steps.filter(({ way }) => way.kind !== 'unchanged');
  const joined = new Map<string, Joined>();
  let left = open;
  let problem: Error | undefined;
  try {
    for (const { member, way } of open) {
      if (way.kind !== 'join') continue;
      joined.set(member.branch, await joinMember(workspace, member, way.remoteTip, options.signal));
    }
    const refs = open.map(({ member, way }) => ({ ...member, lease: way.kind === 'rewrite' ? way.lease : undefined }));
    const outcome = await runPush(workspace, remote, refs, context, options);
    left = open.slice(outcome.arrived);
    problem = outcome.problem;
  } catch (thrown) {
    problem = thrown instanceof Error ? thrown : new Error(String(thrown));
  }
  // What could not be pushed is put back as it was; the next try joins it anew.
  for (const { member } of left)
    await joined
      .get(member.branch)
      ?.undo()
      .catch(() => undefined);
  const there = steps.filter((step) => !left.includes(step));
  const pushed = there.map(({ member, way, before }): Pushed => {
    const oid = joined.get(member.branch)?.tip ?? member.tip;
    return {
      name: member.worktree.name,
      branch: member.branch,
      remote: remote.name,
      oid,
      before,
      how: results[way.kind],
    };
  });
  const records = pushed.map(
    ({ branch, oid }) => [branch, { remote: remote.name, ref: `refs/heads/${branch}`, oid }] as const,
  );
  if (problem === undefined || left.length < open.length) await recordPushed(workspace, new Map(records));
  if (problem !== undefined) throw problem;
  return pushed;
}

const results = {
  unchanged: 'unchanged',
  create: 'created',
  forward: 'forwarded',
  rewrite: 'rewritten',
  join: 'joined',
} as const;

async function joinMember(
  workspace: Workspace,
  { branch, tip, base, worktree }: Step['member'],
  remoteTip: string,
  signal: AbortSignal | undefined,
): Promise<Joined> {
  const { git, repository } = workspace;
  const { name, entry } = worktree;
  const at = { cwd: repository.commonDir, signal };
  const args = [`--git-dir=${repository.commonDir}`, 'merge-base'];
  const holds = async (ancestor: string, of: string): Promise<boolean> =>
    (await git.run([...args, '--is-ancestor', ancestor, of], at)).exitCode === 0;
  const recorded = entry?.baseCommit;
  const shared = await git.line([...args, `refs/heads/${base}`, tip], at);
  // Somebody who rebases by hand records nothing: of both the one nearer to the tip counts.
  const known = recorded !== undefined && (await holds(recorded, tip)) ? recorded : undefined;
  const stands = known !== undefined && (shared === undefined || !(await holds(known, shared))) ? known : shared;
  if (stands === undefined) {
    throw new Problem('push-refused', `${name} was not pushed: it is not known which commit it stands on.`, {
      next: `push it with a lease instead: \`wt push ${name} --rewrite\``,
      outcome: 'incomplete',
    });
  }
  return joinWithRemote(workspace, { branch, name, tip, remoteTip, newBase: stands }, signal);
}
