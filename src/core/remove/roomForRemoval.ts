import { join } from 'node:path';
import { isDiskFull } from '../base/diskSpace.ts';
import { Problem } from '../base/problem.ts';
import { giveSpareRoom } from '../repository/spareRoom.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import type { Removal } from './inspect.ts';
import { deleteFreeTrash } from '../trash/stuckTrash.ts';

/**
 * Runs a part of a removal that writes, again each time after room was made where the disk is full: a removal needs some room before it gives
 * any. First the room that was kept for this goes, then what removals before it have given free, and last, for a worktree without anything
 * that speaks against its removal, what is gone with it for good: dependencies and the like.
 *
 * @param attempt must leave everything as it was when it fails, or be of the kind that can be run twice.
 * @param folder where the working tree is now; `undefined` where there is none.
 * @throws Problem of the attempt.
 */
export async function withRoom<T>(
  workspace: Workspace,
  { obstacles, inspected }: Removal,
  attempt: () => Promise<T>,
  folder: string | undefined,
): Promise<T> {
  const { commonDir } = workspace.repository;
  const ways: (() => Promise<boolean>)[] = [
    () => giveSpareRoom(commonDir),
    () => deleteFreeTrash(workspace.git, workspace.repository),
    async () => {
      if (folder === undefined || obstacles.length > 0) return false;
      return deleteAll((inspected?.ignored.gone ?? []).map(({ path }) => join(folder, path.replace(/\/$/, ''))));
    },
  ];
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!isDiskFull(thrown)) throw thrown;
      let made = false;
      for (let way = ways.shift(); way && !made; way = made ? undefined : ways.shift()) made = await way();
      if (!made) throw thrown;
    }
  }
}

async function deleteAll(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    await deleteFolder(path).catch((thrown: unknown) => {
      if (!Problem.is(thrown)) throw thrown;
    });
  }
  return paths.length > 0;
}
