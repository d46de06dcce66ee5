import { readFile, readdir, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lockOfMaking, whileRegistering } from './create/register.ts';
import { findListed } from './read/findListed.ts';
import { deleteTree } from './remove/deleteTree.ts';
import type { Workspace } from './workspace.ts';

/** A git process that makes a worktree gets from its first file to its second one in less than this, in milliseconds. */
const gitsPause = 100;

/**
 * Removes what git has on record for a worktree that an operation of ours was making, and whose folder is gone: also the beginning of a
 * record, which git itself cannot remove. Doing it twice is harmless.
 *
 * Git's own `worktree remove` gives up at a record that is only half there, and deletes the file first by which the record is found again.
 *
 * @param path where the worktree was being made; nobody else can have one there.
 * @param since when the operation began.
 * @throws Problem when something of it could not be removed; the next try finds it again.
 */
export async function dropUnfinished(workspace: Workspace, path: string, since: Date): Promise<void> {
  const { commonDir } = workspace.repository;
  const gitDir = (await findListed(workspace, path))?.gitDir;
  if (gitDir !== undefined) {
    await deleteTree(gitDir, ['gitdir']);
    await deleteTree(gitDir);
  }
  if ((await findBegun(commonDir, path, since)).length > 0) {
    await whileRegistering(workspace, async () => {
      // A `git worktree add` of somebody else may be about to write where it leads.
      await delay(gitsPause);
      for (const folder of await findBegun(commonDir, path, since)) await deleteTree(folder);
    });
  }
  await rmdir(join(commonDir, 'worktrees')).catch(() => undefined);
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
      readFile(join(gitDir, 'locked'), 'utf8').catch(() => ''),
      readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => ''),
      stat(gitDir).catch(() => undefined),
    ]);
    const isBegun =
      files.every((file) => file === 'locked' || file === 'gitdir') && lockOfMaking.startsWith(lock.trim());
    const leadsNowhere = !pointer.endsWith('\n') && join(path, '.git').startsWith(pointer);
    if (there && there.mtimeMs >= since.getTime() && isBegun && leadsNowhere) found.push(gitDir);
  }
  return found;
}
