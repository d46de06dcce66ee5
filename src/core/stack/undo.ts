import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import { applyBatch } from './apply.ts';
import { newOperationId, readOperations, undoneIds, type Batch, type Operation } from './operationLog.ts';
import { refuseRenamedSince, reverseRenaming } from './rename.ts';
import { backward } from './reverse.ts';

/** What an undo or a redo would do; nothing has been touched. */
export interface Reversal {
  readonly kind: 'undo' | 'redo';
  /** The operation that is reversed: for a redo the undo that has taken it back. */
  readonly last: Operation;
  /** The operation that is taken back or done again. */
  readonly of: Operation;
  /** What moves back; of a renaming nothing. */
  readonly batch: Batch;
}

/** The operations that can be taken back one by one, the latest first. */
export function undoable(operations: readonly Operation[]): Operation[] {
  const undone = undoneIds(operations);
  return operations.filter(({ id, kind, state }) => isOwn(kind) && state === 'done' && !undone.has(id));
}

/**
 * Works out what taking back an operation would do: without an id the last one that was not taken back yet.
 *
 * @param id a certain operation, as `wt log` shows it.
 * @throws Problem `not-found` when there is none, `in-use` when a branch has changed since or an operation has stopped, `dirty`.
 */
export async function planUndo(workspace: Workspace, id?: string, signal?: AbortSignal): Promise<Reversal> {
  const operations = await readOperations(workspace);
  const undone = undoneIds(operations);
  const done = operations.filter(({ kind, state }) => isOwn(kind) && state !== 'aborted');
  const last = id === undefined ? done.find((each) => !undone.has(each.id)) : done.find((each) => each.id === id);
  if (!last) throw nothingTo('undo', id);
  if (undone.has(last.id)) {
    throw new Problem('usage', `This was taken back already: ${last.title}.`, { next: '`wt redo` does it again' });
  }
  if (last.state !== 'done') {
    throw new Problem('in-use', `The last operation has stopped and is not done: ${last.title}.`, {
      next: '`wt rebase --abort` takes it back, `wt rebase --continue` goes on with it',
      outcome: 'incomplete',
    });
  }
  return planReversal(workspace, 'undo', last, last, signal);
}

/**
 * Works out what doing again what the last undo has taken back would do.
 *
 * @throws Problem as {@link planUndo}.
 */
export async function planRedo(workspace: Workspace, signal?: AbortSignal): Promise<Reversal> {
  const operations = await readOperations(workspace);
  const undone = undoneIds(operations);
  const last = operations.find(({ kind, of, state }) => kind === 'undo' && state === 'done' && undone.has(of ?? ''));
  const of = operations.find(({ id }) => id === last?.of);
  if (!last || !of) throw nothingTo('redo', undefined);
  return planReversal(workspace, 'redo', last, of, signal);
}

/**
 * Takes back the last operation that was not taken back yet: every branch, every working tree and the registry. What is not committed in
 * the trees stays as it is. Can be taken back itself, by {@link redo}.
 *
 * @throws Problem as {@link planUndo}.
 */
export async function undo(workspace: Workspace, id?: string, signal?: AbortSignal): Promise<Operation> {
  return reverse(workspace, await planUndo(workspace, id, signal));
}

/**
 * Does again what the last undo has taken back.
 *
 * @throws Problem as {@link planUndo}.
 */
export async function redo(workspace: Workspace, signal?: AbortSignal): Promise<Operation> {
  return reverse(workspace, await planRedo(workspace, signal));
}

/**
 * Carries out an undo or a redo.
 *
 * @throws Problem `in-use` or `dirty` when something has changed since it was planned: nothing has moved then.
 */
export async function reverse(workspace: Workspace, { kind, last, of, batch }: Reversal): Promise<Operation> {
  if (last.renaming) return reverseRenaming(workspace, kind, last, of);
  const operation: Operation = {
    version: 1,
    id: newOperationId(workspace, kind),
    kind,
    title: `${kind}: ${of.title}`,
    started: workspace.environment.now().toISOString(),
    state: 'applying',
    ...{ moves: [], entries: [], remaining: [], of: of.id },
  };
  return applyBatch(workspace, operation, batch);
}

async function planReversal(
  workspace: Workspace,
  kind: Reversal['kind'],
  last: Operation,
  of: Operation,
  signal: AbortSignal | undefined,
): Promise<Reversal> {
  if (!last.renaming) return { kind, last, of, batch: await backward(workspace, last, signal) };
  await refuseRenamedSince(workspace, last);
  return { kind, last, of, batch: { moves: [], entries: [], remaining: [] } };
}

const isOwn = (kind: Operation['kind']): boolean => kind !== 'undo' && kind !== 'redo';

function nothingTo(what: 'undo' | 'redo', id: string | undefined): Problem {
  return new Problem('not-found', id === undefined ? `There is nothing to ${what}.` : `There is no operation ${id}.`, {
    next: '`wt log` shows what was done',
  });
}
