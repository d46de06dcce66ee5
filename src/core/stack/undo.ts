import { Problem } from '../base/problem.ts';
import type { Progress } from '../worktrees/model.ts';
import { quoted } from '../worktrees/quoted.ts';
import { planRestore, type RestorePlan } from '../worktrees/restore/restorePlan.ts';
import { restoreWorktree } from '../worktrees/restore/restore.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import { applyBatch } from './apply.ts';
import { newOperationId, readOperations, undoneIds, type Batch, type Operation } from '../worktrees/operationLog.ts';
import { refuseRenamedSince, reverseRenaming } from './rename.ts';
import { refuseBuiltUpon } from './refuseBuiltUpon.ts';
import { backward } from './reverse.ts';

/** What an undo or a redo would do; nothing has been touched. */
export interface Reversal {
  readonly kind: 'undo' | 'redo';
  /** The operation that is reversed: for a redo the undo that has taken it back. */
  readonly last: Operation;
  /** The operation that is taken back or done again. */
  readonly of: Operation;
  /** What moves back; of a renaming and of a removal nothing. */
  readonly batch: Batch;
  /** For a removal that is taken back. */
  readonly restore?: RestorePlan | undefined;
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
 * the trees stays as it is. A worktree that was removed is there again. Can be taken back itself, by {@link redo}, a removal apart.
 *
 * @throws Problem as {@link planUndo}.
 */
export async function undo(workspace: Workspace, id?: string, signal?: AbortSignal): Promise<Operation> {
  return reverse(workspace, await planUndo(workspace, id, signal), { signal });
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
export async function reverse(
  workspace: Workspace,
  { kind, last, of, batch, restore }: Reversal,
  options: { readonly progress?: Progress | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Operation> {
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
  return restore ? restoreWorktree(workspace, restore, operation, options) : applyBatch(workspace, operation, batch);
}

async function planReversal(
  workspace: Workspace,
  kind: Reversal['kind'],
  last: Operation,
  of: Operation,
  signal: AbortSignal | undefined,
): Promise<Reversal> {
  const nothing: Batch = { moves: [], entries: [], remaining: [] };
  if (last.renaming) {
    await refuseRenamedSince(workspace, last);
    return { kind, last, of, batch: nothing };
  }
  if (last.removal) return { kind, last, of, batch: nothing, restore: await planRestore(workspace, last, signal) };
  if (of.removal) {
    throw new Problem('unsupported', `A removal is not done again by itself: ${of.title}.`, {
      next: `\`wt cleanup ${quoted(of.removal.name)}\` looks first, and removes it`,
    });
  }
  if (last.merged) await refuseBuiltUpon(workspace, last, signal);
  return { kind, last, of, batch: await backward(workspace, last, signal) };
}

const isOwn = (kind: Operation['kind']): boolean => kind !== 'undo' && kind !== 'redo';

function nothingTo(what: 'undo' | 'redo', id: string | undefined): Problem {
  return new Problem('not-found', id === undefined ? `There is nothing to ${what}.` : `There is no operation ${id}.`, {
    next: '`wt log` shows what was done',
  });
}
