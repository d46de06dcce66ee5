import { basename } from 'node:path';
import { Problem } from '../base/problem.ts';
import { updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { readActive, writeActive } from '../repository/stateFile.ts';
import { track } from '../repository/trackingFile.ts';
import { notTracked, syncTracking, toTracked } from '../lifecycle/tracking.ts';
import { gitDirOf } from '../git/gitFile.ts';
import type { CreateData } from './createData.ts';
import type { Reservation } from '../operations/store.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Message } from '../messages/message.ts';

/**
 * Enters a new worktree into the registry. An entry of that name that is there can only be that of a worktree that is gone; it is
 * noted in the pending operation first, so that it can be put back.
 *
 * @returns the data with that entry in it.
 */
export async function enterIntoRegistry(
  { environment, repository }: Workspace,
  data: CreateData,
  reservation?: Reservation<CreateData>,
): Promise<CreateData> {
  const gitDir = await gitDirOf(data.path);
  const made: RegistryEntry = { ...(gitDir === undefined ? {} : { id: basename(gitDir) }), ...data.entry };
  const before = await updateRegistry(environment, repository, ({ worktrees }) => {
    const entry = worktrees.get(data.name);
    if (!entry) worktrees.set(data.name, made);
    return entry;
  });
  if (!before || before.created === data.entry.created) return data;
  const noted = { ...data, entryBefore: before };
  await reservation?.note(noted);
  await updateRegistry(environment, repository, ({ worktrees }) => void worktrees.set(data.name, made));
  return noted;
}

/**
 * Makes a new worktree the active one.
 *
 * @param options.unlessNewer leaves a choice alone that was made after the creation began.
 * @returns a warning when the state file cannot be read: then it stays as it is.
 */
export async function becomeActive(
  { environment, repository }: Workspace,
  { path, branch, entry }: CreateData,
  options: { unlessNewer?: boolean } = {},
): Promise<Message[]> {
  const created = entry.created ?? environment.now().toISOString();
  try {
    const active = await readActive(repository);
    if (active && options.unlessNewer && active.created >= created) return [];
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    return [thrown.what];
  }
  const { composeProject } = entry;
  await writeActive(environment, repository, {
    path,
    branch,
    ...(composeProject === undefined ? {} : { composeProject }),
    created,
  });
  return [];
}

/**
 * Records a new worktree in the team's tracking file, and those of the others that are missing there.
 *
 * @returns a warning when that cannot be done: the worktree does not depend on it.
 */
export async function enterIntoTracking(
  workspace: Workspace,
  { entry }: Pick<CreateData, 'entry'>,
): Promise<Message[]> {
  const { environment, repository, configuration } = workspace;
  try {
    await track(environment, repository, configuration, toTracked(workspace, entry, undefined));
  } catch (thrown) {
    return [notTracked(thrown)];
  }
  return syncTracking(workspace);
}
