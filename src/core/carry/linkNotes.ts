import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import { gitlink } from '../git/indexEntries.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import { carryMessages } from '../messages/carry.ts';
import type { Message } from '../messages/message.ts';
import type { WorkState } from '../operations/operation.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { CarryPlace } from './readWork.ts';
import { treeDiff } from '../worktree/rawTrees.ts';

/** A worktree whose index is led from one state to another. */
export interface LedIndex {
  readonly place: CarryPlace;
  readonly before: WorkState;
  readonly after: WorkState;
}

/**
 * What a person may not expect of submodules: what is staged of them is carried, while the folders stay as they are.
 *
 * @param source missing where the work stays in its worktree as well.
 */
export async function notesOfLinks(
  workspace: Workspace,
  target: LedIndex,
  source: LedIndex | undefined,
): Promise<Message[]> {
  const left = source ? await noteEach(workspace, source, leftThere) : [];
  return [...left, ...(await noteEach(workspace, target, staysThere))];
}

type Note = (change: RawTreeChange, to: string, isCheckedOut: boolean) => Message | undefined;

async function noteEach(workspace: Workspace, { place, before, after }: LedIndex, note: Note): Promise<Message[]> {
  const changes = await treeDiff(workspace, before.index, after.index);
  const links = changes.filter((each) => each.before?.mode === gitlink || each.after?.mode === gitlink);
  const notes = links.map(async (each) => note(each, place.name, await isThere(join(place.path, each.path, '.git'))));
  return (await Promise.all(notes)).filter((each) => each !== undefined);
}

const leftThere: Note = ({ path, before, after }, _, isCheckedOut) => {
  if (!isCheckedOut || before?.mode !== gitlink) return undefined;
  return after ? carryMessages.leftSubmodule({ path }) : carryMessages.leftRepository({ path });
};

const staysThere: Note = ({ path, after }, to, isCheckedOut) => {
  if (after?.mode === gitlink) return carryMessages.linkFolder({ path, to });
  return isCheckedOut ? carryMessages.unlinkFolder({ path, to }) : undefined;
};
