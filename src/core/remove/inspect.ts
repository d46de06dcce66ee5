import { mountsBelow } from '../base/mounts.ts';
import { isWithin, pathBelow, realPathOf } from '../base/paths.ts';
import { decideBranch, type BranchDeletion } from './branchDeletion.ts';
import { readCopies, type Copies } from '../trash/changedCopies.ts';
import { findLiveRun } from './liveRun.ts';
import { findLiveSessions, type LiveSession } from './liveSessions.ts';
import { readSubmoduleWork, type SubmoduleWork } from './localWork.ts';
import { noIgnoredFiles, sortIgnored, type IgnoredFiles } from './ignoredFiles.ts';
import { readLoggedCommits, type LoggedCommits } from './loggedCommits.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { findNestedClones } from './nestedClones.ts';
import * as obstacle from './obstacles.ts';
import type { RemovalObstacle } from './obstacles.ts';
import { readPrivateCommits } from './privateCommits.ts';
import { readPathState, type PathState } from './pathState.ts';
import { readTreeState, type Tree, type TreeState } from '../worktree/treeState.ts';
import { worktreeGraph } from '../stack/graph.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readSettledAdminDir, type PrivateCommit, type AdminDirState } from './adminDirState.ts';
import { fieldsOf } from '../git/repositoryGit.ts';

export type { BranchDeletion } from './branchDeletion.ts';
export type { RemovalObstacle, ObstacleKind } from './obstacles.ts';

/** What removing a worktree would do, and what speaks against it. */
export interface Removal {
  readonly worktree: Worktree;
  readonly obstacles: readonly RemovalObstacle[];
  /** `undefined` when it has none: detached, or the branch does not exist. */
  readonly branch: BranchDeletion | undefined;
  /** The names of the worktrees that are based on this one's branch and get {@link newBase} as their base. */
  readonly dependents: readonly string[];
  /** `undefined` where the branch stays, and stays their base. */
  readonly newBase: string | undefined;
  /**
   * Only git's admin directory goes, and our own entries: what is at its path is no worktree, or not this one, and stays (an empty folder
   * apart).
   */
  readonly adminDirOnly: boolean;
  /** What {@link removeWorktree} must find unchanged; `undefined` when nothing was inspected, since it cannot go anyway. */
  readonly inspected: Inspected | undefined;
}

/** What was found. */
export interface Inspected {
  readonly gitDir: string;
  readonly pathState: PathState;
  readonly adminDir: AdminDirState;
  /** `undefined` where there is no working tree. */
  readonly state: TreeState | undefined;
  readonly submodules: SubmoduleWork;
  readonly copies: Copies;
  /** Commits that nothing but the worktree holds. */
  readonly commits: readonly PrivateCommit[];
  /** Commits that nothing but logs hold which go with it. They stop nothing, and are backed up. */
  readonly logged: LoggedCommits;
  /** What git ignores in it: some is kept for a while, the rest goes. */
  readonly ignored: IgnoredFiles;
}

const noCopies: Copies = { found: [], changed: [] };
const noSubmodules: SubmoduleWork = { repositories: [], stray: [] };

/** How a worktree is inspected before its removal. */
export interface InspectOptions {
  /** Agents that are known to live in it, beside the processes that are found standing there. */
  readonly agents?: readonly LiveSession[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Inspects everything that removing a worktree could destroy. Changes nothing.
 *
 * @throws Problem `cancelled`, or git's own message when the repository itself cannot be read.
 */
export async function inspectRemoval(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  options: InspectOptions = {},
): Promise<Removal> {
  const { repository } = workspace;
  const { gitDir } = worktree;
  const refused = (why: RemovalObstacle): Removal => ({
    worktree,
    obstacles: [why],
    branch: undefined,
    dependents: [],
    newBase: undefined,
    adminDirOnly: false,
    inspected: undefined,
  });
  if (worktree.main || worktree.bare) return refused(obstacle.main(repository.mainRoot));
  if (gitDir === undefined) return refused(obstacle.noRecord(worktree.path));
  const pathState = await readPathState(repository, worktree.path, gitDir);
  const [branch, look] = await Promise.all([
    decideBranch(workspace, snapshot, worktree, options.signal),
    inspectTree(workspace, snapshot, worktree, { ...options, pathState, gitDir }),
  ]);
  const shared = snapshot.worktrees.some((each) => each.branch === worktree.branch && each.path !== worktree.path);
  // A branch that stays, here or in another worktree, stays the base of its dependents.
  const stays = shared || branch?.decision === 'keep' || worktree.branch === snapshot.trunk;
  const newBase = stays ? undefined : worktree.base?.branch;
  const dependents = newBase === undefined ? [] : worktreeGraph(snapshot).children(worktree.branch ?? '');
  return {
    worktree,
    obstacles: look.obstacles,
    branch,
    dependents: dependents.map((each) => each.worktree.name),
    newBase,
    adminDirOnly: pathState.condition !== 'fine' || pathState.link !== undefined,
    inspected: look.inspected,
  };
}

async function inspectTree(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  at: InspectOptions & { pathState: PathState; gitDir: string },
): Promise<{ obstacles: RemovalObstacle[]; inspected: Inspected | undefined }> {
  const { environment, git, repository } = workspace;
  const { pathState, gitDir, signal, agents = [] } = at;
  const adminDir = await readSettledAdminDir(gitDir);
  const there = pathState.condition === 'fine' && pathState.link === undefined ? pathState.real : undefined;
  const tree: Tree = { path: worktree.path, gitDir };
  try {
    const [state, commits, logged, sessions, run, others, mounts] = await Promise.all([
      there === undefined ? undefined : readTreeState(git, tree, signal),
      readPrivateCommits(workspace, gitDir, adminDir, signal),
      readLoggedCommits(workspace, snapshot, worktree, gitDir, signal),
      there === undefined ? [] : findLiveSessions(environment, there),
      there === undefined ? undefined : findLiveRun(environment, repository.commonDir, there),
      there === undefined ? [] : worktreesInside(snapshot, worktree, there),
      there === undefined ? [] : mountsBelow(environment, there),
    ]);
    const [submodules, clones, { copies, ignored }, staged] = await Promise.all([
      (state?.submodules.length ?? 0) > 0 || adminDir.modules
        ? readSubmoduleWork(git, repository, tree, state?.submodules ?? [], signal)
        : noSubmodules,
      state ? findNestedClones(git, tree, state, new Set(others.map((each) => each.real)), signal) : [],
      readIgnored(workspace, tree, state, signal),
      state ? [] : readStaged(workspace, gitDir, signal),
    ]);
    const cwd = there !== undefined && isWithin(there, await realPathOf(environment.cwd));
    return {
      obstacles: [
        obstacle.ofPath(worktree, pathState),
        obstacle.ofLock(adminDir.lockReason),
        obstacle.ofQueue(worktree),
        obstacle.ofNested(
          others.map((each) => each.worktree.name),
          clones,
        ),
        obstacle.ofMounts(mounts),
        cwd ? obstacle.currentDirectory(environment.cwd) : undefined,
        // An agent says better what it is than the name of its program.
        obstacle.ofSessions([...agents, ...sessions.filter(({ pid }) => !agents.some((each) => each.pid === pid))]),
        obstacle.ofRun(run),
        obstacle.ofOperation(adminDir),
        obstacle.ofChanges(state ? [...state.uncommitted, ...state.overlooked] : staged),
        obstacle.ofCopies(copies.changed),
        ...obstacle.ofCommits(commits),
        ...obstacle.ofSubmodules(submodules),
      ].filter((each) => each !== undefined),
      inspected: { gitDir, pathState, adminDir, state, submodules, copies, commits, logged, ignored },
    };
  } catch (thrown) {
    return { obstacles: [obstacle.unreadable(worktree, thrown)], inspected: undefined };
  }
}

async function readIgnored(
  workspace: Workspace,
  tree: Tree,
  state: TreeState | undefined,
  signal: AbortSignal | undefined,
): Promise<{ copies: Copies; ignored: IgnoredFiles }> {
  if (!state) return { copies: noCopies, ignored: noIgnoredFiles };
  const copies = await readCopies(workspace, tree, state, signal);
  const { keepIgnored } = workspace.configuration.cleanup;
  return { copies, ignored: await sortIgnored(tree.path, state.ignored, copies, keepIgnored) };
}

const isBelow = (folder: string, path: string): boolean => (pathBelow(folder, path) ?? '') !== '';

/** Git has real paths on record, and a snapshot spells the main root alike for all, so that comparing text is enough. */
async function worktreesInside(
  snapshot: Snapshot,
  worktree: Worktree,
  real: string,
): Promise<{ worktree: Worktree; real: string }[]> {
  const inside = snapshot.worktrees.filter(
    (each) => each !== worktree && (isBelow(worktree.path, each.path) || isBelow(real, each.path)),
  );
  return Promise.all(inside.map(async (each) => ({ worktree: each, real: await realPathOf(each.path) })));
}

/** Without a working tree git's index still tells what was staged. */
async function readStaged({ git }: Workspace, gitDir: string, signal: AbortSignal | undefined): Promise<string[]> {
  // Nothing of this compares with files.
  const args = [
    `--git-dir=${gitDir}`,
    `--work-tree=${gitDir}`,
    'diff-index',
    '--cached',
    '--name-only',
    '-z',
    'HEAD',
    '--',
  ];
  const answer = await git.run(args, { cwd: gitDir, signal });
  return answer.exitCode === 0 ? fieldsOf(answer.stdout) : [];
}
