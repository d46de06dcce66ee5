import { Problem } from '../../base/problem.ts';
import type { Progress } from '../../worktree/model.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import { branchTip, createBranch, deleteBranch, openPullRequestsInto, updatePullRequest } from '../operations.ts';
import { recordRestored } from '../pulls/restoredBranch.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { MadePlan } from './makePlan.ts';
import type { PlanPush, PlanStep } from './model.ts';
import { githubMessages } from '../../messages/github.ts';

/** How a plan is carried out. */
export interface CarryOut {
  readonly github: GitHub;
  /** Pushes branches; throws when not all arrived. */
  readonly push: (pushes: readonly PlanPush[]) => Promise<void>;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of a plan. */
export interface CarriedOut {
  /** Pull requests that were changed, as they are now, by number. */
  readonly changed: ReadonlyMap<number, PullRequest>;
  /** What was not done of it, by the number of the pull request; everything else was. */
  readonly left: ReadonlyMap<number, Problem>;
}

/**
 * Carries out a plan step by step, and looks after each whether it did what it was to do. A pull request that GitHub leaves as it is stops
 * everything while nothing was pushed, since it would not survive the push; afterwards the rest goes on. When a push fails of which nothing
 * has arrived, the pull requests get back the bases that they had.
 *
 * New pull requests are left to whoever calls.
 *
 * @throws Problem of a step that others depend on.
 */
export async function carryOutPlan(workspace: Workspace, plan: MadePlan, how: CarryOut): Promise<CarriedOut> {
  const { github, progress, signal } = how;
  const changed = new Map<number, PullRequest>();
  const left = new Map<number, Problem>();
  const lastPush = plan.steps.findLastIndex(({ kind }) => kind === 'push');
  const parked: Extract<PlanStep, { kind: 'base' }>[] = [];
  let arrived = false;
  for (const [at, step] of plan.steps.entries()) {
    switch (step.kind) {
      case 'restore': {
        const numbers = new Set(plan.situation.pulls.flatMap((each) => (each.base === step.ref ? [each.number] : [])));
        await recordRestored(workspace, step.ref, numbers, step.to);
        await createBranch(github, step.ref, step.to, signal);
        break;
      }
      case 'reopen':
        progress?.(githubMessages.reopening({ number: step.number }));
        try {
          changed.set(step.number, await updatePullRequest(github, step.number, { state: 'open' }, signal));
        } catch (thrown) {
          if (!isRefused(thrown)) throw thrown;
          left.set(step.number, thrown);
        }
        break;
      case 'base':
        if (left.has(step.number)) break;
        progress?.(githubMessages.changingBase({ number: step.number, base: step.to }));
        try {
          changed.set(step.number, await setBase(github, step.number, step.to, signal));
          if (at < lastPush) parked.push(step);
        } catch (thrown) {
          if (at < lastPush || !isRefused(thrown)) throw thrown;
          left.set(step.number, thrown);
        }
        break;
      case 'push':
        try {
          await how.push(step.pushes);
        } catch (thrown) {
          if (!arrived) await giveBack(github, plan, parked, changed);
          throw thrown;
        }
        arrived = true;
        break;
      case 'create':
        break;
      case 'delete':
        await takeAway(workspace, plan, step.ref, how);
        break;
    }
  }
  return { changed, left };
}

async function setBase(
  github: GitHub,
  number: number,
  to: string,
  signal: AbortSignal | undefined,
): Promise<PullRequest> {
  const pull = await updatePullRequest(github, number, { base: to }, signal);
  if (pull.base.branch === to && pull.state === 'open') return pull;
  throw new HostProblem(
    'host-refused',
    githubMessages.pullRequestInto({ number, state: pull.state, branch: pull.base.branch }),
    {
      next: githubMessages.lookAtIt({ url: pull.url }),
      status: 422,
      outcome: 'incomplete',
    },
  );
}

/**
 * After a push of which nothing arrived the pull requests get back the bases that they had. What a push has done is not known from how it
 * ended: a connection may break when the server has everything, or has some of it. So each is looked at; one whose branches are not as
 * they were, or cannot be looked at, stays where it is safe, and the next run gives it the base that it is to have.
 */
async function giveBack(
  github: GitHub,
  { situation }: MadePlan,
  parked: readonly Extract<PlanStep, { kind: 'base' }>[],
  changed: Map<number, PullRequest>,
): Promise<void> {
  const asBefore = async (ref: string): Promise<boolean> =>
    !ref.includes(':') && (await branchTip(github, ref)) === situation.refs.get(ref);
  for (const { number, from } of [...parked].reverse()) {
    const head = situation.pulls.find((pull) => pull.number === number)?.head ?? ':';
    try {
      if (!(await asBefore(head)) || !(await asBefore(from))) continue;
      changed.set(number, await updatePullRequest(github, number, { base: from }));
    } catch (thrown) {
      // Why the push failed is what counts.
      if (!Problem.is(thrown)) throw thrown;
    }
  }
}

/** Deletes a branch that came back for a moment, unless somebody has moved it, or opened something into it. */
async function takeAway(
  workspace: Workspace,
  { situation }: MadePlan,
  ref: string,
  { github, signal }: CarryOut,
): Promise<void> {
  try {
    const oid =
      situation.refs.get(ref) ?? situation.pulls.find(({ base, closedAt }) => closedAt && base === ref)?.closedAt;
    const others = await openPullRequestsInto(github, ref, signal);
    if (others.length === 0 && (await branchTip(github, ref, signal)) === oid) await deleteBranch(github, ref, signal);
  } catch (thrown) {
    // It stays for now; the next run takes it away.
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return;
  }
  await recordRestored(workspace, ref, new Set(), undefined);
}

function isRefused(thrown: unknown): thrown is HostProblem {
  return thrown instanceof HostProblem && thrown.status === 422;
}
