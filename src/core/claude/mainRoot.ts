import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { samePlace } from '../base/paths.ts';

/** Where a folder belongs, as the files of git alone tell it. */
export interface FoundRoot {
  /** The common git directory, as git's files spell it. */
  readonly commonDir: string;
  /** The main working tree; for a bare repository the folder that holds it. */
  readonly mainRoot: string;
  /** The root of the working tree that holds the folder. */
  readonly worktreeRoot: string;
}

/**
 * Finds the main root of the repository that holds a folder without starting git: a hook runs at every start of a session and has no
 * time for a process. Gives the same answer as `locate` in repository/identity.ts.
 *
 * @returns `undefined` outside of any repository, and where the files of git are damaged.
 */
export async function findMainRoot(folder: string): Promise<FoundRoot | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const found = await stat(dotGit).catch(() => undefined);
    if (found?.isDirectory()) return { commonDir: dotGit, mainRoot: at, worktreeRoot: at };
    if (found?.isFile()) {
      const gitDir = await followPointer(dotGit);
      if (gitDir === undefined) return undefined;
      const commonDir = await commonDirOf(gitDir);
      // Only a linked worktree has a git directory apart from the common one; everything else is its own main root.
      return { commonDir, mainRoot: commonDir === gitDir ? at : await mainRootOf(commonDir), worktreeRoot: at };
    }
    if (dirname(at) === at) return undefined;
  }
}

const pointer = 'gitdir: ';

/** Where a `.git` file points, if that is a git directory. */
async function followPointer(dotGit: string): Promise<string | undefined> {
  const text = await readFile(dotGit, 'utf8').catch(() => '');
  const line = text.split('\n').find((each) => each.startsWith(pointer) && each.trimEnd().length > pointer.length);
  if (line === undefined) return undefined;
  const target = line.slice(pointer.length).trimEnd();
  const gitDir = resolve(dirname(dotGit), target);
  return (await stat(`${gitDir}/HEAD`).catch(() => undefined)) === undefined ? undefined : gitDir;
}

async function commonDirOf(gitDir: string): Promise<string> {
  const text = await readFile(`${gitDir}/commondir`, 'utf8').catch(() => undefined);
  return text === undefined ? gitDir : resolve(gitDir, text.trimEnd());
}

async function mainRootOf(commonDir: string): Promise<string> {
  const parent = dirname(commonDir);
  if (basename(commonDir) === '.git') return parent;
  // A submodule's git directory names its working tree.
  // With settings of each worktree's own it stands in the main worktree's.
  const configs = ['config.worktree', 'config'].map((name) => readFile(join(commonDir, name), 'utf8').catch(() => ''));
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/im.exec((await Promise.all(configs)).join('\n'))?.[1];
  if (worktree !== undefined) return resolve(commonDir, worktree.replace(/^"(.*)"$/, '$1'));
  // A hidden bare repository with a `.git` file beside it that points there.
  const pointed = await followPointer(join(parent, '.git'));
  return pointed !== undefined && (await samePlace(pointed, commonDir)) ? parent : commonDir;
}
