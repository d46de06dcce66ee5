import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { makeFolders, modeOfNewFile, shareLikeGit } from '../base/sharing.ts';

/** So many bytes are enough for all that the removal of a worktree writes down. */
const roomSize = 256 * 1024;

/** The file that holds the room, below a repository's common directory. */
function spareRoomFile(commonDir: string): string {
  return join(commonDir, 'worktree-stacks', 'spare-room');
}

/**
 * Keeps some room on the disk, in a file that is good for nothing else: the removal of a worktree on a full disk has that much to write with.
 * Where there is no room for it now, there is none kept; another command tries again.
 */
export async function keepSpareRoom(commonDir: string): Promise<void> {
  const file = spareRoomFile(commonDir);
  const found = await stat(file).catch(() => undefined);
  if (found?.size === roomSize) return;
  try {
    await makeFolders(dirname(file));
    // Zeros, and what can be compressed, take no room on some disks.
    await writeFile(file, randomBytes(roomSize), { mode: modeOfNewFile(file, undefined) ?? 0o600 });
    await shareLikeGit(file);
  } catch {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

/** Gives the room that was kept to whoever writes next; whether there was some. */
export async function giveSpareRoom(commonDir: string): Promise<boolean> {
  try {
    await rm(spareRoomFile(commonDir));
    return true;
  } catch {
    return false;
  }
}
