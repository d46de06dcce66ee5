import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { samePlace, upFrom } from '../base/paths.ts';
import { idOf, partsOf, targetIn } from './gitPointer.ts';
import { findMovedGitDir } from './movedGitDir.ts';

/** Where a folder belongs, as the files of git alone tell it. */
export interface FoundRoot {
  /** The common git directory, as git's files spell it. */
  readonly commonDir: string;
  /** The main working tree; for a bare repository the folder that holds it. */
  readonly mainRoot: string;
  /** The root of the working tree that holds the folder. */
  readonly worktreeRoot: string;
  /** The git directory of that working tree. */
  readonly gitDir: string;
  /** Git's own name of it, where it is a linked worktree. */
  readonly id: string | undefined;
  /** Its `.git` file leads to where the repository was; git does not work in it until that is repaired. */
  readonly stale: boolean;
}

/** A working tree of which nobody can tell any more which repository it belongs to. */
export interface LostRoot {
  readonly worktreeRoot: string;
  /** Where its `.git` file leads, to nothing; `undefined` where the file is damaged. */
  readonly lostTarget: string | undefined;
}

/**
 * Finds the main root of the repository that holds a folder without starting git: a hook runs at every start of a session and has no
 * time for a process. Gives the same answer as `locate` in repository/identity.ts, and one also where git gives none because the
 * repository was moved.
 *
 * @returns `undefined` outside of any repository, and where the files of git are damaged.
 */
export async function findMainRoot(folder: string): Promise<FoundRoot | undefined> {
  const found = await findRoot(folder);
  return found && 'commonDir' in found ? found : undefined;
}

/** The same, telling a working tree that leads nowhere from no working tree at all. */
export async function findRoot(folder: string): Promise<FoundRoot | LostRoot | undefined> {
  for (const at of upFrom(folder)) {
    const dotGit = join(at, '.git');
    const found = await stat(dotGit).catch(() => undefined);
    if (found?.isDirectory()) {
      return { commonDir: dotGit, mainRoot: at, worktreeRoot: at, gitDir: dotGit, id: undefined, stale: false };
    }
    if (found?.isFile()) {
      const target = await readTarget(dotGit);
      if (target === undefined) return { worktreeRoot: at, lostTarget: undefined };
      if (await isGitDirectory(target)) return rootAt(at, target, false);
      const moved = findMovedGitDir(at, target);
      return moved === undefined ? { worktreeRoot: at, lostTarget: target } : rootAt(at, moved, true);
    }
  }
  return undefined;
}

/** What a working tree is whose git directory is known. */
export async function rootAt(worktreeRoot: string, gitDir: string, stale: boolean): Promise<FoundRoot> {
  const commonDir = await commonDirOf(gitDir);
  // Only a linked worktree has a git directory apart from the common one; everything else is its own main root.
  const linked = commonDir !== gitDir;
  const mainRoot = linked ? await mainRootOf(commonDir) : worktreeRoot;
  return { commonDir, mainRoot, worktreeRoot, gitDir, id: linked ? idOf(gitDir) : undefined, stale };
}

/** Where a `.git` file points, whether anything is there or not. */
async function readTarget(dotGit: string): Promise<string | undefined> {
  const target = targetIn(await readFile(dotGit, 'utf8').catch(() => ''));
  return target === undefined ? undefined : resolve(dirname(dotGit), target);
}

async function isGitDirectory(path: string): Promise<boolean> {
  return (await stat(`${path}/HEAD`).catch(() => undefined)) !== undefined;
}

async function commonDirOf(gitDir: string): Promise<string> {
  const text = await readFile(`${gitDir}/commondir`, 'utf8').catch(() => undefined);
  return text === undefined ? gitDir : resolve(gitDir, text.trimEnd());
}

async function mainRootOf(commonDir: string): Promise<string> {
  const parent = dirname(commonDir);
  if (basename(commonDir) === '.git') return parent;
  // A submodule's git directory names its working tree.
  // With `extensions.worktreeConfig` it is in the main worktree's own settings.
  const configs = ['config.worktree', 'config'].map((name) => readFile(join(commonDir, name), 'utf8').catch(() => ''));
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/im.exec((await Promise.all(configs)).join('\n'))?.[1];
  if (worktree !== undefined) return resolve(commonDir, worktree.replace(/^"(.*)"$/, '$1'));
  // A hidden bare repository with a `.git` file beside it that points there.
  const pointed = await readTarget(join(parent, '.git'));
  if (pointed === undefined) return commonDir;
  const same = (await isGitDirectory(pointed))
    ? await samePlace(pointed, commonDir)
    : partsOf(pointed).at(-1) === basename(commonDir);
  return same ? parent : commonDir;
}
