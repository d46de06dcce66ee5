import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import { applyBatch } from './apply.ts';
import { newOperationId, readOperations, undoneIds, type Operation } from './operationLog.ts';
import { reverseRenaming } from './rename.ts';
import { backward } from './reverse.ts';

/**
 * Takes back the last operation that was not taken back yet: every branch, every working tree and the registry. What is not committed in
 * the trees stays as it is. Can be taken back itself, by {@link redo}.
 *
 * @param id a certain operation, as `wt log` shows it.
 * @throws Problem `not-found` when there is none, `in-use` when a branch has changed since or an operation has stopped, `dirty`.
 */
export async function undo(workspace: Workspace, id?: string, signal?: AbortSignal): Promise<Operation> {
  const operations = await readOperations(workspace);
  const undone = undoneIds(operations);
  const done = operations.filter(({ kind, state }) => kind !== 'undo' && kind !== 'redo' && state !== 'aborted');
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
  return reverse(workspace, 'undo', last, last, signal);
}

/**
 * Does again what the last undo has taken back.
 *
 * @throws Problem as {@link undo}.
 */
export async function redo(workspace: Workspace, signal?: AbortSignal): Promise<Operation> {
  const operations = await readOperations(workspace);
  const undone = undoneIds(operations);
  const last = operations.find(({ kind, of, state }) => kind === 'undo' && state === 'done' && undone.has(of ?? ''));
  const first = operations.find(({ id }) => id === last?.of);
  if (!last || !first) throw nothingTo('redo', undefined);
  return reverse(workspace, 'redo', last, first, signal);
}

async function reverse(
  workspace: Workspace,
  kind: 'undo' | 'redo',
  last: Operation,
  of: Operation,
  signal: AbortSignal | undefined,
): Promise<Operation> {
  if (last.renaming) return reverseRenaming(workspace, kind, last, of);
  const batch = await backward(workspace, last, signal);
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

function nothingTo(what: 'undo' | 'redo', id: string | undefined): Problem {
  return new Problem('not-found', id === undefined ? `There is nothing to ${what}.` : `There is no operation ${id}.`, {
    next: '`wt log` shows what was done',
  });
}
