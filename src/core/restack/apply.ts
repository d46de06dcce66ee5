import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../base/problem.ts';
import { forgetMerge, recordMerge } from '../lifecycle/outcome.ts';
import { syncTracking } from '../lifecycle/tracking.ts';
import type { Batch, EntryChange, Move, Operation } from '../operations/operation.ts';
import {
  runOperation,
  type Inverse,
  type OperationKind,
  type Outcome,
  type Phases,
  type Reversed,
} from '../operations/runner.ts';
import { forgetOperation, rememberOperation, reserve, stackKey, type Reservation } from '../operations/store.ts';
import { updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { backward } from './backward.ts';
import { withCurrentPaths } from './currentPaths.ts';
import { followSubmodules } from '../checkout/followSubmodules.ts';
import { followTogether } from '../checkout/followTogether.ts';
import { moveTogether, tipsNow } from '../checkout/transaction.ts';
import { restoreCheckout } from '../checkout/restoreCheckout.ts';
import { Unsettled } from '../checkout/unsettled.ts';
import { restackMessages } from '../messages/restack.ts';
import { gitMessages } from '../messages/git.ts';
import type { Message } from '../messages/message.ts';

/** The longest pause, in milliseconds, before an operation that waits for another gives up. */
const patience = 4_000;

/** All that is needed to finish a batch or to roll it back, without the process that began it. */
export interface RestackData {
  /** The operation as it was before this batch. */
  readonly operation: Operation;
  readonly batch: Batch;
}

/** What an operation on branches gives. */
export interface Applied extends Outcome {
  readonly operation: Operation;
}

/**
 * A part of an operation that moves branches: of a restack, and of the undo of one or of a merge. Git commits all refs or none, which is
 * the commit point: once one branch has moved, the others, the working trees and the registry follow.
 */
export const restackKind: OperationKind<RestackData, Applied> = {
  name: 'restack',
  describe: ({ operation }) => operation.title,
  startsGit: true,
  async isCommitted(workspace, { batch: { moves } }) {
    const tips = await tipsNow(workspace, moves);
    return moves.some(({ branch, to }) => tips.get(branch) === to);
  },
  async finish(workspace, data) {
    const { operation, batch } = await withCurrentPaths(workspace, data);
    const tips = await tipsNow(workspace, batch.moves);
    const moved = batch.moves.filter(({ branch, to }) => tips.get(branch) === to);
    await (await followTogether(workspace, moved)).drop();
    const open = batch.moves.filter(({ branch, from }) => tips.get(branch) === from);
    await moveTogether(workspace, { ...transactionOf(operation, batch), moves: open });
    return settleBatch(workspace, operation, batch);
  },
  async rollBack(workspace, data) {
    const { operation, batch } = await withCurrentPaths(workspace, data);
    const tips = await tipsNow(workspace, batch.moves);
    for (const move of batch.moves) if (tips.get(move.branch) === move.from) await restoreCheckout(workspace, move);
    // Earlier versions had changed it in the log.
    if (operation.moves.length === 0 && !operation.stop) await forgetOperation(workspace, operation.id);
    else await rememberOperation(workspace, { ...operation, state: 'stopped' });
  },
  inverse: reverseMoves,
};

/**
 * Applies a part of an operation: branches, working trees and registry, all or nothing, remembered so that it can be undone.
 *
 * @param operation as it was before; it need not be in the log yet.
 * @returns the operation as it is remembered then: `done`, or `stopped` when something of it is left.
 * @throws Problem `in-use` when another operation on branches is in progress, and whatever {@link moveTogether} throws: nothing has moved
 *   then.
 */
export async function applyBatch(workspace: Workspace, operation: Operation, batch: Batch): Promise<Operation> {
  const plan = (): Promise<RestackData> => Promise.resolve({ operation, batch });
  const done = await runOnBranches(workspace, restackKind, plan, {
    commit: () => moveTogether(workspace, transactionOf(operation, batch)),
    finish: () => settleBatch(workspace, operation, batch),
    // Git and the working trees have rolled back what could be.
    rollBack: (_, failure) => {
      if (failure instanceof Unsettled) throw failure;
      return Promise.resolve(failure);
    },
  });
  return done.operation;
}

/**
 * Runs an operation on branches, one at a time in a repository. Others are over in a moment, so they are waited for.
 *
 * @throws Problem `in-use` when that takes longer, or another one was interrupted and could not be recovered.
 */
export async function runOnBranches<Data>(
  workspace: Workspace,
  kind: OperationKind<Data, Applied>,
  plan: () => Promise<Data>,
  phases: Phases<Data, Applied>,
): Promise<Applied> {
  return runOperation(workspace, kind, () => reserveBranches(workspace, kind.name, plan), phases);
}

async function reserveBranches<Data>(
  workspace: Workspace,
  kind: string,
  plan: () => Promise<Data>,
): Promise<Reservation<Data>> {
  let reserved = false;
  const planned = (): Promise<Data> => {
    reserved = true;
    return plan();
  };
  for (let pause = 50; ; pause *= 2) {
    try {
      return await reserve(workspace, kind, stackKey, planned);
    } catch (thrown) {
      if (reserved || !Problem.is(thrown, 'in-use')) throw thrown;
      if (pause > patience) {
        throw new Problem('in-use', restackMessages.anotherOperationStacks(), {
          ...(thrown.file === undefined ? {} : { file: thrown.file }),
          next: gitMessages.tryAgainWhen(),
          outcome: 'incomplete',
        });
      }
      await delay(pause);
    }
  }
}

/** How an operation that has moved branches is undone or redone. */
export async function reverseMoves(
  workspace: Workspace,
  { last }: Reversed,
  signal?: AbortSignal,
  more: Pick<Batch, 'merge'> = {},
): Promise<Inverse> {
  const batch = { ...(await backward(workspace, last, signal)), ...more };
  return { batch, run: (now, operation) => applyBatch(now, operation, batch) };
}

/** What {@link moveTogether} does for a batch. */
function transactionOf(operation: Operation, batch: Batch): Parameters<typeof moveTogether>[1] {
  return {
    id: batch.aborts ? `${operation.id}-aborted` : operation.id,
    moves: batch.moves,
    keep: batch.stop ? [batch.stop] : [],
    note: `wt: ${batch.aborts ? 'abort: ' : ''}${operation.title}`,
  };
}

/** What is left to do for a batch once its branches have moved. Doing it twice is harmless. */
async function settleBatch(workspace: Workspace, operation: Operation, batch: Batch): Promise<Applied> {
  await changeEntries(workspace, batch.entries);
  const { merge } = batch;
  const told = merge ? await (merge.undone ? forgetMerge : recordMerge)(workspace, merge, true) : [];
  const notes = [
    ...(batch.entries.length > 0 ? await syncTracking(workspace) : told),
    ...(await followingSubmodules(workspace, batch.moves)),
  ];
  const rest = {
    ...operation,
    ...(notes.length === 0 ? {} : { notes: [...(operation.notes ?? []), ...notes] }),
  };
  const settled: Operation = batch.aborts
    ? { ...rest, state: 'aborted', stop: undefined, remaining: [] }
    : {
        ...rest,
        state: batch.stop || batch.remaining.length > 0 ? 'stopped' : 'done',
        moves: [...operation.moves, ...batch.moves],
        entries: [...operation.entries, ...batch.entries],
        stop: batch.stop,
        remaining: batch.remaining,
      };
  return { operation: settled };
}

/** Each in its own worktree; which of them have not followed. */
async function followingSubmodules(workspace: Workspace, moves: readonly Move[]): Promise<Message[]> {
  const notes = await Promise.all(
    moves.flatMap(({ branch, from, to, worktrees }) =>
      worktrees.map((checkout) => followSubmodules(workspace, checkout, { from: [from], to, branch })),
    ),
  );
  return notes.flat();
}

/** Updates the registry; an entry that says something else by now is somebody else's and stays. */
export async function changeEntries(
  { environment, repository }: Workspace,
  changes: readonly EntryChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await updateRegistry(environment, repository, ({ worktrees }) => {
    for (const { name, path, before, after } of changes) {
      const entry = worktrees.get(name);
      if (!after) {
        if (entry && entry.branch === before?.branch) worktrees.delete(name);
      } else if (entry) worktrees.set(name, withEdge(entry, after));
      else if (!before)
        worktrees.set(name, withEdge({ path, branch: after.branch, base: after.base, pr: null }, after));
    }
  });
  environment.log.debug(`[stack] registered ${changes.map(({ name }) => name).join(', ')}`);
}

function withEdge(entry: RegistryEntry, edge: NonNullable<EntryChange['after']>): RegistryEntry {
  const rest = { ...entry };
  delete (rest as { baseCommit?: string }).baseCommit;
  const { branch, base, baseCommit } = edge;
  return { ...rest, branch, base, ...(baseCommit === undefined ? {} : { baseCommit }) };
}
