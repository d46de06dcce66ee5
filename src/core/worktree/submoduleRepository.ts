import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitDirOf } from '../git/gitFile.ts';

/** The git directory of a submodule that is checked out in a folder; `undefined` when none is. */
export async function repositoryOf(tree: string): Promise<string | undefined> {
  const inside = join(tree, '.git');
  // Made by an old git, it has its repository inside.
  if (await isRepository(inside)) return inside;
  const gitDir = await gitDirOf(tree);
  return gitDir !== undefined && (await isRepository(gitDir)) ? gitDir : undefined;
}

/** Whether a folder is a git directory. */
export async function isRepository(folder: string): Promise<boolean> {
  return (await stat(join(folder, 'HEAD')).catch(() => undefined))?.isFile() ?? false;
}
