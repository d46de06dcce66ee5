import { lstat, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
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
  /** When the folder was made, ISO 8601; `undefined` while there is none. It stays when the worktree moves. */
  readonly createdAt: string | undefined;
}

const idFile = '.worktree-id';
const createdFile = '.created-at';
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
  const [made, created] = await Promise.all(
    [idFile, createdFile].map(async (name) => (await readTextIfThere(join(path, name)))?.trim()),
  );
  return {
    path,
    worktreeId: id,
    madeFor: made === undefined || made === '' || made === id ? undefined : made,
    createdAt: isTime(created) ? created : await birthOf(path),
  };
}

/**
 * Makes the state folder of a worktree, or brings it in order: its id, when it was made, and the rule that keeps git away from it.
 *
 * @throws Problem as {@link readStateDirectory}, and `not-writable`.
 */
export async function ensureStateDirectory(root: string): Promise<StateDirectory> {
  const found = await readStateDirectory(root);
  const createdAt = found.createdAt ?? new Date().toISOString();
  await Promise.all([
    writeIfOther(join(found.path, idFile), `${found.worktreeId}\n`),
    writeIfOther(join(found.path, createdFile), `${createdAt}\n`),
    writeIfOther(join(found.path, '.gitignore'), ignoreAll, true),
  ]);
  return { ...found, createdAt, madeFor: undefined };
}

/**
 * Of other worktrees the one that a state folder was copied from: it was made there, and that one has it still. One that was only moved
 * here was copied from nowhere.
 *
 * @param others the roots of worktrees, as the caller spells them.
 */
export async function copiedFrom({ madeFor }: StateDirectory, others: readonly string[]): Promise<string | undefined> {
  if (madeFor === undefined) return undefined;
  const real = await Promise.all(others.map(realPathOf));
  const other = others.find((each, index) => [each, real[index]!].some((root) => worktreeId(root) === madeFor));
  // That one may have been moved to where this one was when the folder was made.
  return other !== undefined && (await idInStateOf(other)) === madeFor ? other : undefined;
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

function isTime(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text));
}

/** Earlier versions did not write it down. */
async function birthOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  return new Date(found.birthtimeMs > 0 ? found.birthtimeMs : found.mtimeMs).toISOString();
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
