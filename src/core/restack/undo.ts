import { Problem } from '../base/problem.ts';
import type { Progress } from '../worktree/model.ts';
import { quoted } from '../base/quoted.ts';
import { takenBack, type RestorePlan } from '../restore/restorePlan.ts';
import { planToRestore, restoreWorktree } from '../restore/restore.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { applyBatch } from './apply.ts';
import {
  newOperation,
  undoneIds,
  type Batch,
  type MergeMark,
  type Operation,
  type RemoveOperation,
  type ReverseOperation,
} from '../operations/operation.ts';
import { readOperations } from '../operations/store.ts';
import { refuseRenamedSince, reverseRenaming } from './rename.ts';
import { refuseBuiltUpon } from './refuseBuiltUpon.ts';
import { backward } from './inverse.ts';
import { restackMessages } from '../messages/restack.ts';

/** What an undo or a redo would do; nothing has been touched. */
export interface Reversal {
  readonly kind: 'undo' | 'redo';
  /** The operation that is reversed: for a redo the undo that has taken it back. */
  readonly last: Operation;
  /** The operation that is undone or done again. */
  readonly of: Operation;
  /** What moves back; of a renaming and of a removal nothing. */
  readonly batch: Batch;
  /** For removals that are undone: all of one command, in the order in which they come back. */
  readonly restores: readonly { readonly of: RemoveOperation; readonly plan: RestorePlan }[];
  /** What is undone or done again, in words for a person. */
  readonly title: string;
}

/** The operations that can be undone one by one, the latest first. What one command has removed is one, by what its removals share. */
export function undoable(operations: readonly Operation[]): Operation[] {
  const undone = undoneIds(operations);
  const all = operations.filter(({ id, kind, state }) => isOwn(kind) && state === 'done' && !undone.has(id));
  return all.flatMap((each, index) => {
    if (each.kind !== 'cleanup' || each.group === undefined) return [each];
    const { group } = each;
    const same = all.filter(isRemoval).filter((other) => other.group === group);
    return all.indexOf(same[0] ?? each) === index ? [{ ...each, id: group, title: titleOf(same) }] : [];
  });
}

/** What several removals are together, in words. */
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
  const done = operations.filter(({ kind, state }) => isOwn(kind) && state !== 'aborted');
  const isMeant = ({ id: own, group }: Operation): boolean =>
    id === undefined ? !undone.has(own) : own === id || (group === id && !undone.has(own));
  const last = done.find(isMeant) ?? done.find(({ group }) => id !== undefined && group === id);
  if (!last) throw nothingTo('undo', id);
  if (undone.has(last.id)) {
    if (last.removal) throw takenBack(last);
    throw new Problem('usage', restackMessages.undoneAlready({ title: last.title }), {
      next: restackMessages.wtRedoDoes(),
    });
  }
  if (last.state !== 'done') {
    throw new Problem('in-use', restackMessages.lastOperationStopped({ title: last.title }), {
      next: restackMessages.wtRebaseAbort(),
      outcome: 'incomplete',
    });
  }
  if (last.kind === 'cleanup' && last.group !== undefined && last.id !== id) {
    const together = done.filter(isRemoval).filter((each) => each.group === last.group && !undone.has(each.id));
    return planRestores(workspace, together, signal);
  }
  return planReversal(workspace, 'undo', last, last, signal);
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
  return planReversal(workspace, 'redo', last, of, signal);
}

/**
 * Undoes the last operation that was not undone yet: every branch, every working tree and the registry. What is not committed in
 * the trees stays as it is. A worktree that was removed is there again. Can be undone itself, by {@link redo}, a removal apart.
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
  { kind, last, of, batch, restores }: Reversal,
  options: { readonly progress?: Progress | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Operation> {
  if (last.renaming) return reverseRenaming(workspace, kind, last.renaming, of);
  const begin = ({ id, title }: Operation): ReverseOperation => ({
    ...newOperation(workspace, kind, `${kind}: ${title}`),
    of: id,
  });
  if (restores.length === 0) return applyBatch(workspace, begin(of), batch);
  const done: ReverseOperation[] = [];
  for (const each of restores) {
    try {
      done.push(await restoreWorktree(workspace, each.of, begin(each.of), options));
    } catch (thrown) {
      if (!Problem.is(thrown) || done.length === 0) throw thrown;
      const { reason, what, nextStep, items } = thrown;
      const back = namesOf(done.flatMap(({ restored = [] }) => restored));
      throw new Problem(reason, restackMessages.broughtBack({ back, what }), {
        next: nextStep,
        ...{ items, outcome: 'incomplete', cause: thrown },
      });
    }
  }
  return together(done);
}

/** What several undos have done, as one. */
function together(done: readonly ReverseOperation[]): Operation {
  const last = done.at(-1);
  if (!last) throw new Error('nothing was done');
  const restored = done.flatMap((each) => each.restored ?? []);
  return {
    ...last,
    title: `undo: remove ${namesOf(restored)}`,
    restored,
    notes: done.flatMap(({ notes = [] }) => notes),
  };
}

/** The last that went comes back first: what the others say of it holds then. */
async function planRestores(
  workspace: Workspace,
  operations: readonly RemoveOperation[],
  signal: AbortSignal | undefined,
): Promise<Reversal> {
  const [last] = operations;
  if (!last) throw new Error('no removal is meant');
  const restores: { of: RemoveOperation; plan: RestorePlan }[] = [];
  for (const of of operations) restores.push({ of, plan: await planToRestore(workspace, of, signal) });
  return {
    ...{ kind: 'undo', last, of: last, restores },
    title: titleOf(operations),
    batch: { moves: [], entries: [], remaining: [] },
  };
}

const namesOf = (worktrees: readonly { readonly name: string }[]): string =>
  worktrees.map(({ name }) => name).join(', ');

async function planReversal(
  workspace: Workspace,
  kind: Reversal['kind'],
  last: Operation,
  of: Operation,
  signal: AbortSignal | undefined,
): Promise<Reversal> {
  const nothing: Batch = { moves: [], entries: [], remaining: [] };
  if (last.renaming) {
    await refuseRenamedSince(workspace, last.title, last.renaming);
    return { kind, last, of, batch: nothing, restores: [], title: of.title };
  }
  if (last.kind === 'cleanup') return planRestores(workspace, [last], signal);
  if (of.removal) {
    throw new Problem('unsupported', restackMessages.removalNotDone({ title: of.title }), {
      next: restackMessages.wtCleanupName({ name: quoted(of.removal.name) }),
      outcome: 'incomplete',
    });
  }
  if (last.merged) await refuseBuiltUpon(workspace, last, signal);
  const batch = { ...(await backward(workspace, last, signal)), merge: mergeMark(of, kind === 'undo') };
  return { kind, last, of, batch, restores: [], title: of.title };
}

/** What the registry is to say once a merge is undone, or there again. */
function mergeMark({ merged, moves: [move] }: Operation, undone: boolean): MergeMark | undefined {
  if (!merged || !move) return undefined;
  return { branch: merged.branch, head: merged.theirs, into: move.branch, commit: move.to, undone };
}

const isRemoval = (operation: Operation): operation is RemoveOperation => operation.kind === 'cleanup';

const isOwn = (kind: Operation['kind']): boolean => kind !== 'undo' && kind !== 'redo';

function nothingTo(what: 'undo' | 'redo', id: string | undefined): Problem {
  return new Problem(
    'not-found',
    id === undefined ? restackMessages.thereIsNothing({ what }) : restackMessages.noOperation({ id }),
    {
      next: restackMessages.wtLogShowsDone(),
    },
  );
}
