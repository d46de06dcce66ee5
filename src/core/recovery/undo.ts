import { Problem } from '../base/problem.ts';
import {
  newOperation,
  undoneIds,
  type Operation,
  type RemoveOperation,
  type ReverseOperation,
} from '../operations/operation.ts';
import type { Inverse, OperationKind, Reversed, ReverseOptions } from '../operations/runner.ts';
import { readOperations } from '../operations/store.ts';
import { undoneAlready } from '../restore/restorePlan.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { operationKinds, reversedBy } from './kinds.ts';
import { recoveryMessages } from '../messages/recovery.ts';
import { restoreMessages } from '../messages/restore.ts';

/** What an undo or a redo would do; nothing has been touched. */
export interface Reversal extends Reversed {
  /** Each operation that is reversed, in this order: several for removals of one command. */
  readonly steps: readonly { readonly of: Operation; readonly inverse: Inverse }[];
  /** What is undone or done again, for a person. */
  readonly title: string;
}

/** The operations that can be undone one by one, the latest first. What one command has removed is one, by what its removals share. */
export function undoable(operations: readonly Operation[]): Operation[] {
  const undone = undoneIds(operations);
  const all = operations.filter((each) => isOwn(each) && each.state === 'done' && !undone.has(each.id));
  return all.flatMap((each, index) => {
    if (each.kind !== 'cleanup' || each.group === undefined) return [each];
    const { group } = each;
    const same = all.filter(isRemoval).filter((other) => other.group === group);
    return all.indexOf(same[0] ?? each) === index ? [{ ...each, id: group, title: titleOf(same) }] : [];
  });
}

/** What several removals are together, for a person. */
function titleOf(removals: readonly RemoveOperation[]): string {
  return `remove ${namesOf(removals.map(({ removal }) => removal))}`;
}

/**
 * Works out what undoing an operation would do: without an id the last one that was not undone yet. What one command has removed is
 * one operation then.
 *
 * @param id a certain operation, as `wt log` shows it, also one removal of several; or what all of them share.
 * @throws Problem `not-found` when there is none, `in-use` when a branch has changed since or an operation has stopped, `dirty`.
 */
export async function planUndo(workspace: Workspace, id?: string, signal?: AbortSignal): Promise<Reversal> {
  const operations = await readOperations(workspace);
  const undone = undoneIds(operations);
  const done = operations.filter((each) => isOwn(each) && each.state !== 'aborted');
  const isMeant = ({ id: own, group }: Operation): boolean =>
    id === undefined ? !undone.has(own) : own === id || (group === id && !undone.has(own));
  const last = done.find(isMeant) ?? done.find(({ group }) => id !== undefined && group === id);
  if (!last) throw nothingTo('undo', id);
  if (undone.has(last.id)) {
    if (last.removal) throw undoneAlready(last);
    throw new Problem('usage', restoreMessages.undoneAlready({ title: last.title }), {
      next: recoveryMessages.redoAgain(),
    });
  }
  if (last.state !== 'done') {
    throw new Problem('in-use', recoveryMessages.lastOperationStopped({ title: last.title }), {
      next: recoveryMessages.abortOrContinue(),
      outcome: 'incomplete',
    });
  }
  // The last that went comes back first: what the others say of it holds then.
  const all =
    isRemoval(last) && last.group !== undefined && last.id !== id
      ? done.filter(isRemoval).filter(({ id: own, group }) => group === last.group && !undone.has(own))
      : [last];
  const steps: Reversal['steps'][number][] = [];
  for (const of of all) steps.push({ of, inverse: await inverseOf(workspace, { kind: 'undo', last: of, of }, signal) });
  return { kind: 'undo', last, of: last, steps, title: isRemoval(last) ? titleOf(all.filter(isRemoval)) : last.title };
}

/**
 * Works out what doing again what the last undo has undone would do.
 *
 * @throws Problem as {@link planUndo}.
 */
export async function planRedo(workspace: Workspace, signal?: AbortSignal): Promise<Reversal> {
  const operations = await readOperations(workspace);
  const undone = undoneIds(operations);
  const ofUndo = ({ of }: Operation): Operation | undefined => operations.find(({ id }) => id === of);
  // What was removed again since has been done again.
  const last = operations.find(
    (each, index) =>
      each.kind === 'undo' &&
      each.state === 'done' &&
      undone.has(each.of ?? '') &&
      !operations.slice(0, index).some(({ removal }) => removal && removal.path === ofUndo(each)?.removal?.path),
  );
  const of = last && ofUndo(last);
  if (!last || !of) throw nothingTo('redo', undefined);
  const reversed: Reversed = { kind: 'redo', last, of };
  return { ...reversed, steps: [{ of, inverse: await inverseOf(workspace, reversed, signal) }], title: of.title };
}

/** What the kind of the operation that is meant says of its inverse. */
async function inverseOf(workspace: Workspace, reversed: Reversed, signal: AbortSignal | undefined): Promise<Inverse> {
  const { of } = reversed;
  if (!isOwn(of)) throw new Error(`${of.id} is an undo itself`);
  const kind: OperationKind<never> = await operationKinds[reversedBy[of.kind]]();
  if (!kind.inverse) throw new Error(`the kind ${kind.name} has no inverse`);
  return kind.inverse(workspace, reversed, signal);
}

/**
 * Undoes the last operation that was not undone yet: every branch, every working tree and the registry. What is not committed in
 * the working trees stays as it is. A worktree that was removed is there again. Can be undone itself, by {@link redo}, a removal apart.
 *
 * @throws Problem as {@link planUndo}.
 */
export async function undo(workspace: Workspace, id?: string, signal?: AbortSignal): Promise<Operation> {
  return reverse(workspace, await planUndo(workspace, id, signal), { signal });
}

/**
 * Does again what the last undo has undone.
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
  { kind, steps }: Reversal,
  options: ReverseOptions = {},
): Promise<Operation> {
  const done: Operation[] = [];
  for (const { of, inverse } of steps) {
    const operation: ReverseOperation = { ...newOperation(workspace, kind, `${kind}: ${of.title}`), of: of.id };
    try {
      done.push(await inverse.run(workspace, operation, options));
    } catch (thrown) {
      if (!Problem.is(thrown) || done.length === 0) throw thrown;
      const { reason, what, nextStep, items } = thrown;
      const back = namesOf(done.flatMap(({ restored = [] }) => restored));
      throw new Problem(reason, recoveryMessages.broughtBack({ back, what }), {
        next: nextStep,
        ...{ items, outcome: 'incomplete', cause: thrown },
      });
    }
  }
  return together(done);
}

/** What several undos have done, as one. */
function together(done: readonly Operation[]): Operation {
  const last = done.at(-1);
  if (!last) throw new Error('nothing was done');
  if (done.length === 1 || (last.kind !== 'undo' && last.kind !== 'redo')) return last;
  const restored = done.flatMap((each) => each.restored ?? []);
  const notes = done.flatMap((each) => each.notes ?? []);
  return { ...last, title: `undo: remove ${namesOf(restored)}`, restored, notes };
}

const namesOf = (worktrees: readonly { readonly name: string }[]): string =>
  worktrees.map(({ name }) => name).join(', ');

const isRemoval = (operation: Operation): operation is RemoveOperation => operation.kind === 'cleanup';

function isOwn<Each extends Operation>(operation: Each): operation is Exclude<Each, ReverseOperation> {
  return operation.kind !== 'undo' && operation.kind !== 'redo';
}

function nothingTo(what: 'undo' | 'redo', id: string | undefined): Problem {
  return new Problem(
    'not-found',
    id === undefined ? recoveryMessages.thereIsNothing({ what }) : recoveryMessages.noOperation({ id }),
    {
      next: restoreMessages.logShows(),
    },
  );
}
