import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { diskUsage } from '../base/diskUsage.ts';
import { rename } from '../base/heldFiles.ts';
import { realPathOf, samePath } from '../base/paths.ts';
import { Problem, errorCode, messageOf, stopIfCancelled } from '../base/problem.ts';
import { textOf, verbatim, type Message } from '../messages/message.ts';
import { reclaimMessages } from '../messages/reclaim.ts';
import { runOperation, type Outcome } from '../operations/runner.ts';
import { reserve, type Reservation } from '../operations/store.ts';
import { newTrash, stagedPath } from '../trash/trashEntry.ts';
import type { Progress, Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { Look, type KeptEntry, type OutputFolder, type Reclaimable } from './inspect.ts';
import { free, putBack, reclaimKind, type MovedFolder, type ReclaimData } from './reclaimKind.ts';

/** How build output is reclaimed. */
export interface ReclaimActs {
  /** Looks at the worktree once more, just before. */
  readonly again: () => Promise<Reclaimable>;
  /** Starts deleting the trash entry with this folder, in the background. */
  readonly deleteLater: (folder: string) => void;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was reclaimed of a worktree. */
export interface Reclaimed {
  readonly worktree: Worktree;
  readonly folders: readonly OutputFolder[];
  /** What stays after all, and why. */
  readonly kept: readonly KeptEntry[];
  readonly bytes: number;
}

/**
 * Deletes the build output that was shown: what is still as it was then is moved aside at once, looked at there once more, and deleted later.
 * A process that dies in it leaves all of it where it was, or none.
 *
 * @throws Problem `in-use` when somebody works there by now or another operation does, `not-writable`, `cancelled`.
 */
export async function reclaim(workspace: Workspace, shown: Reclaimable, acts: ReclaimActs): Promise<Reclaimed> {
  const { repository } = workspace;
  const { worktree } = shown;
  const { name, slug, path } = worktree;
  const { progress, signal } = acts;
  const trash = newTrash(repository);
  const kept: KeptEntry[] = [];
  let folders: readonly OutputFolder[] = [];
  const aside = stagedPath(path, slug, trash);
  let reserved: Reservation<ReclaimData> | undefined;
  const prepare = async (reservation: Reservation<ReclaimData>): Promise<void> => {
    reserved = reservation;
    progress?.(reclaimMessages.measuring({ name }));
    const now = await acts.again();
    if (now.inUse) throw notReclaimed(name, now);
    folders = now.folders.filter((each) => shown.folders.some((other) => other.path === each.path));
    if (folders.length === 0) return;
    progress?.(reclaimMessages.reclaiming({ name }));
    const moves = folders.map(({ path: from }, index) => ({ from: from.slice(0, -1), to: String(index + 1) }));
    const data = { ...reservation.data, moves };
    await reservation.note(data);
    await mkdir(aside).catch((thrown: unknown) => {
      throw notMoved(name, aside, messageOf(thrown));
    });
    const moved: MovedFolder[] = [];
    for (const move of moves) {
      stopIfCancelled(signal);
      const why = await moveAside(data, move);
      if (why === undefined) moved.push(move);
      else if (why !== 'gone') kept.push(keptEntry(folders, move, why));
    }
    // Nobody finds it any more, so what is seen now is what will be deleted.
    const stays = await whatStays(aside, moved, folders);
    for (const { move, entry } of stays) {
      if (!(await putBack(path, aside, move))) throw notMoved(name, join(aside, move.to), textOf(entry.why));
      kept.push(entry);
    }
    const goes = moved.filter((move) => !stays.some((each) => each.move === move));
    folders = folders.filter((each) => goes.some(({ from }) => `${from}/` === each.path));
    await reservation.note({ ...data, moves: goes });
  };
  const begun: ReclaimData = { step: 'begun', name, path, id: trash.id, aside, moves: [] };
  await runOperation<ReclaimData, Outcome>(
    workspace,
    reclaimKind,
    () => reserve(workspace, 'reclaim', slug, () => Promise.resolve(begun)),
    {
      prepare,
      commit: (reservation) => reservation.note({ ...reservation.data, step: 'decided' }),
      // Deleting takes long: whoever asked for this does not wait for it.
      finish: async (data) => {
        await free(repository, data);
        return { operation: undefined };
      },
      rollBack: async (data, failure) => {
        await reclaimKind.rollBack(workspace, reserved?.data ?? data);
        return failure;
      },
    },
  );
  if (folders.length > 0) acts.deleteLater(trash.folder);
  return { worktree, folders, kept, bytes: folders.reduce((bytes, each) => bytes + each.bytes, 0) };
}

function notReclaimed(name: string, { inUse }: Reclaimable): Problem {
  return new Problem('in-use', reclaimMessages.notReclaimed({ name, why: inUse ?? verbatim('') }), {
    next: reclaimMessages.closeThenReclaim(),
    outcome: 'incomplete',
  });
}

function notMoved(name: string, file: string, reason: string): Problem {
  return new Problem('not-writable', reclaimMessages.notMovedAside({ name, file, reason }), {
    file,
    next: reclaimMessages.lookThere(),
    outcome: 'incomplete',
  });
}

/** @returns why it could not be moved, `gone` when it is not there; `undefined` when it is aside. */
async function moveAside(
  { path, aside }: ReclaimData,
  { from, to }: MovedFolder,
): Promise<string | Message | undefined> {
  const source = join(path, from);
  const found = await lstat(source).catch(() => undefined);
  if (!found) return 'gone';
  // A link in its way, or in its place, would lead elsewhere.
  const real = join(await realPathOf(path), from);
  if (!found.isDirectory() || !samePath(await realPathOf(source), real)) return reclaimMessages.isLinkNow();
  try {
    await rename(source, join(aside, to), { patience: 400 });
    return undefined;
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return 'gone';
    return messageOf(thrown);
  }
}

async function whatStays(
  aside: string,
  moved: readonly MovedFolder[],
  folders: readonly OutputFolder[],
): Promise<{ readonly move: MovedFolder; readonly entry: KeptEntry }[]> {
  const look = new Look();
  const parts = new Set(moved.map(({ to }) => join(aside, to)));
  await diskUsage([aside], { parts, onMeet: (met) => look.meet(met) });
  return moved.flatMap((move) => {
    const folder = folders.find((each) => each.path === `${move.from}/`);
    const why = folder && look.whyKept([join(aside, move.to)], folder.kind);
    return folder && why ? [{ move, entry: { path: folder.path, bytes: folder.bytes, why } }] : [];
  });
}

function keptEntry(folders: readonly OutputFolder[], { from }: MovedFolder, reason: string | Message): KeptEntry {
  const bytes = folders.find((each) => each.path === `${from}/`)?.bytes ?? 0;
  return { path: `${from}/`, bytes, why: reclaimMessages.notMoved({ reason }) };
}
