import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rename, rmdir } from '../base/heldFiles.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { realPathOf } from '../base/paths.ts';
import { Problem, messageOf } from '../base/problem.ts';
import { stateDir, worktreeId } from '../repository/context.ts';
import { readRegistry } from '../repository/registry.ts';
import { idInStateOf } from '../repository/stateDirectory.ts';
import { trackingFile } from '../repository/trackingFile.ts';
import { findLiveSessions } from './liveSessions.ts';
import type { Snapshot } from '../worktree/model.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { removeMessages } from '../messages/remove.ts';
import type { Message } from '../messages/message.ts';

/** State whose worktree is gone. */
export interface OrphanedState {
  /** Where the worktree was. */
  readonly folder: string;
  /** Its folder of state. */
  readonly state: string;
  readonly worktreeId: string | undefined;
  /** Why it must stay, as a sentence part; `undefined` when it can go. */
  readonly kept: Message | undefined;
  /** Nothing else is in the folder: it goes along. */
  readonly alone: boolean;
}

/**
 * Finds state that was left behind when its worktree went: in the folders that worktrees are put in, and at the paths that the
 * registry and the tracking file name. Changes nothing.
 *
 * @throws Problem `unreadable-file` for a registry or a tracking file that cannot be read.
 */
export async function findOrphanedState(workspace: Workspace, snapshot: Snapshot): Promise<OrphanedState[]> {
  const { environment, repository } = workspace;
  const living = new Set(
    await Promise.all([repository.mainRoot, ...snapshot.worktrees.map(({ path }) => path)].map(realPathOf)),
  );
  const found: OrphanedState[] = [];
  for (const folder of await candidates(workspace, snapshot)) {
    if (living.has(await realPathOf(folder))) continue;
    const state = stateDir(folder);
    const there = await lstat(state).catch(() => undefined);
    if (!there) continue;
    const id = await idInStateOf(folder);
    const others = (await readdir(folder)).filter((name) => name !== '.claude-state');
    const sessions = await findLiveSessions(environment, await realPathOf(folder));
    const [session] = sessions;
    let kept: Message | undefined;
    if (!there.isDirectory()) kept = removeMessages.stateIsLink();
    else if (id === undefined) kept = removeMessages.stateHasNoId();
    else if (!(await belongsHere(folder, id))) kept = removeMessages.stateOfAnother();
    else if (others.includes('.git')) kept = removeMessages.repositoryThere();
    else if (session) kept = removeMessages.sessionWorksThere({ what: session.what, pid: session.pid });
    found.push({ folder, state, worktreeId: id, kept, alone: others.length === 0 });
  }
  return found;
}

/** The root may have been spelt as the person sees it, or as git does. */
async function belongsHere(folder: string, id: string): Promise<boolean> {
  return id === worktreeId(folder) || id === worktreeId(await realPathOf(folder));
}

/**
 * Removes orphaned state that can go, and the folder where nothing else is in it. It is renamed first, so that a process that wakes up
 * meanwhile does not find half of it.
 *
 * @throws Problem `not-writable` naming what could not be deleted.
 */
export async function removeOrphanedState(orphan: OrphanedState): Promise<void> {
  if (orphan.kept !== undefined) return;
  const aside = `${orphan.state}.removed-${orphan.worktreeId ?? ''}`;
  try {
    await rename(orphan.state, aside);
  } catch (thrown) {
    throw new Problem(
      'not-writable',
      removeMessages.stateNotRemoved({ state: orphan.state, reason: messageOf(thrown) }),
      {
        file: orphan.state,
        next: removeMessages.closeThenStateCleanup(),
        outcome: 'incomplete',
      },
    );
  }
  await deleteFolder(aside);
  // Fails, as it should, when something has come into it.
  if (orphan.alone) await rmdir(orphan.folder).catch(() => undefined);
}

async function candidates(workspace: Workspace, snapshot: Snapshot): Promise<string[]> {
  const { repository } = workspace;
  const linked = snapshot.worktrees.filter((each) => !each.main);
  const parents = new Set([join(repository.mainRoot, '.worktrees'), ...linked.map(({ path }) => dirname(path))]);
  const beside = await Promise.all(
    [...parents].map(async (parent) =>
      (await readdir(parent, { withFileTypes: true }).catch(() => []))
        .filter((each) => each.isDirectory())
        .map(({ name }) => join(parent, name)),
    ),
  );
  const registered = [...(await readRegistry(repository)).worktrees.values()].map(({ path }) => path);
  return [...new Set([...beside.flat(), ...registered, ...(await trackedPaths(workspace))])];
}

async function trackedPaths({ repository, configuration }: Workspace): Promise<string[]> {
  const file = await trackingFile(repository, configuration);
  const records = file === undefined ? undefined : (await readJsonObject(file))?.['worktrees'];
  if (!Array.isArray(records)) return [];
  return records.flatMap((record: unknown) => {
    const path = isObject(record) ? record['path'] : undefined;
    return typeof path === 'string' ? [join(repository.mainRoot, path)] : [];
  });
}
