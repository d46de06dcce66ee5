import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import { isWithin } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { stateDir, worktreeId } from './context.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** A worktree's folder of state (seed 004). */
export interface StateDirectory {
  readonly path: string;
  readonly worktreeId: string;
  /**
   * The id that the folder was made with, when it is another one than the worktree's now: it was moved here with its worktree, or
   * copied from another one.
   */
  readonly madeFor: string | undefined;
}

const idFile = '.worktree-id';
/** Keeps the folder out of every commit, whatever other rules there are. */
const ignoreAll = '# Written by Worktree Stacks.\n*\n';

/**
 * Finds the state folder of a worktree. Changes nothing; the folder need not be there.
 *
 * @param root the root of the worktree.
 * @throws Problem `outside-repository` when it is a link that leads out of the worktree; `unreadable-file`.
 */
export async function readStateDirectory(root: string): Promise<StateDirectory> {
  const path = stateDir(root);
  await refuseLinkOut(root, path);
  const id = worktreeId(root);
  const made = (await readTextIfThere(join(path, idFile)))?.trim();
  return { path, worktreeId: id, madeFor: made === undefined || made === '' || made === id ? undefined : made };
}

/**
 * Makes the state folder of a worktree, or brings it in order: its id, and the rule that keeps git away from it.
 *
 * @throws Problem as {@link readStateDirectory}, and `not-writable`.
 */
export async function ensureStateDirectory(root: string): Promise<StateDirectory> {
  const found = await readStateDirectory(root);
  await Promise.all([
    writeIfOther(join(found.path, idFile), `${found.worktreeId}\n`),
    writeIfOther(join(found.path, '.gitignore'), ignoreAll, true),
  ]);
  return { ...found, madeFor: undefined };
}

/** The id in a state folder, wherever that is; `undefined` where there is none. */
export async function idInStateOf(folder: string): Promise<string | undefined> {
  const id = (await readTextIfThere(join(stateDir(folder), idFile)).catch(() => undefined))?.trim();
  return id !== undefined && /^[0-9a-f]{12}$/.test(id) ? id : undefined;
}

async function writeIfOther(file: string, text: string, keep = false): Promise<void> {
  const now = await readTextIfThere(file);
  if (now === text || (keep && now !== undefined)) return;
  await writeAtomically(file, text);
}

async function refuseLinkOut(root: string, path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSymbolicLink()) return;
  const target = await realpath(path).catch(() => undefined);
  if (target !== undefined && isWithin(await realpath(root), target)) return;
  throw new Problem('outside-repository', repositoryMessages.linkLeadsOutWorktree({ path }), {
    file: path,
    next: repositoryMessages.removeLinkState(),
  });
}
