import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { readText } from '../base/manyFiles.ts';
import { resolveFrom, samePlace } from '../base/paths.ts';
import { errorCode, messageOf } from '../base/problem.ts';
import { gitFileTarget } from '../git/gitFile.ts';
import type { Condition } from './model.ts';

/** What there is at the path of a worktree. */
export interface LocationState {
  readonly condition: Condition;
  /** The git directory that its `.git` leads to, if that is the right one or git's own record is not known. */
  readonly gitDir: string | undefined;
  /** Why it could not be looked at. */
  readonly trouble: string | undefined;
}

/**
 * Looks at the folder of a linked worktree. Only a `.git` file that leads to git's own record of that worktree makes it `fine`:
 * the record says where the folder should be, the file proves that this is the folder.
 *
 * @param gitDir the git directory that git has on record for the path.
 * @param commonDir the repository's; without a record, a `.git` that leads into it is believed.
 */
export async function lookAt(root: string, gitDir: string | undefined, commonDir: string): Promise<LocationState> {
  const found = await readDotGit(root);
  if (typeof found !== 'object') return { condition: found, gitDir, trouble: undefined };
  if ('trouble' in found) return { condition: 'broken', gitDir, trouble: found.trouble };
  try {
    return await whereItLeads(found.target, gitDir, commonDir);
  } catch (thrown) {
    if (errorCode(thrown) === undefined) throw thrown;
    return { condition: 'broken', gitDir, trouble: messageOf(thrown) };
  }
}

/** @throws system errors when what is there cannot be looked at: that says nothing about what it is. */
async function whereItLeads(target: string, gitDir: string | undefined, commonDir: string): Promise<LocationState> {
  if (gitDir !== undefined && (await samePlace(target, gitDir)))
    return { condition: 'fine', gitDir, trouble: undefined };
  if (!(await isGitDirectory(target))) {
    const condition = gitDir !== undefined && namesAdminDir(target, gitDir) ? 'moved' : 'broken';
    return { condition, gitDir, trouble: undefined };
  }
  const ours = gitDir === undefined && (await samePlace(resolve(target, '..', '..'), commonDir));
  return { condition: ours ? 'fine' : 'foreign', gitDir: ours ? target : gitDir, trouble: undefined };
}

/** Whether a path that is gone was that of an admin directory of the same name: `<some common directory>/worktrees/<id>`. */
export function namesAdminDir(target: string, gitDir: string): boolean {
  return basename(target) === basename(gitDir) && basename(dirname(target)) === 'worktrees';
}

/** Looks at the main working tree, whose `.git` may be anything that git could start from. */
export async function lookAtMain(root: string, commonDir: string): Promise<LocationState> {
  try {
    return { condition: (await isFolder(root)) ? 'fine' : 'missing', gitDir: commonDir, trouble: undefined };
  } catch (thrown) {
    return { condition: 'broken', gitDir: commonDir, trouble: messageOf(thrown) };
  }
}

type DotGit = { readonly target: string } | { readonly trouble: string };

/** Where the `.git` of a folder leads, or the condition of a folder that has none. */
async function readDotGit(root: string): Promise<DotGit | Condition> {
  const file = root + sep + '.git';
  try {
    const target = gitFileTarget(await readText(file));
    return target === undefined ? 'broken' : { target: resolveFrom(root, target) };
  } catch (thrown) {
    const code = errorCode(thrown);
    try {
      if (code === 'ENOENT' || code === 'ENOTDIR') return (await isFolder(root)) ? 'empty' : 'missing';
      // Systems differ in what they call the reading of a folder.
      if (await isFolder(file)) return { target: file };
    } catch (why) {
      return { trouble: messageOf(why) };
    }
    return { trouble: messageOf(thrown) };
  }
}

async function isGitDirectory(path: string): Promise<boolean> {
  return (await statIfThere(join(path, 'HEAD')))?.isFile() ?? false;
}

async function isFolder(path: string): Promise<boolean> {
  return (await statIfThere(path))?.isDirectory() ?? false;
}

/** @throws system errors other than that it is not there. */
async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw thrown;
  }
}
