import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { samePlace } from '../../base/paths.ts';
import { removeAgent } from '../../claude/agentFiles.ts';
import { readRegistry, updateRegistry } from '../../repository/registry.ts';
import { takeTaskBack, type TaskFileChange } from '../tasks/handOut.ts';
import { repositoryArgs } from './checkout.ts';
import type { CreateData } from './createJournal.ts';
import { readListing } from '../read/listing.ts';
import type { Workspace } from '../workspace.ts';

/** What of a creation is known to have been made by it, and by nobody else. */
export interface Made {
  /** The worktree's folder, and with it what git has on record for it. */
  readonly folder: boolean;
  readonly branch: boolean;
}

/**
 * Takes back what a creation has made: registry entry, agent, worktree, folders, branch. Nothing that was there before; a branch that
 * has moved or is checked out elsewhere stays. Doing it twice is harmless.
 *
 * @param change how the session file was changed, where that is known.
 * @throws Problem with git's words; what could be taken back has been.
 */
export async function undoCreate(
  workspace: Workspace,
  data: CreateData,
  made: Made,
  change?: TaskFileChange,
): Promise<void> {
  // First what takes space: on a full disk nothing else could be written.
  if (made.folder) await removeFolder(workspace, data);
  await takeTaskBack(workspace, data, change);
  await dropEntry(workspace, data);
  await removeAgent(workspace.repository, data.slug);
  for (let at = data.path; at !== data.firstMade;) {
    at = dirname(at);
    // Somebody else may have made it at the same time, and use it.
    if (
      !(await rmdir(at).then(
        () => true,
        () => false,
      ))
    )
      break;
  }
  if (made.branch) await removeBranch(workspace, data);
}

async function dropEntry({ environment, repository }: Workspace, data: CreateData): Promise<void> {
  const isOurs = (worktrees: ReadonlyMap<string, CreateData['entry']>): boolean => {
    const entry = worktrees.get(data.name);
    return entry?.path === data.entry.path && entry.created === data.entry.created;
  };
  // Looked at first, since a change would make the registry's folder.
  if (!isOurs((await readRegistry(repository)).worktrees)) return;
  await updateRegistry(environment, repository, ({ worktrees }) => {
    if (!isOurs(worktrees)) return;
    if (data.entryBefore) worktrees.set(data.name, data.entryBefore);
    else worktrees.delete(data.name);
  });
}

async function removeFolder(workspace: Workspace, data: CreateData): Promise<void> {
  const { git, repository } = workspace;
  // A process of a killed creation may still be writing there, until its folder is gone.
  await rm(data.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  const listed = await findListed(workspace, data.path);
  if (listed) {
    // With its folder gone this only drops the record, of this one and however it is locked.
    const args = [...repositoryArgs(workspace), 'worktree', 'remove', '--force', '--force', '--', listed.path];
    await git.text(args, { cwd: repository.mainRoot, writes: true });
  }
  if (data.folderThere) await mkdir(data.path);
}

async function removeBranch(workspace: Workspace, { branch, startCommit }: CreateData): Promise<void> {
  const { environment, git, repository } = workspace;
  const listing = await readListing(workspace, new AbortController().signal);
  const holder = listing.find((listed) => listed.branch === branch);
  const args = [...repositoryArgs(workspace), 'update-ref', '-d', `refs/heads/${branch}`, startCommit];
  const kept = holder
    ? `it is checked out in ${holder.path}`
    : (await git.run(args, { cwd: repository.mainRoot, writes: true })).stderr.trim();
  if (kept !== '') environment.log.info(`The branch ${branch} was kept: ${kept}`);
}

/** The linked worktree that git has on record at a path. */
export async function findListed(
  workspace: Workspace,
  path: string,
): Promise<Awaited<ReturnType<typeof readListing>>[number] | undefined> {
  const [, ...linked] = await readListing(workspace, new AbortController().signal);
  for (const listed of linked) if (await samePlace(listed.path, path)) return listed;
  return undefined;
}
