import { Problem } from '../../base/problem.ts';
import type { Progress, Snapshot, Worktree } from '../../worktrees/model.ts';
import { readAllBranches } from '../../worktrees/read/trunk.ts';
import type { Workspace } from '../../worktrees/workspace.ts';
import type { HostSession } from '../connect.ts';
import { HostProblem } from '../failure.ts';
import { getPullRequest } from '../operations.ts';
import { makePlan, type MadePlan } from '../plan/makePlan.ts';
import type { PullRequest } from '../pullRequest.ts';
import { recordSeen } from '../push/askHost.ts';
import { decideAll } from '../push/decideAll.ts';
import { pushPlanned, type Pushed, type PushedPlan, type PushOptions } from '../push/push.ts';
import { stackAround, type Member } from '../stackMembers.ts';
import { openPullRequest, reword, type Action, type Wish } from './ensure.ts';
import { registerStack, type NativeStack } from './nativeStack.ts';
import { requireReachableBase, trunkElsewhere } from './place.ts';
import { recordPullRequest } from './record.ts';
import { lookAtPulls, type Sight } from './sight.ts';
import { updateTables } from './tables.ts';
import { targetsOf, type Target } from './targets.ts';

/** What is wished of pull requests. */
export interface PullRequestOptions extends Pick<PushOptions, 'onWords' | 'onNote' | 'command'> {
  /** Of the whole stack instead of one branch. */
  readonly stack?: boolean;
  /** For one branch only. */
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Where the plan knows no drafts, open them ready for review. */
  readonly allowReady?: boolean;
  /** Open a new one in place of one that was closed. */
  readonly replace?: boolean;
  /** Register the stack as one of GitHub's own, where the repository has such. */
  readonly register?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** A branch and its pull request, after everything was done. */
export interface Opened {
  readonly name: string;
  readonly branch: string;
  readonly number: number;
  readonly url: string;
  readonly base: string;
  readonly draft: boolean;
  readonly action: Action | 'merged';
  /** What a person should know of it. */
  readonly note: string | undefined;
}

/** A branch whose pull request is not as it should be. */
export interface Left {
  readonly worktree: Worktree;
  /** Of its pull request, where it has one. */
  readonly number: number | undefined;
  readonly problem: Problem;
}

/** What `wt pr` has done. */
export interface OpenedAll {
  readonly pushed: readonly Pushed[];
  /** Each after the one that it stands on. */
  readonly pullRequests: readonly Opened[];
  /** Branches without commits of their own, which get no pull request. */
  readonly empty: readonly string[];
  /** What waits for a person; everything else was done. */
  readonly left: readonly Left[];
  /** `undefined` when it was not asked for, or the repository has none. */
  readonly native: NativeStack | undefined;
}

/**
 * Pushes a branch, or its whole stack, and makes sure that each has an open pull request into the branch that it stands on: new ones are
 * drafts, those that there are are brought up to date. Branches and bases move in an order in which GitHub takes none for merged. Numbers
 * and addresses go into the registry, a table of the stack into the texts.
 *
 * Of a stack what waits for a person is left and told, and the rest goes on.
 *
 * @throws Problem of the push, of GitHub, or that a branch has no commits of its own. What was done before stays; running it again goes on.
 */
export async function openPullRequests(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  session: HostSession,
  options: PullRequestOptions = {},
): Promise<OpenedAll> {
  const { signal, progress } = options;
  const around = stackAround(snapshot, worktree);
  const own = around.filter((member) => member.worktree === worktree);
  if (own.length === 0) {
    throw new Problem('push-refused', `${worktree.name} got no pull request: its branch stands on nothing.`, {
      next: 'work in a worktree of its own: `wt create <name>`',
      outcome: 'incomplete',
    });
  }
  const branches = await readAllBranches(workspace, signal);
  const tips = new Map(around.flatMap(({ branch }) => [[branch, branches.local.get(branch)?.oid ?? '']]));
  progress?.('Asking GitHub what there is');
  const members = options.stack ? around : own;
  const wanted = new Set(members.map(({ branch }) => branch));
  const sight = await lookAtPulls(workspace, snapshot, session, { members: around, wanted, tips }, signal);
  const { found, place } = sight;
  await recordSeen(workspace, found, signal);
  const targets = await targetsOf(workspace, snapshot, members, sight, branches, signal);
  const empty = targets.filter(({ words }) => words.commits === 0);
  if (empty.length > 0 && !options.stack) {
    throw new Problem('host-refused', `${worktree.name} got no pull request: it has no commits of its own.`, {
      next: 'commit something first',
      outcome: 'incomplete',
    });
  }
  const merged = targets.filter(({ member }) => found.get(member.branch)?.state === 'merged');
  const live = targets.filter((target) => !merged.includes(target) && target.words.commits > 0);
  const stands = { trunk: snapshot.trunk, lowest: around[0]?.worktree.name ?? worktree.name };
  for (const { member, base } of live) {
    await requireReachableBase(place, { name: member.worktree.name, branch: member.branch, base }, stands, signal);
  }
  // One that an earlier run may lose track of is ours from now on: its base is about to change.
  for (const { member } of live) {
    const pull = found.get(member.branch);
    if (pull?.state === 'open' && member.worktree.entry?.pr?.number !== pull.number)
      await recordPullRequest(workspace, member, pull);
  }
  const left = new Map<string, Left>();
  const leave = (member: Pick<Member, 'worktree' | 'branch'>, thrown: unknown): void => {
    if (!isForPerson(thrown) || !options.stack) throw thrown;
    left.set(member.branch, {
      ...{ worktree: member.worktree, number: found.get(member.branch)?.number, problem: thrown },
    });
  };
  const done = await push(workspace, snapshot, { live, sight, leave }, options);
  const opened: Opened[] = merged.flatMap(({ member }) => {
    const pull = found.get(member.branch);
    return pull ? [toOpened(member, pull, 'merged', `wt cleanup ${member.worktree.name}`)] : [];
  });
  for (const [index, target] of live.entries()) {
    const { member } = target;
    if (left.has(member.branch)) continue;
    const opens = live.slice(index).filter((each) => found.get(each.member.branch)?.state !== 'open').length;
    // A new one changes the tables of all.
    const time = place.github.timeLeft(opens === 0 ? 0 : opens + around.length);
    progress?.(`Pull request of ${member.worktree.name} (${index + 1} of ${live.length}${time})`);
    try {
      const one = await openOne(workspace, snapshot, { target, sight, done }, options);
      if (one) opened.push(one);
    } catch (thrown) {
      leave(member, thrown);
    }
  }
  await updateTables(place, snapshot, around, found, { progress, signal, failed: leave });
  const chain = around.flatMap(({ branch }) => found.get(branch) ?? []).filter(({ state }) => state === 'open');
  const native = options.register ? await register(sight, inOneLine(chain), signal) : undefined;
  const names = around.map(({ branch }) => branch);
  opened.sort((one, other) => names.indexOf(one.branch) - names.indexOf(other.branch));
  const without = empty.map(({ member }) => member.worktree.name);
  return { pushed: done.pushed, pullRequests: opened, empty: without, left: [...left.values()], native };
}

/** Everything that was done before pull requests are opened. */
interface Done extends PushedPlan {
  readonly plan: MadePlan;
}

type Leave = (member: Pick<Member, 'worktree' | 'branch'>, thrown: unknown) => void;

async function push(
  workspace: Workspace,
  snapshot: Snapshot,
  { live, sight, leave }: { readonly live: readonly Target[]; readonly sight: Sight; readonly leave: Leave },
  options: PullRequestOptions,
): Promise<Done> {
  const { signal, progress, onNote, onWords } = options;
  const command = options.command ?? `wt pr ${live[0]?.member.worktree.name ?? ''}`;
  const how: PushOptions = {
    ...{ signal, progress, onNote, command, replaces: options.replace === true },
    ...(onWords ? { onWords } : {}),
    onLeft: (worktree, problem) => leave({ worktree, branch: worktree.branch ?? '' }, problem),
  };
  const worktrees = live.map(({ member }) => member.worktree);
  const { groups } = await decideAll(workspace, snapshot, worktrees, how, sight);
  const wishes = new Map(live.map(({ member, base }) => [member.branch, base]));
  const plan = await makePlan(workspace, snapshot, { groups, sight, wishes, command, signal });
  // What becomes of each pull request is told with it.
  const done = await pushPlanned(workspace, snapshot, { groups, sight, plan }, { ...how, quiet: true });
  for (const [number, pull] of done.changed) {
    const branch = [...sight.found].find(([, each]) => each.number === number)?.[0];
    if (branch !== undefined) sight.found.set(branch, { ...pull, stack: pull.stack ?? sight.found.get(branch)?.stack });
  }
  return { ...done, plan };
}

async function openOne(
  workspace: Workspace,
  snapshot: Snapshot,
  { target, sight, done }: { readonly target: Target; readonly sight: Sight; readonly done: Done },
  options: PullRequestOptions,
): Promise<Opened | undefined> {
  const { member, base, words, note } = target;
  const { branch, worktree } = member;
  const { found, place, others } = sight;
  const head = place.heads.get(branch);
  if (!head) return undefined;
  const problem = done.left.get(found.get(branch)?.number ?? 0);
  if (problem && found.get(branch)?.state === 'open') throw problem;
  const before = done.plan.pulls.get(found.get(branch)?.number ?? 0);
  const wish: Wish = {
    ...{ name: worktree.name, branch, head, base, words, title: options.title, body: options.body },
    allowReady: options.allowReady === true,
  };
  const there = found.get(branch);
  const notes = [note, ...(others.get(branch) ?? []).map(notOurs)];
  if (base === snapshot.trunk) notes.push(trunkElsewhere(place, branch, workspace.configuration.stack.remote));
  let pull: PullRequest;
  let action: Action;
  if (there?.state === 'open') {
    pull = await reword(place.github, wish, there, options.signal);
    const recorded = worktree.entry?.pr?.number === pull.number;
    const revived = before?.state === 'closed';
    const changed = pull !== there || before?.base.branch !== there.base.branch;
    action = revived ? 'rescued' : !recorded ? 'adopted' : changed ? 'updated' : 'unchanged';
    if (pull.base.branch !== base) notes.unshift(await whyNot(sight, pull, base, options.signal));
  } else {
    const replaces = there?.state === 'closed' ? replaced(there, member, options) : undefined;
    if (replaces) notes.unshift(replaces.note);
    ({ pull, action } = await openPullRequest(place.github, { ...wish, replaces: replaces?.text }, options.signal));
  }
  found.set(branch, { ...pull, stack: pull.stack ?? there?.stack });
  await recordPullRequest(workspace, member, pull);
  return toOpened(
    member,
    pull,
    action,
    notes.find((each) => each !== undefined),
  );
}

/**
 * What is said of a new pull request in place of a closed one. Of one that was closed with its base, and cannot be opened again, that is
 * clear; else a person decides.
 */
function replaced(
  closed: PullRequest,
  { worktree }: Member,
  { replace }: PullRequestOptions,
): { readonly text: string; readonly note: string } | undefined {
  const { number, url } = closed;
  const lost = closed.baseGone === true;
  if (!lost && worktree.entry?.pr?.number !== number) return undefined;
  if (!lost && replace !== true) {
    throw new Problem('host-refused', `The pull request #${number} of ${worktree.name} was closed.`, {
      next: `reopen it at ${url} and run the command again, or open another one: \`wt pr ${worktree.name} --replace\``,
      outcome: 'incomplete',
    });
  }
  const why = lost ? ', which was closed when its base was deleted' : '';
  return {
    text: `In place of #${number}${why}.`,
    note: `it takes the place of #${number}, which ${lost ? 'was closed when its base was deleted and cannot be reopened any more' : 'is closed'}`,
  };
}

function notOurs({ number, base }: PullRequest): string {
  return `#${number} of the same branch is into ${base.branch}, and was left alone`;
}

/** Why an open pull request does not have the base that it was to have. */
async function whyNot(
  { place }: Sight,
  pull: PullRequest,
  base: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const stack = pull.stack ?? (await getPullRequest(place.github, pull.number, signal))?.stack;
  return stack
    ? `it stays on ${pull.base.branch}, because it is in a stack of GitHub's own`
    : `it stays on ${pull.base.branch}: ${base} is not on GitHub, or has all of its commits`;
}

/** What a person can see to, while the others go on. */
function isForPerson(thrown: unknown): thrown is Problem {
  if (thrown instanceof HostProblem) return thrown.status === 422;
  return Problem.is(thrown) && (thrown.reason === 'host-refused' || thrown.reason === 'push-refused');
}

/** Only whole answers tell of GitHub's own stacks. */
async function register(
  { place }: Sight,
  pulls: readonly PullRequest[],
  signal: AbortSignal | undefined,
): Promise<NativeStack | undefined> {
  const whole: PullRequest[] = [];
  for (const pull of pulls)
    whole.push(pull.stack ? pull : ((await getPullRequest(place.github, pull.number, signal)) ?? pull));
  return registerStack(place.github, whole, signal);
}

/** Those from the bottom on of which each stands on the one before; GitHub's stacks have no branches to the side. */
function inOneLine(pulls: readonly PullRequest[]): PullRequest[] {
  const line: PullRequest[] = [];
  for (const pull of pulls) if (line.length === 0 || line.at(-1)?.head.branch === pull.base.branch) line.push(pull);
  return line;
}

function toOpened(
  { worktree, branch }: Member,
  pull: PullRequest,
  action: Opened['action'],
  note: string | undefined,
): Opened {
  const { number, url, draft, base } = pull;
  return { name: worktree.name, branch, number, url, base: base.branch, draft, action, note };
}
