import type { Workspace } from '../../worktree/workspace.ts';
import { branchTip, getPullRequest } from '../operations.ts';
import type { PullRepositories } from '../pulls/repositories.ts';
import { restoredOf } from '../pulls/restoredBranch.ts';
import type { PullsState } from '../pulls/readPulls.ts';
import type { PullRequest } from '../pullRequest.ts';
import { fetchMissing } from '../push/remoteTips.ts';
import { PushRefusal } from '../push/pushRefusal.ts';
import type { Group, PushStep } from '../push/decideAll.ts';
import { History } from '../../stack/history.ts';
import { nameOf } from '../remoteUrl.ts';
import { faultsOf } from './checkPlan.ts';
import { namesOf, type BasePlan, type PlanPull, type PlanSituation } from './model.ts';
import { planBases } from './planBases.ts';
import { githubMessages } from '../../messages/github.ts';

/** What is to be brought together. */
export interface PlanQuestion {
  readonly groups: readonly Group[];
  readonly sight: PullsState;
  /** What the pull requests of branches are to be into; those that are left out stay where they are. */
  readonly wishes: ReadonlyMap<string, string>;
  /** The command that was given, for the next step. */
  readonly command: string;
  readonly signal?: AbortSignal | undefined;
}

/** A plan, and what it was made from. */
export interface MadePlan extends BasePlan {
  readonly situation: PlanSituation;
  /** The open and the revived pull requests that it is about, by number. */
  readonly pulls: ReadonlyMap<number, PullRequest>;
  /** The step of a branch that is pushed, by its name in the plan. */
  readonly pushes: ReadonlyMap<string, PushStep>;
}

/**
 * Plans the pushes that were decided together with the bases of all pull requests that they may touch, and checks the plan on paper.
 *
 * @throws PushRefusal `contained` when GitHub would take a pull request for merged whatever is done first.
 */
export async function makePlan(workspace: Workspace, question: PlanQuestion): Promise<MadePlan> {
  const { sight, command, signal } = question;
  const about = pullsOf(question);
  const pushes = pushesOf(question);
  const refs = await refsOf(question, about);
  const made = async (fixed: ReadonlySet<number>): Promise<MadePlan> => {
    const situation = await situationOf(workspace, question, { about, pushes, refs, fixed });
    const plan = planBases(situation);
    if ('stuck' in plan) throw noOrder(plan.stuck, about, command);
    const faults = faultsOf(situation, plan.steps);
    if (faults.length > 0) throw noOrder(situation.pulls, about, command, faults);
    return { ...plan, situation, pulls: new Map([...about].map(([number, { pull }]) => [number, pull])), pushes };
  };
  let plan = await made(new Set());
  if (await fetchBases(workspace, question, plan)) plan = await made(new Set());
  const moving = new Set(plan.steps.flatMap((step) => (step.kind === 'base' ? [step.number] : [])));
  if (moving.size === 0) return plan;
  // GraphQL does not tell which are in one of GitHub's own stacks, where it sets the bases itself; REST does.
  const fixed = new Set<number>();
  const unsure = [...moving].filter((number) => about.get(number)?.pull.approved !== undefined);
  for (const number of unsure) if ((await getPullRequest(sight.place.github, number, signal))?.stack) fixed.add(number);
  return fixed.size === 0 ? plan : made(fixed);
}

/** Brings what pull requests are to be into, and is not here: whether they would be contained in it only its commits tell. */
async function fetchBases(workspace: Workspace, { groups, signal }: PlanQuestion, plan: MadePlan): Promise<boolean> {
  const bases = new Set(plan.steps.flatMap((step) => (step.kind === 'base' ? [step.to] : [])));
  let fetched = 0;
  for (const { remote, context, tips } of groups) {
    const some = new Map([...tips].filter(([branch]) => bases.has(branch)));
    if (some.size > 0) fetched += await fetchMissing(workspace, remote, some, context, signal);
  }
  return fetched > 0;
}

interface About {
  readonly pull: PullRequest;
  readonly plan: PlanPull;
}

/** The name of a pull request's branch in a plan: a branch of a fork is no base. */
function headOf({ github }: PullRepositories, { head }: PullRequest): string {
  const { repository, branch } = head;
  const here = repository === undefined || repository.toLowerCase() === nameOf(github.repository).toLowerCase();
  return here ? branch : `${repository.split('/')[0]}:${branch}`;
}

function pullsOf({ sight, wishes, groups }: PlanQuestion): Map<number, About> {
  const { place, stack, found, others, dependents } = sight;
  const tips = new Map(groups.flatMap((group) => [...group.tips]));
  const all = new Map<number, About>();
  const add = (pull: PullRequest, more: Partial<PlanPull>): void => {
    const { number, base } = pull;
    const stacked = pull.stack ? { fixed: true } : {};
    all.set(number, { pull, plan: { number, head: headOf(place, pull), base: base.branch, ...more, ...stacked } });
  };
  for (const [branch, pull] of found) {
    const wish = wishes.get(branch);
    if (pull.state === 'open') add(pull, { wish });
    if (pull.state !== 'closed' || wish === undefined) continue;
    const restored = restoredOf(stack.branches.get(branch)?.worktree.entry);
    const gone = pull.baseGone === true || restored?.branch === pull.base.branch;
    const isThere = !tips.has(branch) || tips.get(branch) === pull.head.oid;
    if (gone && isThere) add(pull, { wish, closedAt: restored?.oid ?? pull.base.oid });
  }
  for (const pull of [...others.values()].flat()) if (!all.has(pull.number)) add(pull, { fixed: true });
  for (const pull of dependents) if (!all.has(pull.number)) add(pull, {});
  return all;
}

function pushesOf({ groups, sight }: PlanQuestion): Map<string, PushStep> {
  const moving = groups.flatMap(({ steps }) => steps.filter(({ way }) => way.kind !== 'unchanged'));
  return new Map(moving.map((step) => [sight.place.heads.get(step.member.branch)?.name ?? step.member.branch, step]));
}

/** The last commits on GitHub of everything that matters, as the remotes say it now; GitHub itself is asked for what they do not have. */
async function refsOf(
  { groups, sight, wishes, signal }: PlanQuestion,
  about: ReadonlyMap<number, About>,
): Promise<Map<string, string>> {
  const { place } = sight;
  const refs = new Map<string, string>();
  for (const { tips, steps } of groups) {
    const isFork = steps.some(({ member }) => place.heads.get(member.branch)?.fork);
    for (const [branch, oid] of tips) {
      const head = place.heads.get(branch);
      if (head?.fork) refs.set(head.name, oid);
      if (!isFork) refs.set(branch, oid);
    }
  }
  for (const { pull, plan } of about.values()) {
    if (pull.state === 'open' && !refs.has(plan.head)) refs.set(plan.head, pull.head.oid);
  }
  const pushed = new Set(groups.flatMap(({ steps }) => steps.map(({ member }) => member.branch)));
  const open = [...about.values()].filter(({ pull }) => pull.state === 'open').map(({ plan }) => plan.base);
  const missing = [...open, ...wishes.values()].filter((base) => !refs.has(base) && !pushed.has(base));
  for (const base of new Set(missing)) {
    const tip = await branchTip(place.github, base, signal);
    if (tip !== undefined) refs.set(base, tip);
  }
  return refs;
}

async function situationOf(
  { git, repository }: Workspace,
  { wishes, sight, signal }: PlanQuestion,
  {
    about,
    pushes,
    refs,
    fixed,
  }: {
    readonly about: ReadonlyMap<number, About>;
    readonly pushes: ReadonlyMap<string, PushStep>;
    readonly refs: ReadonlyMap<string, string>;
    readonly fixed: ReadonlySet<number>;
  },
): Promise<PlanSituation> {
  const moving = [...pushes].map(([ref, { member }]) => ({ ref, to: member.tip }));
  const olds = [...about.values()].flatMap(({ pull, plan }) => [pull.head.oid, plan.closedAt ?? pull.head.oid]);
  const commits = [...refs.values(), ...moving.map(({ to }) => to), ...olds];
  const history = await History.read(git, repository.commonDir, commits, signal);
  const { trunk, branches } = sight.stack;
  const last = new Map([...refs, ...moving.map(({ ref, to }) => [ref, to] as const)]);
  const isMergedByHand = ({ head, base }: PlanPull): boolean =>
    [refs.get(head), last.get(head)].some(
      (tip) =>
        tip !== undefined && history.isMergedInto(tip, last.get(base) ?? '') && refs.get(base) !== last.get(base),
    );
  // GitHub is right about a branch that somebody has merged: it closes the pull request when the merge arrives.
  const pulls = [...about.values()].map(({ plan }) => plan).filter((plan) => !isMergedByHand(plan));
  const heads = new Set(pulls.map(({ head }) => head));
  const creations = [...wishes].flatMap(([branch, base]) => {
    const head = sight.place.heads.get(branch)?.name ?? branch;
    return heads.has(head) && pulls.some((pull) => pull.head === head && !pull.fixed) ? [] : [{ head, base }];
  });
  const restored = [...branches.values()].flatMap(({ worktree: { entry } }) => {
    const known = restoredOf(entry);
    return known && refs.get(known.branch) === known.oid ? [known.branch] : [];
  });
  const joins = new Map([...pushes].flatMap(([ref, { way }]) => (way.kind === 'join' ? [[ref, way.remoteTip]] : [])));
  return {
    refs,
    pushes: moving.map(({ ref, to }) =>
      joins.has(ref) ? { ref, to: `${joined}${to}:${joins.get(ref)}` } : { ref, to },
    ),
    pulls: pulls.map((plan) => (fixed.has(plan.number) ? { ...plan, fixed: true } : plan)),
    creations,
    ...{ restored, trunk, contains: withJoined(history) },
  };
}

const joined = 'joined:';

/** The commit that a branch is joined with its former self by is not there yet: it has what both have, and is in nothing. */
function withJoined(history: History): PlanSituation['contains'] {
  return (commit, of) => {
    if (commit === of) return true;
    if (commit.startsWith(joined)) return false;
    if (!of.startsWith(joined)) return history.isAncestor(commit, of);
    return of
      .slice(joined.length)
      .split(':')
      .some((each) => history.isAncestor(commit, each));
  };
}

function noOrder(
  stuck: readonly PlanPull[],
  about: ReadonlyMap<number, About>,
  command: string,
  items: readonly string[] = [],
): PushRefusal {
  const [first] = stuck;
  const url = about.get(first?.number ?? 0)?.pull.url;
  return new PushRefusal(
    'contained',
    githubMessages.wouldCountAsMerged({
      count: stuck.length,
      names: namesOf(stuck),
    }),
    {
      next: githubMessages.giveAnotherBase({
        count: stuck.length,
        url: url === undefined ? '' : githubMessages.address({ url }),
        command,
      }),
      items,
    },
  );
}
