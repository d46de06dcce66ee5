import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, Problem } from '../base/problem.ts';
import { updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { openJournal, type Journal } from '../operations/journal.ts';
import { forgetMerge, recordMerge } from '../lifecycle/outcome.ts';
import { syncTracking } from '../lifecycle/tracking.ts';
import type { Workspace } from '../worktree/workspace.ts';
import {
  dropOperation,
  forgetOldOperations,
  readOperation,
  readOperations,
  stackKey,
  stackKind,
  writeOperation,
  type Batch,
  type EntryChange,
  type Move,
  type Operation,
} from '../operations/operationLog.ts';
import { followSubmodules } from './followSubmodules.ts';
import { moveTogether } from './transaction.ts';
import { Unsettled } from './unsettled.ts';

/** The longest pause, in milliseconds, before an operation that waits for another gives up. */
const patience = 4_000;

/** What the journal of an operation on stacks holds: where the rest is written down. */
export interface StackJournal {
  readonly id: string;
}

/**
 * Carries out a part of an operation: branches, working trees and registry, all or nothing, remembered so that it can be undone. Killed
 * at any moment, the next `wt` completes it or takes it back.
 *
 * @param operation as it was before; it need not have been written down yet.
 * @returns the operation as it is remembered then: `done`, or `stopped` when something of it is left.
 * @throws Problem `in-use` when another operation on stacks is under way, and whatever {@link moveTogether} throws: nothing has moved then.
 */
export async function applyBatch(workspace: Workspace, operation: Operation, batch: Batch): Promise<Operation> {
  const journal = await openStackJournal(workspace, operation.id);
  workspace.environment.log.debug('[stack] journal opened');
  const before = await readOperation(workspace, operation.id);
  try {
    if (!before) await forgetOldOperations(workspace, await readOperations(workspace));
    await writeOperation(workspace, { ...operation, state: 'applying', pending: batch });
    await moveTogether(workspace, transactionOf(operation, batch));
  } catch (thrown) {
    if (!(thrown instanceof Unsettled) && (await forget(workspace, operation.id, before))) await journal.close();
    else await journal.abandon();
    throw thrown;
  }
  try {
    const done = await settleBatch(workspace, operation, batch);
    await journal.close();
    return done;
  } catch (thrown) {
    // The branches have moved; whoever comes next completes the rest.
    await journal.abandon();
    throw thrown;
  }
}

/** Puts the record of an operation back as it was before; whether that could be done. */
async function forget(workspace: Workspace, id: string, before: Operation | undefined): Promise<boolean> {
  try {
    await (before ? writeOperation(workspace, before) : dropOperation(workspace, id));
    return true;
  } catch (thrown) {
    workspace.environment.log.warn(`The record of ${id} could not be put back: ${messageOf(thrown)}`);
    return false;
  }
}

/**
 * Opens the journal that allows one operation on stacks at a time. Others are over in a moment, so they are waited for.
 *
 * @throws Problem `in-use` when that takes longer, or another one has died and could not be mended.
 */
export async function openStackJournal(workspace: Workspace, id: string): Promise<Journal<StackJournal>> {
  for (let pause = 50; ; pause *= 2) {
    try {
      return await openJournal<StackJournal>(workspace, stackKind, stackKey, { id });
    } catch (thrown) {
      if (!Problem.is(thrown, 'in-use')) throw thrown;
      if (pause > patience) {
        throw new Problem('in-use', 'Another operation on stacks is under way in this repository.', {
          ...(thrown.file === undefined ? {} : { file: thrown.file }),
          next: 'try again when it has ended',
          outcome: 'incomplete',
        });
      }
      await delay(pause);
    }
  }
}

/** What {@link moveTogether} is to do for a batch. */
export function transactionOf(operation: Operation, batch: Batch): Parameters<typeof moveTogether>[1] {
  return {
    id: batch.aborts ? `${operation.id}-aborted` : operation.id,
    moves: batch.moves,
    keep: batch.stop ? [batch.stop] : [],
    note: `wt: ${batch.aborts ? 'abort: ' : ''}${operation.title}`,
  };
}

/** What is left to do for a batch once its branches have moved. Doing it twice is harmless. */
export async function settleBatch(workspace: Workspace, operation: Operation, batch: Batch): Promise<Operation> {
  await changeEntries(workspace, batch.entries);
  const { merge } = batch;
  const told = merge ? await (merge.undone ? forgetMerge : recordMerge)(workspace, merge, true) : [];
  const notes = [
    ...(batch.entries.length > 0 ? await syncTracking(workspace) : told),
    ...(await followingSubmodules(workspace, batch.moves)),
  ];
  const rest = {
    ...operation,
    pending: undefined,
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
  await writeOperation(workspace, settled);
  return settled;
}

/** Each in its own worktree; which of them have not followed. */
async function followingSubmodules(workspace: Workspace, moves: readonly Move[]): Promise<string[]> {
  const notes = await Promise.all(
    moves.flatMap(({ branch, from, to, worktrees }) =>
      worktrees.map((place) => followSubmodules(workspace, place, { from: [from], to, branch })),
    ),
  );
  return notes.flat();
}

/** Brings the registry up to date; an entry that says something else by now is somebody else's and stays. */
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
