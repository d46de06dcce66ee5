import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from '../base/problem.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import type { Git } from '../git/git.ts';
import { gitProblem } from '../git/gitError.ts';
import { parseWorktreeList, type ListedWorktree } from '../git/worktreeList.ts';

/** A repository, known by its common directory: the same for every worktree of it, different for every other repository. */
export interface Repository {
  /** The real path of the common git directory; what identifies the repository. */
  readonly commonDir: string;
  /**
   * The main working tree, or for a bare repository the folder that holds it: where `.worktrees/` and `.worktrees.yml` live.
   * As the person came to it (links unresolved) where that is known.
   */
  readonly mainRoot: string;
  /** There is no main working tree. */
  readonly bare: boolean;
  /** The last part of the main root's path; for people. */
  readonly name: string;
}

/** Where in a repository a folder is. */
export interface Location {
  readonly repository: Repository;
  /** The root of the working tree that holds the folder, `undefined` inside a bare repository or a git directory. */
  readonly worktreeRoot: string | undefined;
  /** The git directory of that working tree; the common directory where there is none. */
  readonly gitDir: string;
}

/**
 * Finds the repository and the working tree that hold a folder, asked of git itself: through links, from subfolders, from
 * linked worktrees, inside bare layouts. Inside a submodule that is the submodule's own repository.
 *
 * @throws Problem `no-repository`, `unsafe-repository`, `no-git`, or `not-found` when the folder does not exist.
 */
export async function locate(git: Git, folder: string, signal?: AbortSignal): Promise<Location> {
  const options = { cwd: folder, signal };
  // A path may hold a line break, so each answer holds at most one path, and it comes last.
  const [common, own, top, list] = await Promise.all([
    git.run(['rev-parse', '--is-bare-repository', '--path-format=absolute', '--git-common-dir'], options),
    git.line(['rev-parse', '--absolute-git-dir'], options),
    git.line(['rev-parse', '--show-toplevel'], options),
    git.run(['worktree', 'list', '--porcelain', '-z'], options),
  ]);
  if (common.exitCode !== 0) throw await explain(folder, gitProblem(['rev-parse', '--git-common-dir'], common));
  if (list.exitCode !== 0) throw gitProblem(['worktree', 'list'], list);
  const [bareWord, ...rest] = common.stdout.replace(/\n$/, '').split('\n');
  const commonDir = await realPathOf(rest.join('\n'));
  const gitDir = own === undefined ? commonDir : await realPathOf(own);
  const first = parseWorktreeList(list.stdout)[0];
  const bare = first?.bare ?? bareWord === 'true';
  const mainRoot = await mainRootOf(git, commonDir, gitDir, top, first, bare);
  const root = await asThePersonSeesIt(mainRoot, folder);
  return {
    repository: { commonDir, mainRoot: root, bare, name: basename(root).replace(/\.git$/, '') || root },
    worktreeRoot: top === undefined ? undefined : resolve(top),
    gitDir,
  };
}

/** A broken `.git` file is not the same as no repository at all. */
async function explain(folder: string, problem: Problem): Promise<Problem> {
  if (problem.reason !== 'no-repository') return problem;
  for (let at = resolve(folder); ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const found = await stat(dotGit).catch(() => undefined);
    if (found?.isFile()) {
      const text = await readFile(dotGit, 'utf8').catch(() => '');
      const target = /^gitdir: (.+)$/m.exec(text)?.[1];
      return new Problem(
        'no-repository',
        target === undefined ? `${dotGit} is damaged: it does not say where the repository is.` : `${dotGit} points to ${target}, which is no git directory any more.`,
        { file: dotGit, line: 1, next: `run \`git worktree repair ${JSON.stringify(at)}\` in the main working tree` },
      );
    }
    if (found || dirname(at) === at) return problem;
  }
}

async function mainRootOf(
  git: Git,
  commonDir: string,
  gitDir: string,
  top: string | undefined,
  first: ListedWorktree | undefined,
  bare: boolean,
): Promise<string> {
  if (!bare) {
    if (top !== undefined && gitDir === commonDir) return resolve(top);
    // A submodule's git directory names its working tree; `worktree list` shows the git directory itself there.
    const configured = await git.line(['config', '--get', 'core.worktree'], { cwd: commonDir });
    if (configured) return resolve(commonDir, configured);
    return resolve(first?.path ?? dirname(commonDir));
  }
  const parent = dirname(commonDir);
  if (basename(commonDir) === '.git') return parent;
  // The layout with a hidden bare repository and a `.git` file beside it that points there.
  const pointer = await readFile(join(parent, '.git'), 'utf8').catch(() => '');
  const target = /^gitdir: (.+)$/m.exec(pointer)?.[1]?.trim();
  if (target !== undefined && (await realPathOf(resolve(parent, target))) === commonDir) return parent;
  return commonDir;
}

/** Git resolves links; people and shells do not. Where the folder lies in the root by another spelling, that spelling is kept. */
async function asThePersonSeesIt(root: string, folder: string): Promise<string> {
  const absolute = resolve(folder);
  if (isWithin(root, absolute)) return root;
  const realRoot = await realPathOf(root);
  for (let at = absolute; ; at = dirname(at)) {
    if ((await realPathOf(at)) === realRoot) return at;
    if (dirname(at) === at) return root;
  }
}
