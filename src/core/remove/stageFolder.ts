import { mkdir, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isHeld, rename, rmdir, type Retry } from '../base/heldFiles.ts';
import { Problem, errorCode, messageOf } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import { removeMessages } from '../messages/remove.ts';

/** How a working tree was staged: with its folder; its folder stays where it was, empty, in use; or not at all, it is deleted where it is. */
export type Staging = 'whole' | 'emptied' | 'inPlace';

/** What changes the disk. */
interface Disk {
  readonly windows: boolean;
  readonly rename: (from: string, to: string, retry?: Retry) => Promise<void>;
  readonly rmdir: (folder: string) => Promise<void>;
}

const ownDisk: Disk = { windows: sep === '\\', rename, rmdir };

/** Git's file in a worktree: it goes last and comes back first, so that where it is tells how far somebody has come who was killed. */
const proof = '.git';
/** So often what others make in a folder meanwhile is taken along. */
const mostRounds = 3;

/**
 * Moves a working tree aside, all of it or nothing. It cannot be renamed where it is the root of a disk; and on Windows not while a program
 * has its folder or anything in it open. There what is in the folder is moved piece by piece, which a shell that stands in the folder
 * does not mind.
 *
 * @throws Problem `in-use` naming what another program has open, `not-writable`. What was moved by then is for {@link putBackFolder}.
 */
export async function stageFolder(name: string, path: string, aside: string, disk: Disk = ownDisk): Promise<Staging> {
  try {
    await disk.rename(path, aside, { patience: 400 });
    return 'whole';
  } catch (thrown) {
    if (disk.windows && isHeld(thrown, true)) return movePieces(name, path, aside, disk);
    if (errorCode(thrown) === 'EBUSY' || errorCode(thrown) === 'EXDEV') return 'inPlace';
    throw notStaged(path, thrown);
  }
}

async function movePieces(name: string, path: string, aside: string, disk: Disk): Promise<Staging> {
  await mkdir(aside).catch((thrown: unknown) => {
    throw notStaged(path, thrown);
  });
  for (let round = 0; round < mostRounds; round++) {
    const entries = await readdir(path);
    if (entries.length === 0) break;
    for (const entry of sorted(entries)) {
      await disk.rename(join(path, entry), join(aside, entry), { patience: 2000 }).catch((thrown: unknown) => {
        if (errorCode(thrown) === 'ENOENT') return;
        throw heldIn(name, join(path, entry), thrown);
      });
    }
  }
  try {
    await disk.rmdir(path);
    return 'whole';
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return 'whole';
    if (isHeld(thrown, disk.windows)) return 'emptied';
    throw heldIn(name, path, thrown);
  }
}

const sorted = (entries: readonly string[]): string[] => [
  ...entries.filter((entry) => entry !== proof),
  ...entries.filter((entry) => entry === proof),
];

/**
 * Puts back what {@link stageFolder} has moved, wherever it was stopped. Nothing that is at the old place is replaced.
 *
 * @returns false where something else is at the old place by now; then nothing was moved.
 * @throws what the disk says; it can be called again.
 */
export async function putBackFolder(aside: string, path: string, disk: Disk = ownDisk): Promise<boolean> {
  const there = await readdir(path).catch((thrown: unknown) => {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    if (errorCode(thrown) === 'ENOTDIR') return [proof];
    throw thrown;
  });
  if (there === undefined) {
    await disk.rename(aside, path);
    return true;
  }
  const entries = await readdir(aside);
  // An empty folder is what was left of it; with git's file in it, and none here, it is the worktree, half of which is here.
  if (there.length > 0 && (entries.includes(proof) || !there.includes(proof))) return false;
  if (entries.some((entry) => there.includes(entry))) return false;
  for (const entry of sorted(entries).reverse()) await disk.rename(join(aside, entry), join(path, entry));
  await disk.rmdir(aside);
  return true;
}

function notStaged(path: string, thrown: unknown): Problem {
  return new Problem('not-writable', removeMessages.notStaged({ path, reason: messageOf(thrown) }), {
    file: path,
    next: removeMessages.checkFolderAbove(),
    cause: thrown,
  });
}

function heldIn(name: string, file: string, thrown: unknown): Problem {
  return new Problem('in-use', removeMessages.heldInFolder({ name, file }), {
    file,
    next: removeMessages.closeThenRemove({ name: quoted(name) }),
    outcome: 'incomplete',
    cause: thrown,
  });
}
