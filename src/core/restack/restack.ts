import { type Message, withoutRepeated } from '../messages/message.ts';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { applyBatch } from './apply.ts';
import { batchOf, changesAnything } from './batch.ts';
import { indexLockProblem } from '../checkout/indexLock.ts';
import { newOperation, type Operation, type Stop } from '../operations/operation.ts';
import { readOperations } from '../operations/store.ts';
import type { BranchPlan, RestackPlan } from './plan.ts';
import { recordMerge } from '../lifecycle/outcome.ts';
import { planRestack } from './planRestack.ts';
import { prepareRestack, type RestackOptions, type RestackRequest } from './prepareRestack.ts';
import { readStack } from '../stack/readStack.ts';
import { advanceRebase } from './pausedRebase.ts';
import { verify } from './verify.ts';
import { restackMessages } from '../messages/restack.ts';

/** The result of a restack. */
export interface Restacked {
  /** The outcome of each branch, also of those that wait for a conflict below. */
  readonly branches: readonly BranchPlan[];
  /** As it is logged; `undefined` when there was nothing to do. */
  readonly operation: Operation | undefined;
  /** Where it waits for a person. */
  readonly stop: Stop | undefined;
  readonly notes: readonly Message[];
}

/**
 * Executes a plan: moves all clean branches and their worktrees in one transaction; then git rebases the first branch that conflicts in its
 * own worktree, where it stops for a person.
 *
 * @throws Problem `dirty` or `in-use` when something has changed since the plan was made: nothing has moved then.
 */
export async function restack(
  workspace: Workspace,
  request: RestackRequest,
  plan: RestackPlan,
  options: RestackOptions = {},
): Promise<Restacked> {
  try {
    return await execute(workspace, request, plan, options);
  } catch (thrown) {
    if (options.tryTrees || !Problem.is(thrown, 'dirty')) throw thrown;
    // A worktree could not follow, and nothing has moved: now each is tried beforehand.
    const now = { snapshot: undefined, allBranches: undefined, fetched: true, tryTrees: true };
    const again = await prepareRestack(workspace, request, { ...options, ...now });
    return execute(workspace, request, { ...again, notes: plan.notes }, options);
  }
}

async function execute(
  workspace: Workspace,
  request: RestackRequest,
  plan: RestackPlan,
  options: RestackOptions,
): Promise<Restacked> {
  // Another git command runs there, or has died: the stack is not moved meanwhile.
  for (const { name, lock, checkouts } of plan.branches) {
    const checkout = checkouts.find(({ gitDir }) => lock?.file === join(gitDir, 'index.lock'));
    if (lock && checkout) throw indexLockProblem(checkout, lock, restackMessages.notRebasedNothing({ name }));
  }
  const notes = [...plan.notes, ...(await recordMerged(workspace, plan))];
  if (!changesAnything(plan)) return { branches: plan.branches, operation: undefined, stop: undefined, notes };
  const batch = batchOf(plan.branches);
  const operation = newOperation(workspace, request.move ? 'move' : 'rebase', titleOf(request, plan));
  options.progress?.(restackMessages.movingBranches());
  const applied = await applyBatch(workspace, operation, batch);
  await verify(workspace, plan.branches);
  const all = [...notes, ...(applied.notes ?? [])];
  return continueOperation(workspace, applied, { branches: plan.branches, notes: all, ...options });
}

/** Records in the registry which branches were found merged. */
async function recordMerged(workspace: Workspace, { branches, state }: RestackPlan): Promise<Message[]> {
  const { trunk } = state.stack;
  const warnings: Message[] = [];
  for (const { branch, from, outcome } of branches)
    if (outcome === 'landed' && trunk !== undefined)
      warnings.push(...(await recordMerge(workspace, { branch, head: from, into: trunk })));
  return warnings;
}

/**
 * Continues an operation until it is done or stops for a person.
 *
 * @param about.branches the outcomes of its branches so far.
 */
export async function continueOperation(
  workspace: Workspace,
  operation: Operation,
  about: RestackOptions & { readonly branches: readonly BranchPlan[]; readonly notes: readonly Message[] },
): Promise<Restacked> {
  const known = new Map(about.branches.map((plan) => [plan.branch, plan]));
  let { notes } = about;
  let at = operation;
  for (;;) {
    if (at.stop) {
      about.progress?.(restackMessages.rebasingInWorktree({ name: at.stop.name }));
      const driven = await advanceRebase(workspace, at, 'start', about.signal);
      at = driven.operation;
      const stop = driven.givenUp ? at.stop : driven.stopped;
      if (stop) return { branches: [...known.values()], operation: at, stop, notes };
      const finished = driven.finished && known.get(driven.finished.branch);
      if (finished && driven.finished)
        known.set(finished.branch, {
          ...finished,
          outcome: 'moves',
          to: driven.finished.to,
          files: [],
          why: undefined,
        });
    }
    if (at.remaining.length === 0) return { branches: [...known.values()], operation: at, stop: undefined, notes };
    const state = await readStack(workspace, { signal: about.signal });
    const host = about.offline ? undefined : about.host;
    const branches = at.remaining.filter((branch) => state.stack.branches.has(branch));
    const operations = await readOperations(workspace);
    const how = { host, operations, signal: about.signal, fetch: !about.offline, takeOver: true };
    const plan = await planRestack(workspace, state, { branches }, how);
    for (const each of plan.branches) known.set(each.branch, each);
    notes = withoutRepeated([...notes, ...plan.notes]);
    at = await applyBatch(workspace, at, batchOf(plan.branches));
    await verify(workspace, plan.branches);
  }
}

function titleOf({ worktree, wholeStack, onto, move }: RestackRequest, { branches, state }: RestackPlan): string {
  const subject = branches.find(({ branch }) => branch === worktree.branch);
  const target = onto ?? subject?.baseLabel ?? state.stack.trunk ?? '';
  const bottom = branches[0];
  if (move) return `move ${worktree.name} onto ${target}`;
  if (wholeStack) return `restack ${worktree.name} onto ${onto ?? bottom?.baseLabel ?? target}`;
  return `rebase ${worktree.name} onto ${target}`;
}
