import { readFile, readdir, readlink, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rmdir } from '../base/heldFiles.ts';
import { samePlace } from '../base/paths.ts';
import { lockOfMaking, whileRegistering } from './register.ts';
import { readAdministrations } from '../worktree/adminDir.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** A git process that makes a worktree gets from its first file to its second one in less than this, in milliseconds. */
const gitsPause = 100;

/**
 * Removes what git has on record for a worktree that an operation of ours was making, and whose folder is gone: also the beginning of a
 * record. Doing it twice is harmless.
 *
 * Git is not asked: it cannot list worktrees while one of them has an empty `commondir`, its own `worktree remove` gives up at half a
 * record, and it deletes the file first by which the record is found again.
 *
 * @param path where the worktree was being made; nobody else can have one there.
 * @param since when the operation began.
 * @throws Problem when something of it could not be removed; the next try finds it again.
 */
export async function dropUnfinished(workspace: Workspace, path: string, since: Date): Promise<void> {
  const { commonDir } = workspace.repository;
  for (const gitDir of await recordsAt(commonDir, path)) {
    await deleteFolder(gitDir, ['gitdir']);
    await deleteFolder(gitDir);
  }
  if ((await findBegun(commonDir, path, since)).length > 0) {
    await whileRegistering(workspace, async () => {
      // A `git worktree add` of somebody else may be about to write where it leads.
      await delay(gitsPause);
      for (const folder of await findBegun(commonDir, path, since)) await deleteFolder(folder);
    });
  }
  await rmdir(join(commonDir, 'worktrees')).catch(() => undefined);
}

/**
 * Whether git was ended, or has failed, while it made the worktree at a path: what it has on record says neither what is checked out there
 * nor, perhaps, which repository it belongs to. Nobody can have worked in it.
 */
export async function isUnfinished({ repository }: Workspace, path: string): Promise<boolean> {
  for (const gitDir of await recordsAt(repository.commonDir, path)) {
    const [head, common] = await Promise.all([
      // A symbolic link where `core.preferSymlinkRefs` is set.
      readlink(join(gitDir, 'HEAD')).catch(() => textOf(join(gitDir, 'HEAD'))),
      textOf(join(gitDir, 'commondir')),
    ]);
    // Git begins with a commit that is none.
    if (/^0*\s*$/.test(head) || common.trim() === '') return true;
  }
  return false;
}

/** The admin directories that lead to a path. */
async function recordsAt(commonDir: string, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const { gitDir, written } of await readAdministrations(commonDir))
    if (written !== undefined && (await samePlace(resolve(gitDir, written), path))) found.push(gitDir);
  return found;
}

/** Admin directories that git began for a worktree at a path, and could not even write to where they lead: it does not list them. */
async function findBegun(commonDir: string, path: string, since: Date): Promise<string[]> {
  const folder = join(commonDir, 'worktrees');
  const found: string[] = [];
  for (const name of await readdir(folder).catch((): string[] => [])) {
    // Git counts up where a name is taken.
    if (!name.startsWith(basename(path)) || !/^\d*$/.test(name.slice(basename(path).length))) continue;
    const gitDir = join(folder, name);
    const [files, lock, pointer, there] = await Promise.all([
      readdir(gitDir).catch((): string[] => []),
      textOf(join(gitDir, 'locked')),
      textOf(join(gitDir, 'gitdir')),
      stat(gitDir).catch(() => undefined),
    ]);
    const isBegun =
      files.every((file) => file === 'locked' || file === 'gitdir') && lockOfMaking.startsWith(lock.trim());
    const leadsNowhere = !pointer.endsWith('\n') && join(path, '.git').startsWith(pointer);
    if (there && there.mtimeMs >= since.getTime() && isBegun && leadsNowhere) found.push(gitDir);
  }
  return found;
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
