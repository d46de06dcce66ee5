import type { Problem } from '../../base/problem.ts';
import type { Snapshot, Worktree } from '../../worktree/model.ts';
import { pullRequestState } from '../../repository/standing.ts';
import { quoted } from '../../base/quoted.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { carryOutPlan, type CarriedOut } from '../plan/carryOut.ts';
import { makePlan } from '../plan/makePlan.ts';
import { orderByRecords } from '../plan/orderByRecords.ts';
import { recordBases } from '../plan/recordBases.ts';
import { tellPlan, wishesOf, type PlanAbout } from '../plan/wishes.ts';
import { pushTogether, results } from '../push/pushTogether.ts';
import { authorOf, decideAll, type Decided, type Group, type PushStep } from '../push/decideAll.ts';
import { lastPushedOf } from '../push/lastPushed.ts';
import type { PlannedPush, Pushed, PushOptions } from '../push/model.ts';
import { githubMessages } from '../../messages/github.ts';

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
  const decided = await decideAll(workspace, snapshot, worktrees, options);
  const { groups, sight } = decided;
  if (sight) {
    const { signal } = options;
    const { wishes } = await wishesOf(workspace, worktrees, { ...decided, sight }, { signal });
    await makePlan(workspace, { groups, sight, wishes, command: commandOf(worktrees, options) });
  }
  return groups.flatMap(({ remote, steps }) =>
    steps.map(({ member, member: { worktree, branch, tip }, way, before }) => ({
      ...{ name: worktree.name, branch, remote: remote.name, how: results[way.kind], oid: tip, before },
      author: authorOf(member, sight),
    })),
  );
}

/**
 * Pushes the branches of worktrees, several of one remote all or none (twenty at a time), or one after the other where the server cannot
 * do that. Never the trunk, never by force; a branch that was rebased after it was pushed as `after_rebase` says. The pull requests of
 * these branches are given their bases, in an order in which GitHub takes none of the stack for merged. What was pushed
 * is recorded in the registry.
 *
 * @param worktrees each after its base.
 * @throws Problem `push-refused`, `offline`, `no-token`, `not-found` (no remote), `cancelled`; nothing was pushed then; for more than
 *   twenty branches, or on such a server, those before were, which the problem says.
 */
export async function pushBranches(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: PushOptions = {},
): Promise<Pushed[]> {
  const left: Problem[] = [];
  const onLeft = options.onLeft ?? ((_, problem: Problem) => void left.push(problem));
  const how = { ...options, onLeft };
  const decided = await decideAll(workspace, snapshot, worktrees, how);
  for (const worktree of worktrees) noteRenamed(worktree, options.onNote);
  const { groups, sight } = decided;
  const command = commandOf(worktrees, options);
  let pushed: Pushed[];
  if (sight) {
    const { wishes, past } = await wishesOf(workspace, worktrees, { ...decided, sight }, options);
    const plan = await makePlan(workspace, { groups, sight, wishes, command, signal: options.signal });
    pushed = (await pushPlanned(workspace, snapshot, { groups, sight, plan, past }, how)).pushed;
  } else {
    pushed = await pushUnasked(workspace, snapshot, decided, how, command);
  }
  const [first] = left;
  if (first) throw first;
  return pushed;
}

/** The pull request of a branch that was renamed here goes on showing the branch of the old name. */
function noteRenamed({ name, branch, entry }: Worktree, onNote: PushOptions['onNote']): void {
  const state = pullRequestState(entry);
  if (!entry?.pr || branch === undefined || state === 'merged' || state === 'closed') return;
  // What was pushed last has the name that its pull request knows.
  const former = lastPushedOf(entry)?.ref.replace(/^refs\/heads\//, '') ?? entry.branch;
  if (former === branch) return;
  const { number } = entry.pr;
  onNote?.(githubMessages.branchRenamed({ number, name, former, branch, word: quoted(name) }));
}

/** What a planned push has done. */
export interface PushedPlan extends CarriedOut {
  readonly pushed: Pushed[];
}

/** Carries out a plan: its pushes, and the bases of pull requests before and after them. */
export async function pushPlanned(
  workspace: Workspace,
  snapshot: Snapshot,
  about: PlanAbout,
  options: PushOptions,
): Promise<PushedPlan> {
  const { groups, sight, plan } = about;
  const pushed = new Map<PushStep, Pushed>();
  const push = async (steps: readonly PushStep[]): Promise<void> => {
    for (const each of await pushSteps(workspace, groups, steps, options)) {
      const step = steps.find(({ member }) => member.branch === each.branch);
      if (step) pushed.set(step, each);
    }
  };
  await push(groups.flatMap(({ steps }) => steps.filter(({ way }) => way.kind === 'unchanged')));
  const done = await carryOutPlan(workspace, plan, {
    ...{ github: sight.place.github, progress: options.progress, signal: options.signal },
    push: (pushes) => push(pushes.flatMap(({ ref }) => plan.pushes.get(ref) ?? [])),
  });
  if (options.quiet !== true) tellPlan(snapshot, about, done, options);
  await recordBases(workspace, plan, done);
  const inOrder = groups.flatMap(({ steps }) => steps.flatMap((step) => pushed.get(step) ?? []));
  return { ...done, pushed: inOrder };
}

/** Pushes without GitHub: in an order in which what is recorded of its pull requests comes to no harm. */
async function pushUnasked(
  workspace: Workspace,
  snapshot: Snapshot,
  { groups, unasked }: Decided,
  options: PushOptions,
  command: string,
): Promise<Pushed[]> {
  const all = groups.flatMap(({ steps }) => steps);
  const { signal } = options;
  const order = await orderByRecords(workspace, snapshot, groups, { unasked, command, signal });
  const pushed: Pushed[] = [];
  const still = all.filter(({ way }) => way.kind === 'unchanged');
  for (const steps of [still, ...order]) pushed.push(...(await pushSteps(workspace, groups, steps, options)));
  return all.flatMap(({ member }) => pushed.find(({ branch }) => branch === member.branch) ?? []);
}

async function pushSteps(
  workspace: Workspace,
  groups: readonly Group[],
  steps: readonly PushStep[],
  options: PushOptions,
): Promise<Pushed[]> {
  const pushed: Pushed[] = [];
  for (const { remote, context, steps: its } of groups) {
    const own = its.filter((step) => steps.includes(step));
    for (let from = 0; from < own.length; from += mostAtOnce) {
      if (own.some(({ way }) => way.kind !== 'unchanged'))
        options.progress?.(githubMessages.pushing({ what: context.what, remote: remote.name }));
      pushed.push(...(await pushTogether(workspace, remote, own.slice(from, from + mostAtOnce), context, options)));
    }
  }
  return pushed;
}

const commandOf = ([first]: readonly Worktree[], { command }: PushOptions): string =>
  command ?? `wt push ${first?.name ?? ''}`;
