import { Problem } from '../core/base/problem.ts';
import { Git } from '../core/git/git.ts';
import { defaultConfiguration, readConfiguration, type Configuration } from '../core/repository/configuration.ts';
import { locate, type Location } from '../core/repository/identity.ts';
import { findWorktree } from '../core/worktree/find.ts';
import { followMoves } from '../core/relocation/followMoves.ts';
import { recoverInterrupted } from '../core/recovery/recover.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import { outOfLink } from '../core/relocation/relink.ts';
import { relinkMoved } from '../core/relocation/relinkMoved.ts';
import { readSnapshot } from '../core/snapshot/snapshot.ts';
import type { Branches } from '../core/snapshot/trunk.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine } from './command.ts';
import { bundledPrograms } from './programs.ts';
import { cliMessages } from './cliMessages.ts';

/** The repository that a command is about, and where in it the person is. */
export interface OpenWorkspace {
  readonly workspace: Workspace;
  readonly location: Location;
  /** What was wrong and did not stop us; told as warnings already. */
  readonly problems: readonly Problem[];
}

/** How a workspace is opened. */
export interface OpenOptions {
  /** Go on with the default configuration when `.worktrees.yml` cannot be read: for commands that only look. */
  readonly tolerant?: boolean;
}

/**
 * Opens the repository that holds the current folder, and mends what killed operations have left in it. What could not be
 * repaired is told as a warning.
 *
 * @throws Problem `no-repository`, `unsafe-repository`, `no-git`, `not-found`; `unreadable-file` for the configuration.
 */
export async function openWorkspace(cli: CommandLine, options: OpenOptions = {}): Promise<OpenWorkspace> {
  const { environment, output, signal } = cli;
  const git = new Git(environment);
  const location = await locate(git, environment.cwd, signal);
  const { repository } = location;
  cli.shell.mainRoot = repository.mainRoot;
  const problems: Problem[] = [];
  let configuration: Configuration;
  try {
    configuration = await readConfiguration(repository.mainRoot);
  } catch (thrown) {
    if (!options.tolerant || !Problem.is(thrown, 'unreadable-file')) throw thrown;
    problems.push(thrown);
    configuration = defaultConfiguration;
  }
  const { worktreeRoot, gitDir } = location;
  const here = worktreeRoot === undefined ? undefined : { gitDir, root: worktreeRoot };
  const workspace: Workspace = { environment, git, repository, configuration, here };
  problems.push(...(await recoverInterrupted(workspace)));
  for (const problem of problems) output.warn(problem);
  return { workspace, location, problems };
}

/**
 * Opens the workspace and reads all worktrees for a command of the person's own, which needs no configuration. What was moved is followed,
 * where the configuration can be read.
 */
export async function openSnapshot(cli: CommandLine): Promise<{ workspace: Workspace; snapshot: Snapshot }> {
  const { workspace, problems } = await openWorkspace(cli, { tolerant: true });
  const unread = problems.some(({ reason }) => reason === 'unreadable-file');
  const { snapshot } = await (unread ? readTelling : readFollowing)(cli, workspace, false);
  return { workspace, snapshot };
}

/** A workspace, all of its worktrees, and the one that a word on the command line means. */
export interface OpenWorktree extends OpenWorkspace {
  readonly snapshot: Snapshot;
  /** All branches, as the snapshot saw them. */
  readonly branches: Branches | undefined;
  readonly worktree: Worktree;
}

/**
 * Opens the workspace and finds a worktree in it.
 *
 * @param word as `findWorktree` takes it; without one the worktree that holds the current folder.
 * @throws Problem also `not-found` and `ambiguous`.
 */
export async function openWorktree(
  cli: CommandLine,
  word: string | undefined,
  options: OpenOptions & { readonly withChanges?: boolean } = {},
): Promise<OpenWorktree> {
  const opened = await openWorkspace(cli, options);
  const withChanges = options.withChanges ?? false;
  const read = options.tolerant ? readTelling : readFollowing;
  const { snapshot, branches } = await read(cli, opened.workspace, withChanges);
  const worktree = await findWorktree(snapshot, word ?? '.', cli.environment.cwd);
  return { ...opened, snapshot, branches, worktree };
}

/** All worktrees, and the branches as they were seen with them. */
interface Read {
  readonly snapshot: Snapshot;
  readonly branches: Branches | undefined;
}

/** Reads all worktrees; what is wrong and stops nobody is told as warnings. */
async function readTelling(cli: CommandLine, workspace: Workspace, withChanges: boolean): Promise<Read> {
  let branches: Branches | undefined;
  const snapshot = await readSnapshot(workspace, {
    signal: cli.signal,
    withChanges,
    onSources: (sources) => (branches = sources.branches),
  });
  for (const problem of snapshot.problems) cli.output.warn(problem);
  return { snapshot, branches };
}

/**
 * Reads all worktrees for a command that changes something. Where one was moved, or the whole repository was, git is told where it is
 * first, and what is written down of it follows.
 */
export async function readFollowing(cli: CommandLine, workspace: Workspace, withChanges = false): Promise<Read> {
  let read = await readTelling(cli, workspace, withChanges);
  const moved = outOfLink(read.snapshot);
  if (moved.length > 0) {
    const listing = await relinkMoved(workspace);
    const works = new Set(listing.flatMap(({ condition, path }) => (condition === 'fine' ? [path] : [])));
    for (const { name, path } of moved)
      if (works.has(path)) cli.output.tell(`${name} was moved, or its repository was: git works in ${path} again.`);
    read = await readTelling(cli, workspace, withChanges);
  }
  return { ...read, snapshot: await follow(cli, workspace, read.snapshot, read.branches) };
}

/** Brings up to date what is written down of worktrees that were moved. What cannot be written is told, and the command goes on. */
async function follow(
  cli: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  branches: Branches | undefined,
): Promise<Snapshot> {
  const local = branches?.local;
  const options = { programs: bundledPrograms(), ...(local ? { branches: local } : {}) };
  const followed = await followMoves(workspace, snapshot, options);
  for (const problem of followed.problems) cli.output.warn(problem);
  return followed.snapshot;
}

/**
 * The root of the working tree that holds the current folder.
 *
 * @throws Problem `no-repository` inside a bare repository or a git directory.
 */
export function requireWorktree(location: Location): string {
  if (location.worktreeRoot !== undefined) return location.worktreeRoot;
  throw new Problem('no-repository', cliMessages.notInsideWorking(), {
    next: cliMessages.changeWorktreeWt(),
  });
}
