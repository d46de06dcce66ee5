import { chmod, copyFile, link, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { makeFolders, shareLikeGit } from '../base/sharing.ts';
import type { Repository } from '../repository/identity.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import { linkTree } from '../base/linkTree.ts';

/** So long, in days, what a removal kept in files stays. */
export const keptForDays = 30;
const day = 24 * 60 * 60 * 1000;

/**
 * What a removal keeps in files, beside its refs: small ignored files, and what git's admin directory of the worktree says of how it was
 * used. Not in git's objects, since those may hold secrets: objects can be read by everybody who can read the repository, and
 * `git push --mirror` sends all refs. Nobody but its owner gets into the folder.
 */
export interface KeptFolder {
  /** The folder itself: `<common git directory>/worktree-stacks/kept/<time>-<slug>`. */
  readonly path: string;
  /** In it: what git ignored, under its path in the worktree. */
  readonly files: string;
  /** In it: what was in git's admin directory of the worktree, and the log of its branch as `branch-log`. */
  readonly adminDir: string;
}

/** The folder for what one removal keeps. @param id the last part of the prefix of its backup refs: it begins with the time. */
export function keptFolder({ commonDir }: Repository, id: string): KeptFolder {
  const path = join(keptFolders(commonDir), id);
  return { path, files: join(path, 'files'), adminDir: join(path, 'record') };
}

/**
 * The folder for files that an operation could not put back. It goes with the others when it is old.
 *
 * @param what the last part of its name.
 */
export function keptAside({ commonDir }: Repository, now: Date, what: string): string {
  const time = now.toISOString().replace(/[-:Z]/g, '').replace('.', '-');
  return join(keptFolders(commonDir), `${time}-${what}`);
}

/** The id of what is kept beside refs with a prefix. */
export const keptId = (prefix: string): string => prefix.slice(prefix.lastIndexOf('/') + 1);

/** The name of the branch's log in {@link KeptFolder.adminDir}. */
export const branchLog = 'branch-log';

/** Files of git's record that come back with a worktree: its logs, its own refs, and what it was at before the last big step. */
const adminFiles = ['logs', 'refs/worktree', 'ORIG_HEAD', 'FETCH_HEAD'];

/** Where the log of a branch is. */
export function branchLogOf(commonDir: string, branch: string): string {
  return join(commonDir, 'logs', 'refs', 'heads', ...branch.split('/'));
}

/** What is to be kept of a worktree. */
export interface ToKeep {
  /** Its working tree, wherever it is now; `undefined` where there is none. */
  readonly tree: string | undefined;
  /** What of it, relative. */
  readonly paths: readonly string[];
  /** Files in those that need no keeping. */
  readonly except: ReadonlySet<string>;
  /** Git's admin directory of it. */
  readonly gitDir: string;
  /** Its branch, where that goes too. */
  readonly branch: string | undefined;
}

/**
 * Keeps ignored files and logs of a worktree. What is there stays as it is.
 *
 * @returns ignored files that could not be read.
 * @throws Problem `not-writable`.
 */
export async function keepInFolder({ commonDir }: Repository, folder: KeptFolder, what: ToKeep): Promise<string[]> {
  const { tree, paths, except, gitDir, branch } = what;
  for (const each of [keptFolders(commonDir), folder.path]) {
    // For nobody else, unless the repository is shared: then whoever shares it may bring the worktree back.
    if ((await mkdir(each, { recursive: true, mode: 0o700 })) === undefined) continue;
    await chmod(each, 0o700);
    await shareLikeGit(each);
  }
  await makeFolders(folder.adminDir);
  await linkTree(gitDir, folder.adminDir, adminFiles);
  if (branch !== undefined) await keepFile(branchLogOf(commonDir, branch), join(folder.adminDir, branchLog));
  if (tree === undefined || paths.length === 0) return [];
  await makeFolders(folder.files);
  return linkTree(tree, folder.files, paths, except);
}

/** Deletes what a removal kept, when it is there again or was never removed. */
export async function dropKept(repository: Repository, id: string | undefined): Promise<void> {
  if (id !== undefined) await deleteFolder(keptFolder(repository, id).path);
}

/** Deletes what was kept for longer than {@link keptForDays}. Their names tell, so that nothing has to be read. */
export async function forgetOldKept({ commonDir }: Repository, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptForDays * day).toISOString().replace(/[-:]/g, '').slice(0, 15);
  const folder = keptFolders(commonDir);
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (!/^\d{8}T\d{6}-/.test(name) || name.slice(0, 15) >= oldest) continue;
    await deleteFolder(join(folder, name)).catch((thrown: unknown) => {
      if (!Problem.is(thrown)) throw thrown;
    });
  }
}

const keptFolders = (commonDir: string): string => join(commonDir, 'worktree-stacks', 'kept');

/** The file goes with the branch; a second name of it takes no room. */
async function keepFile(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(() => undefined);
  if (!found?.isFile()) return;
  await link(from, to).catch(() => copyFile(from, to));
}
