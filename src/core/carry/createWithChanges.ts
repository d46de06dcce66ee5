import { createWorktree } from '../create/create.ts';
import type { CreateRequest } from '../create/request.ts';
import type { CreateOptions, Created } from '../create/created.ts';
import type { WorkToCarry } from '../create/workToCarry.ts';
import { gitDirOf } from '../git/gitFile.ts';
import { newOperation, newOperationId, backupRefs, type CarrySide } from '../operations/operation.ts';
import { forgetOperation, readOperation } from '../operations/store.ts';
import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { carry, filesOf, placeOf, type Carried, type CarryRequest } from './carry.ts';
import { deleteRefs, reversedSides, runCarry } from './carryKind.ts';
import { isStillThere } from './leadTo.ts';
import { readWork } from './readWork.ts';
import { changedSince, lookAt } from './standing.ts';
import { mergeWork } from './threeWay.ts';

/** A worktree that was created, and the uncommitted work that came along; `undefined` where everything was committed. */
export interface CreatedWithChanges {
  readonly created: Created;
  readonly carried: Carried | undefined;
}

/**
 * Creates a worktree and carries uncommitted work of another one to it: both, or neither. Whether it fits is known before anything is made.
 *
 * Killed at any moment, recovery finishes both or rolls both back. An undo brings the work back; the worktree stays.
 *
 * @throws Problem as {@link createWorktree} and {@link carry}: everything is as before then.
 */
export async function createWithChanges(
  workspace: Workspace,
  request: CreateRequest,
  changes: Omit<CarryRequest, 'to'>,
  options: CreateOptions = {},
): Promise<CreatedWithChanges> {
  const { signal } = options;
  const from = await placeOf(changes.from);
  const source = await readWork(workspace, from, signal);
  if ((await filesOf(workspace, source, signal)).length === 0)
    return { created: await createWorktree(workspace, request, options), carried: undefined };
  const id = newOperationId(workspace, 'carry');
  let carried: Carried | undefined;
  const work: WorkToCarry = {
    operation: id,
    check: async ({ name, path, startCommit }) => {
      const tree = (await treeOf(workspace, startCommit)) ?? source.headTree;
      const state = { work: tree, index: tree, intent: [], bytes: [] };
      await mergeWork(workspace, source, { place: { name, path }, state }, signal);
    },
    carry: async ({ name, path }) => {
      const gitDir = await gitDirOf(path);
      const to = { name, path, gitDir, condition: 'fine' as const, bare: false };
      carried = await carry(workspace, { ...changes, to }, { signal, id });
    },
    takeBack: () => takeBack(workspace, id),
  };
  const created = await createWorktree(workspace, request, { ...options, work });
  return { created, carried };
}

async function treeOf({ git, repository }: Workspace, commit: string): Promise<string | undefined> {
  return git.in(repository.commonDir).line(['rev-parse', '--quiet', '--verify', `${commit}^{tree}`]);
}

/**
 * Brings work back to where it was. Where it went is thrown away as a whole afterwards; it leaves there at the same time, so that nothing is in
 * two worktrees should we be killed between both, unless setup has changed it. Nothing of it stays in the log.
 */
async function takeBack(workspace: Workspace, id: string): Promise<void> {
  const carryOperation = await readOperation(workspace, id);
  const carried = carryOperation?.carried;
  if (!carried) return;
  const undo = newOperation(workspace, 'undo', `undo: ${carryOperation.title}`);
  const lead = async (sides: readonly CarrySide[]): Promise<void> => {
    if (sides.length > 0)
      await runCarry(workspace, () => Promise.resolve({ ...undo, of: id, carried: { ...carried, sides } }));
  };
  const all = reversedSides(carried);
  const back = all.filter(({ name }) => name === carried.from);
  if (
    await isAsCarried(
      workspace,
      all.filter((side) => !back.includes(side)),
    )
  )
    // What somebody writes there at this very moment keeps nothing from going back.
    await lead(all).catch(async (thrown: unknown) => {
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      await lead(back);
    });
  else await lead(back);
  // Its undo last: as long as that is known, recovery takes the creation for one whose work has gone back.
  for (const each of [id, undo.id]) {
    await forgetOperation(workspace, each);
    await deleteRefs(workspace, backupRefs(each));
  }
}

/** Whether the work is still where it went, as it came there. */
async function isAsCarried(workspace: Workspace, sides: readonly CarrySide[]): Promise<boolean> {
  for (const side of sides) {
    if (!(await isStillThere(side))) return false;
    if (changedSince(await lookAt(workspace, side, side.before, side.after)).length > 0) return false;
  }
  return true;
}
