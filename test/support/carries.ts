import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { carry, type Carried } from '../../src/core/carry/carry.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';
import { findWorktree } from '../../src/core/worktree/find.ts';
import type { TestRepository } from './tempRepo.ts';
import type { Stacks } from './stacks.ts';

/** Carries uncommitted work between two worktrees of {@link Stacks}. */
export async function carryBetween(
  { workspace, repository }: Pick<Stacks, 'workspace' | 'repository'>,
  from: string,
  to: string,
  mode: 'move' | 'copy' = 'move',
): Promise<Carried> {
  const snapshot = await readSnapshot(workspace, { withChanges: false });
  const find = (word: string): ReturnType<typeof findWorktree> => findWorktree(snapshot, word, repository.root);
  return carry(workspace, { from: await find(from), to: await find(to), mode });
}

/** Every file of a worktree to the byte, with its kind and whether it can be executed; what is staged; and what git says of both. */
export async function pictureOf(
  { gitIn }: Pick<TestRepository, 'gitIn'>,
  root: string,
): Promise<Record<string, string>> {
  const picture: Record<string, string> = {
    head: await gitIn(root, 'rev-parse', 'HEAD'),
    staged: await gitIn(root, 'ls-files', '--stage'),
    status: await gitIn(root, 'status', '--porcelain=v2', '--untracked-files=all', '--ignored', '--no-renames'),
  };
  const walk = (folder: Buffer): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      if (name.toString() === '.git' || name.toString() === '.worktrees') continue;
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      const found = lstatSync(path);
      const key = `file ${path.subarray(Buffer.byteLength(root) + 1).toString('latin1')}`;
      if (found.isDirectory()) walk(path);
      else if (found.isSymbolicLink()) picture[key] = `-> ${readlinkSync(path)}`;
      else
        picture[key] =
          `${(found.mode & 0o111) === 0 ? '' : 'x '}${createHash('sha1').update(readFileSync(path)).digest('hex')}`;
    }
  };
  walk(Buffer.from(root));
  return picture;
}

/** Where git keeps the worktree `name`'s own files. */
export const adminDir = ({ repository }: Pick<Stacks, 'repository'>, name: string): string =>
  name === 'main' ? join(repository.root, '.git') : join(repository.root, '.git/worktrees', name);
