import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { environmentOf } from '../../core/base/environment.ts';
import type { Log } from '../../core/base/log.ts';
import { Problem } from '../../core/base/problem.ts';
import { SessionLister } from '../../core/claude/claudeSessions.ts';
import { Git } from '../../core/git/git.ts';
import { requireGit } from '../../core/git/version.ts';
import { locate, type Repository } from '../../core/repository/identity.ts';
import { findClaude } from '../claude/findClaude.ts';
import { RepositoryModel } from './repositoryModel.ts';
import { findGitBinary } from '../git/gitBinary.ts';

/** What the folders of a window lead to. */
export interface FoundRepositories {
  /** Each once, in the order of the folders. */
  readonly repositories: readonly Repository[];
  /** The folders that are in no repository. */
  readonly without: readonly string[];
  /** Why a folder's repository could not be found, when that is not simply because there is none. */
  readonly problem: Problem | undefined;
  /** Makes the model of one of them. */
  open(repository: Repository): RepositoryModel;
}

/** The door to git of this window, shared by all its repositories so that its bound on processes is one; another binary, another door. */
let door: Git | undefined;
/** Asks Claude Code for all repositories at once; it lists the sessions of the whole machine. */
let lister: SessionLister | undefined;

/**
 * Finds the repositories of some folders: the one that a folder is in, however deep, or else those of its direct subfolders, as where
 * several clones lie side by side. Runs git: only for folders that are trusted.
 */
export async function findRepositories(log: Log, folders: readonly string[]): Promise<FoundRepositories> {
  const environment = environmentOf(process, log);
  const binary = await findGitBinary(log);
  if (door?.binary !== binary) door = new Git(environment, { binary });
  const git = door;
  const sessions = (lister ??= new SessionLister(environment, (await findClaude(environment))?.program));
  const open = (repository: Repository): RepositoryModel => new RepositoryModel(environment, git, repository, sessions);
  // Beside the question for the version, which decides whether the answers count.
  const locating = Promise.all(folders.map(async (folder) => ({ folder, answers: await repositoriesAt(git, folder) })));
  locating.catch(() => undefined);
  try {
    // Not in a folder of the window: that may be gone.
    await requireGit(git, dirname(environment.runtime));
  } catch (thrown) {
    if (Problem.is(thrown, 'no-git') || Problem.is(thrown, 'old-git'))
      return { repositories: [], without: [], problem: thrown, open };
    throw thrown;
  }
  const found = new Map<string, Repository>();
  const without: string[] = [];
  let problem: Problem | undefined;
  for (const { folder, answers } of await locating) {
    if (answers.length === 0) without.push(folder);
    for (const answer of answers) {
      if (Problem.is(answer)) problem ??= answer;
      else if (!found.has(answer.commonDir)) found.set(answer.commonDir, answer);
    }
  }
  return { repositories: [...found.values()], without, problem, open };
}

async function repositoriesAt(git: Git, folder: string): Promise<(Repository | Problem)[]> {
  const own = await repositoryOf(git, folder);
  if (own) return [own];
  const children = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const answers = await Promise.all(
    children
      .filter((child) => child.isDirectory())
      .map(async ({ name }) =>
        (await lstat(join(folder, name, '.git')).catch(() => undefined))
          ? repositoryOf(git, join(folder, name))
          : undefined,
      ),
  );
  return answers.filter((answer) => answer !== undefined);
}

/** `undefined` where there is none; a problem where there is one that cannot be opened. */
async function repositoryOf(git: Git, folder: string): Promise<Repository | Problem | undefined> {
  try {
    return (await locate(git, folder)).repository;
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    // A damaged `.git` is reported; a folder without any `.git` above it is not a problem.
    return thrown.reason === 'no-repository' && thrown.file === undefined ? undefined : thrown;
  }
}
