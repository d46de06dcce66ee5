import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from '../base/problem.ts';
import { obstacleProblem } from '../base/fileProblem.ts';
import { absolute, realPathOf, samePath, samePlace, upFrom } from '../base/paths.ts';
import { withoutWaiting } from '../base/plainFile.ts';
import { parseSharing, type Sharing } from '../base/sharedModes.ts';
import { mentionsSharing, shareBelow } from '../base/sharing.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import type { Git } from '../git/git.ts';
import { gitProblem } from '../git/gitError.ts';
import { gitFileTarget } from '../git/gitFile.ts';
import { baseMessages } from '../messages/base.ts';
import { asThePersonSeesIt } from './spelling.ts';
import { repositoryMessages } from '../messages/repository.ts';
import { gitMessages } from '../messages/git.ts';

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

/** An option that git does not know: `rev-parse` gives it back, between answers that may hold line breaks. */
const between = '--worktree-stacks-next';

/**
 * Finds the repository and the working tree that hold a folder, asked of git itself: through links, from subfolders, from
 * linked worktrees, inside bare layouts. Inside a submodule that is the submodule's own repository. Inside a worktree whose repository
 * was moved around it, git finds nothing: there the `.git` files on the way up tell.
 *
 * @throws Problem `no-repository`, `unsafe-repository`, `no-git`, or `not-found` when the folder does not exist.
 */
export async function locate(git: Git, from: string, signal?: AbortSignal): Promise<Location> {
  const folder = absolute(from);
  const words = ['--path-format=absolute', '--git-common-dir', between, '--git-dir', between, '--show-toplevel'];
  const answer = await git.run(['rev-parse', ...words], { cwd: folder, signal });
  // Without a working tree the last word makes git fail, after it has answered the others.
  const [common, own, top] = answer.stdout.split(`\n${between}\n`).map((part) => part.replace(/\n$/, ''));
  if (!common || !own) {
    const moved = await findMoved(folder);
    if (moved) return { ...moved, repository: (await locate(git, moved.mainRoot, signal)).repository };
    throw await explain(folder, gitProblem(['rev-parse', '--git-common-dir'], answer), answer.stderr);
  }
  const root = answer.exitCode === 0 && top ? absolute(top) : undefined;
  const [commonDir, gitDir, realRoot] = await Promise.all([
    realPathOf(common),
    realPathOf(own),
    root === undefined ? undefined : realPathOf(root),
  ]);
  // The id of a worktree is made of its root, so that has to be one, whatever letters somebody has come by.
  const worktreeRoot = root !== undefined && realRoot !== undefined && samePath(root, realRoot) ? realRoot : root;
  const [main, sharing] = await Promise.all([
    worktreeRoot !== undefined && gitDir === commonDir
      ? { root: worktreeRoot, bare: false }
      : findMain(git, commonDir, signal),
    findSharing(git, commonDir, signal),
  ]);
  refusePipe(join(commonDir, 'info', 'exclude'));
  const mainRoot = await asThePersonSeesIt(main.root, folder);
  shareBelow([commonDir, join(mainRoot, '.worktrees'), join(mainRoot, '.claude')], sharing);
  return {
    repository: { commonDir, mainRoot, bare: main.bare, name: basename(mainRoot).replace(/\.git$/, '') || mainRoot },
    worktreeRoot,
    gitDir,
  };
}

/** Git would wait for ever until somebody writes to it, and it reads this file with almost every command. */
function refusePipe(file: string): void {
  let pipe: boolean;
  try {
    pipe = statSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false;
  } catch {
    return;
  }
  if (!pipe) return;
  throw obstacleProblem(
    repositoryMessages.gitCannotAsked(),
    { at: file, what: baseMessages.noFile({ kind: baseMessages.aPipe() }) },
    'unreadable-file',
  );
}

/** Hardly any repository is shared, so git is only asked where its configuration file speaks of it. */
async function findSharing(git: Git, commonDir: string, signal: AbortSignal | undefined): Promise<Sharing> {
  const file = join(commonDir, 'config');
  const text = await readFile(file, { encoding: 'utf8', flag: withoutWaiting }).catch(() => '');
  if (!mentionsSharing(text)) return 0;
  const args = ['config', '--get', 'core.sharedRepository'];
  return parseSharing(await git.in(commonDir).line(args, { signal }));
}

/** A worktree below the main root of the repository that its `.git` file no longer leads to. */
interface MovedWorktree extends Omit<Location, 'repository'> {
  /** A folder that git knows as the repository's. */
  readonly mainRoot: string;
}

/**
 * The worktree that holds a folder when its `.git` file leads to a place that is gone: the whole repository was moved, or is mounted at
 * another path. A repository further up that has an admin directory of that name, which no other folder proves to be its own, is meant.
 */
async function findMoved(folder: string): Promise<MovedWorktree | undefined> {
  let stale: { root: string; id: string } | undefined;
  for (const at of upFrom(folder)) {
    const dotGit = join(at, '.git');
    const found = await stat(dotGit).catch(() => undefined);
    if (found && stale === undefined) {
      const target = found.isFile() ? gitFileTarget(await readFile(dotGit, 'utf8').catch(() => '')) : undefined;
      const gone =
        target === undefined || (await stat(resolve(at, target)).catch(() => undefined)) ? undefined : target;
      if (gone === undefined || basename(dirname(gone)) !== 'worktrees') return undefined;
      stale = { root: at, id: basename(gone) };
    } else if (found && stale !== undefined) {
      const target = found.isFile() ? gitFileTarget(await readFile(dotGit, 'utf8').catch(() => '')) : '.git';
      if (target === undefined) return undefined;
      const gitDir = join(resolve(at, target), 'worktrees', stale.id);
      if (!(await stat(join(gitDir, 'HEAD')).catch(() => undefined))) return undefined;
      if (!(await isItsOwn(gitDir, stale.root))) return undefined;
      return { worktreeRoot: stale.root, gitDir: await realPathOf(gitDir), mainRoot: at };
    }
  }
  return undefined;
}

/** Whether an admin directory may be that of a folder: the path that it has on record leads back to it, or to nothing. */
async function isItsOwn(gitDir: string, root: string): Promise<boolean> {
  const written = (await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '')).trim();
  const dotGit = resolve(gitDir, written);
  if (written === '' || (await samePlace(dirname(dotGit), root))) return true;
  const target = gitFileTarget(await readFile(dotGit, 'utf8').catch(() => ''));
  return target === undefined || !(await samePlace(resolve(dirname(dotGit), target), gitDir));
}

/** A broken `.git` file, and a repository for a later git, are not the same as no repository at all. */
async function explain(folder: string, problem: Problem, words: string): Promise<Problem> {
  const unknown = /unknown repository extensions? found:\s*([^]*)/.exec(words)?.[1]?.trim().split(/\s+/);
  if (unknown) {
    return new Problem('old-git', repositoryMessages.unknownExtension({ unknown: unknown.join(', ') }), {
      next: gitMessages.updateGit(),
    });
  }
  if (problem.reason !== 'no-repository' && !words.includes('invalid gitfile format')) return problem;
  for (const at of upFrom(folder)) {
    const dotGit = join(at, '.git');
    const found = await stat(dotGit).catch(() => undefined);
    if (found?.isFile()) {
      const target = gitFileTarget(await readFile(dotGit, 'utf8').catch(() => ''));
      return new Problem(
        'no-repository',
        target === undefined
          ? repositoryMessages.gitFileDamaged({ dotGit })
          : repositoryMessages.gitFileLeadsNowhere({ dotGit, target }),
        { file: dotGit, line: 1, next: repositoryMessages.gitWorktreeRepair({ at: JSON.stringify(at) }) },
      );
    }
  }
  return problem;
}

/** The main working tree, or the folder that stands for it, as the repository's own configuration tells it. */
async function findMain(
  git: Git,
  commonDir: string,
  signal: AbortSignal | undefined,
): Promise<{ root: string; bare: boolean }> {
  const args = ['config', '-z', '--get-regexp', '^core\\.(bare|worktree)$'];
  const { stdout } = await git.in(commonDir).run(args, { signal });
  const settings = new Map(
    fieldsOf(stdout).map((entry): [string, string | undefined] => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, undefined] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
  // A submodule's git directory names its working tree.
  const worktree = settings.get('core.worktree');
  if (worktree) return { root: resolve(commonDir, worktree), bare: false };
  const bare = settings.has('core.bare') && !/^(false|no|off|0|)$/i.test(settings.get('core.bare') ?? 'true');
  const parent = dirname(commonDir);
  // Beside a hidden repository, bare or with a git directory elsewhere, a `.git` file points to it.
  const beside = basename(commonDir) === '.git' || (await pointsTo(join(parent, '.git'), commonDir));
  return { root: beside ? parent : commonDir, bare };
}

async function pointsTo(dotGit: string, gitDir: string): Promise<boolean> {
  const target = gitFileTarget(await readFile(dotGit, 'utf8').catch(() => ''));
  return target !== undefined && samePlace(resolve(dirname(dotGit), target), gitDir);
}
