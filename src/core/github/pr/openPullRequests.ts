import { Problem } from '../../base/problem.ts';
import type { Snapshot, Worktree } from '../../worktree/model.ts';
import { readAllBranches } from '../../snapshot/trunk.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { HostSession } from '../connect.ts';
import { HostProblem } from '../failure.ts';
import { getPullRequest } from '../operations.ts';
import { makePlan } from '../plan/makePlan.ts';
import { findUnpushed, goingBack, skipUnpushed } from '../plan/unpushed.ts';
import { whySkipped } from '../plan/wishes.ts';
import type { PullRequest } from '../pullRequest.ts';
import { recordFoundPulls } from '../push/askHost.ts';
import { decideAll } from '../push/decideAll.ts';
import { pushPlanned } from '../publish/pushBranches.ts';
import type { Pushed, PushOptions } from '../push/model.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import { openOne, toOpened, type Done, type Opened } from './openOne.ts';
import { mayBeAnothers, refuseAnothers } from './anothers.ts';
import { registerStack, type NativeStack } from './nativeStack.ts';
import { requireReachableBase } from '../pulls/repositories.ts';
import { recordOthers, recordPullRequest } from '../pulls/record.ts';
import { findRenamedHeads, refuseRenamed } from './renamedHeads.ts';
import { readPulls, type PullsState } from '../pulls/readPulls.ts';
import type { PullRequestOptions } from './options.ts';
import { updateTables } from './tables.ts';
import { targetsOf, type PullTarget } from './targets.ts';
import { githubMessages } from '../../messages/github.ts';

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
  /** Each after its base. */
  readonly pullRequests: readonly Opened[];
  /** Branches without commits of their own, which get no pull request. */
  readonly empty: readonly string[];
  /** What waits for a person; everything else was done. */
  readonly left: readonly Left[];
  /** `undefined` when it was not asked for, or the repository has none. */
  readonly native: NativeStack | undefined;
}

/**
 * Pushes a branch, or its whole stack, and makes sure that each has an open pull request into its base: new ones are
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
  const around = worktreeGraph(snapshot).stackOf(worktree.branch);
  const own = around.filter((member) => member.worktree === worktree);
  if (own.length === 0) {
    throw new Problem('push-refused', githubMessages.gotNoPull({ name: worktree.name }), {
      next: githubMessages.workWorktreeOwn(),
      outcome: 'incomplete',
    });
  }
  const branches = await readAllBranches(workspace, signal);
  const tips = new Map(around.flatMap(({ branch }) => [[branch, branches.local.get(branch)?.oid ?? '']]));
  progress?.(githubMessages.askingGitHub());
  const members = options.stack ? around : own;
  const wanted = new Set(members.map(({ branch }) => branch));
  const seen = await readPulls(workspace, snapshot, session, { members: around, wanted, tips }, signal);
  const sight: PullsState = { ...seen, renamed: await findRenamedHeads(seen, members, branches, signal) };
  const { found, place, renamed } = sight;
  await recordFoundPulls(workspace, found, signal);
  await recordOthers(workspace, sight, around);
  const targets = await targetsOf(workspace, members, sight, branches, signal);
  const empty = targets.filter(({ description }) => description.commits === 0);
  if (empty.length > 0 && !options.stack) {
    throw new Problem('host-refused', githubMessages.gotNoPullRequest({ name: worktree.name }), {
      next: githubMessages.commitSomethingFirst(),
      outcome: 'incomplete',
    });
  }
  const merged = targets.filter(({ member }) => found.get(member.branch)?.state === 'merged');
  const left = new Map<string, Left>();
  const leave = (member: Pick<StackedWorktree, 'worktree' | 'branch'>, thrown: unknown): void => {
    if (!isForPerson(thrown) || !options.stack) throw thrown;
    left.set(member.branch, {
      ...{ worktree: member.worktree, number: found.get(member.branch)?.number, problem: thrown },
    });
  };
  const live: PullTarget[] = [];
  const asTheyAre: Opened[] = [];
  for (const target of targets) {
    const { member } = target;
    if (merged.includes(target) || target.description.commits === 0) continue;
    // The repository of this one is gone: what is opened now takes its place.
    const pull = found.get(member.branch);
    if (options.replace === true && pull?.state === 'open' && pull.head.repository === undefined)
      found.delete(member.branch);
    const author = options.takeOver === true ? undefined : sight.authors.get(member.branch);
    if (options.stack && author !== undefined && pull && isAsMeant(pull, target, tips)) {
      const note = githubMessages.pullOfAnotherAsIs({ number: pull.number, author });
      asTheyAre.push(toOpened(member, pull, 'unchanged', note));
      continue;
    }
    const refused = await refuseAnothers(sight, session, { ...member, author }, signal).catch(
      (thrown: unknown) => thrown ?? true,
    );
    if (refused) leave(member, refused);
    else live.push(target);
  }
  for (const { member } of live) {
    const pull = renamed?.get(member.branch);
    if (pull && options.replace !== true) refuseRenamed(member, pull);
  }
  const stands = { trunk: snapshot.trunk, lowest: around[0]?.worktree.name ?? worktree.name };
  for (const { member, base } of live) {
    await requireReachableBase(place, { name: member.worktree.name, branch: member.branch, base }, stands, signal);
  }
  // One that an earlier run may lose track of is ours from now on: its base is about to change.
  for (const { member } of live) {
    const pull = found.get(member.branch);
    if (pull?.state === 'open' && member.worktree.entry?.pr?.number !== pull.number)
      await recordPullRequest(workspace, member, pull, sight.authors.get(member.branch));
  }
  const done = await push(workspace, snapshot, { live, sight, leave }, options);
  const opened: Opened[] = [
    ...asTheyAre,
    ...merged.flatMap(({ member }) => {
      const pull = found.get(member.branch);
      return pull ? [toOpened(member, pull, 'merged', githubMessages.cleanUp({ name: member.worktree.name }))] : [];
    }),
  ];
  for (const [index, target] of done.targets.entries()) {
    const { member } = target;
    if (left.has(member.branch)) continue;
    const opens = live.slice(index).filter((each) => found.get(each.member.branch)?.state !== 'open').length;
    // A new one changes the tables of all.
    const time = place.github.timeLeft(opens === 0 ? 0 : opens + around.length);
    progress?.(githubMessages.pullRequestOf({ name: member.worktree.name, index: index + 1, all: live.length, time }));
    try {
      const one = await openOne(workspace, snapshot, { target, sight, done }, options);
      if (one) opened.push(one);
    } catch (thrown) {
      leave(member, thrown);
    }
  }
  // What others have opened keeps their words.
  const isTheirs = ({ branch }: StackedWorktree): boolean =>
    mayBeAnothers(sight, session, branch) || (options.takeOver !== true && sight.authors.has(branch));
  const ours = around.filter((member) => !isTheirs(member));
  await updateTables(place, snapshot, ours, found, { progress, signal, failed: leave });
  const chain = around.flatMap(({ branch }) => found.get(branch) ?? []).filter(({ state }) => state === 'open');
  const native = options.register ? await register(sight, inOneLine(chain), signal) : undefined;
  const names = around.map(({ branch }) => branch);
  opened.sort((one, other) => names.indexOf(one.branch) - names.indexOf(other.branch));
  const without = empty.map(({ member }) => member.worktree.name);
  return { pushed: done.pushed, pullRequests: opened, empty: without, left: [...left.values()], native };
}

/** Whether nothing would have to be changed: it has the commits that are here, and the base that it is to have. */
const isAsMeant = ({ head, base }: PullRequest, target: PullTarget, tips: ReadonlyMap<string, string>): boolean =>
  base.branch === target.base && head.oid === tips.get(target.member.branch);

type Leave = (member: Pick<StackedWorktree, 'worktree' | 'branch'>, thrown: unknown) => void;

async function push(
  workspace: Workspace,
  snapshot: Snapshot,
  { live, sight, leave }: { readonly live: readonly PullTarget[]; readonly sight: PullsState; readonly leave: Leave },
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
  const { groups, local } = await decideAll(workspace, snapshot, worktrees, how, sight);
  const unpushed = await findUnpushed(workspace, { groups, local }, sight, signal);
  const targets = live.map((target) => pastUnpushed(target, { live, unpushed, sight }));
  const asked = new Map(targets.map(({ member, base }) => [member.branch, base]));
  const back = await goingBack(workspace, { groups, wishes: asked, sight }, signal);
  const wishes = new Map([...asked, ...back]);
  const plan = await makePlan(workspace, { groups, sight, wishes, command, signal });
  // What becomes of each pull request is told with it.
  const done = await pushPlanned(workspace, snapshot, { groups, sight, plan }, { ...how, quiet: true });
  for (const [number, pull] of done.changed) {
    const branch = [...sight.found].find(([, each]) => each.number === number)?.[0];
    if (branch === undefined) continue;
    const before = sight.found.get(branch);
    sight.found.set(branch, { ...pull, stack: pull.stack ?? before?.stack });
    if (back.has(branch))
      onNote?.(githubMessages.baseChanged({ number, base: pull.base.branch, before: before?.base.branch ?? '' }));
  }
  return { ...done, plan, targets };
}

/** A branch that is based on one which is not pushed gets its pull request into the nearest one below that is. */
function pastUnpushed(
  target: PullTarget,
  about: {
    readonly live: readonly PullTarget[];
    readonly unpushed: ReadonlyMap<string, PullRequest>;
    readonly sight: PullsState;
  },
): PullTarget {
  const { live, unpushed, sight } = about;
  const { base, past } = skipUnpushed(target.base, unpushed, (branch) => {
    const known = live.find(({ member }) => member.branch === branch);
    return known?.base ?? sight.stack.baseFor(branch, sight.found);
  });
  return past.length === 0 ? target : { ...target, base, note: whySkipped(target.member.worktree.name, past) };
}

/** What a person can see to, while the others go on. */
function isForPerson(thrown: unknown): thrown is Problem {
  if (thrown instanceof HostProblem) return thrown.status === 422;
  return Problem.is(thrown) && (thrown.reason === 'host-refused' || thrown.reason === 'push-refused');
}

/** Only whole answers tell of GitHub's own stacks. */
async function register(
  { place }: PullsState,
  pulls: readonly PullRequest[],
  signal: AbortSignal | undefined,
): Promise<NativeStack | undefined> {
  const whole: PullRequest[] = [];
  for (const pull of pulls)
    whole.push(pull.stack ? pull : ((await getPullRequest(place.github, pull.number, signal)) ?? pull));
  return registerStack(place.github, whole, signal);
}

/** Those from the bottom on of which each is based on the one before; GitHub's stacks have no branches to the side. */
function inOneLine(pulls: readonly PullRequest[]): PullRequest[] {
  const line: PullRequest[] = [];
  for (const pull of pulls) if (line.length === 0 || line.at(-1)?.head.branch === pull.base.branch) line.push(pull);
  return line;
}
