import { mkdir } from 'node:fs/promises';
import { rm, rmdir } from '../base/heldFiles.ts';
import { isWithin, upFrom } from '../base/paths.ts';
import { removeAgent } from '../claude/agentFiles.ts';
import { notTracked, toTracked } from '../lifecycle/tracking.ts';
import { forgetRecord } from '../repository/trackingFile.ts';
import { readRegistry, updateRegistry } from '../repository/registry.ts';
import { rollBackAssignment, type TaskFileChange } from '../tasks/assign.ts';
import { dropUnfinished } from './dropUnfinished.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import type { CreateData } from './createData.ts';
import { deleteMadeBranch, reflogNote } from './madeBranch.ts';
import { untrack } from './tracking.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { textOf } from '../messages/message.ts';

/**
 * Rolls back what a creation has made: registry entry, agent, worktree, folders, branch. Nothing that was there before; a branch that
 * has moved or is checked out elsewhere stays. Doing it twice is harmless.
 *
 * @param made.folder the worktree's folder, and with it what git has on record for it, was made by the creation and by nobody else.
 * @param change how the session file was changed, where that is known.
 * @throws Problem when something could not be rolled back; to be tried again.
 */
export async function rollBackCreate(
  workspace: Workspace,
  data: CreateData,
  made: { readonly folder: boolean },
  change?: TaskFileChange,
): Promise<void> {
  // First what takes space: on a full disk nothing else could be written.
  if (made.folder) await removeFolder(workspace, data);
  await rollBackAssignment(workspace, data, change);
  await dropEntry(workspace, data);
  await dropRecord(workspace, data);
  await removeAgent(workspace.repository, data.slug);
  for (const at of [...upFrom(data.path)].slice(1)) {
    if (!isWithin(data.firstMade, at)) break;
    // Somebody else may have made it at the same time, and use it.
    if (
      !(await rmdir(at).then(
        () => true,
        () => false,
      ))
    )
      break;
  }
  if (!data.newBranch) return;
  const branch = { name: data.branch, oid: data.startCommit, note: reflogNote(data) };
  if (await deleteMadeBranch(workspace, branch)) await untrack(workspace, data);
}

async function dropEntry({ environment, repository }: Workspace, data: CreateData): Promise<void> {
  const isOurs = (worktrees: ReadonlyMap<string, CreateData['entry']>): boolean => {
    const entry = worktrees.get(data.name);
    return entry?.path === data.entry.path && entry.created === data.entry.created;
  };
  // Looked at first, since a change would make the registry's folder.
  if (!isOurs((await readRegistry(repository)).worktrees)) return;
  await updateRegistry(environment, repository, ({ worktrees, ports }) => {
    if (!isOurs(worktrees)) return;
    ports.delete(worktrees.get(data.name)?.id ?? '');
    if (data.entryBefore) worktrees.set(data.name, data.entryBefore);
    else worktrees.delete(data.name);
  });
}

/** It can only be in the tracking file when the process that made it was killed in the last moment. */
async function dropRecord(workspace: Workspace, { entry }: CreateData): Promise<void> {
  const { environment, repository, configuration } = workspace;
  const { path, created_at } = toTracked(workspace, entry, undefined);
  try {
    await forgetRecord(environment, repository, configuration, { path, created_at });
  } catch (thrown) {
    environment.log.warn(textOf(notTracked(thrown)));
  }
}

async function removeFolder(workspace: Workspace, data: CreateData): Promise<void> {
  const { path, folderThere, entry } = data;
  // A process of a killed creation may still be writing there, until its folder is gone.
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }).catch(() => deleteFolder(path));
  await dropUnfinished(workspace, path, new Date(entry.created ?? 0));
  if (folderThere) await mkdir(path);
}
