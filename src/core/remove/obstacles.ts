import { textOf, type Message } from '../messages/message.ts';
import { pullRequestState } from '../repository/standing.ts';
import { Problem } from '../base/problem.ts';
import type { RunFacts } from '../claude/runs/runFacts.ts';
import { sessionOfLock, type LiveSession } from './liveSessions.ts';
import type { LocalWork, SubmoduleWork } from './localWork.ts';
import type { Worktree } from '../worktree/model.ts';
import { whereFolderIs } from './outOfSight.ts';
import type { PathState } from './pathState.ts';
import type { PrivateCommit, AdminDirState } from './adminDirState.ts';
import { removeMessages } from '../messages/remove.ts';

/**
 * Why a worktree should not go, as a word that a program can branch on.
 *
 * `main`: it is the main working tree. `foreign`: another repository, or another worktree, is at its path. `link-outside`: its
 * path, or a folder above it inside the repository, is a link. `out-of-sight`: its folder is not where it should be. `nested`: other
 * worktrees, repositories or disks lie inside it. `locked`: somebody locked it. `queued`: its pull request waits in the merge queue.
 * `current-directory`: whoever asks is in it. `live-session`: processes work in it. `uncommitted`, `operation`, `detached-commits`,
 * `private-refs`, `changed-copies`: work that exists only there. `submodule-commits`, `submodule-changes`: the same inside a submodule of
 * it. `unreadable`: what is in it could not be found out.
 */
export type ObstacleKind =
  | 'main'
  | 'foreign'
  | 'link-outside'
  | 'out-of-sight'
  | 'nested'
  | 'locked'
  | 'queued'
  | 'current-directory'
  | 'live-session'
  | 'uncommitted'
  | 'operation'
  | 'detached-commits'
  | 'private-refs'
  | 'changed-copies'
  | 'submodule-commits'
  | 'submodule-changes'
  | 'unreadable';

/** One thing that stops a removal. */
export interface RemovalObstacle {
  readonly kind: ObstacleKind;
  /** What is there, as a sentence part: "3 files are not committed". */
  readonly message: Message;
  /** The files, commits or paths that are meant. */
  readonly items: readonly string[];
  /** Whether `force` removes the worktree all the same, after a backup of what only it holds. */
  readonly forceable: boolean;
}

const plain = (kind: ObstacleKind, message: Message, items: readonly string[] = []): RemovalObstacle => ({
  kind,
  message,
  items,
  forceable: true,
});
const final = (kind: ObstacleKind, message: Message, items: readonly string[] = []): RemovalObstacle => ({
  kind,
  message,
  items,
  forceable: false,
});

export const main = (root: string): RemovalObstacle => final('main', removeMessages.mainWorkingTree(), [root]);

export const noRecord = (path: string): RemovalObstacle =>
  final('unreadable', removeMessages.adminDirNotFound(), [path]);

export const currentDirectory = (cwd: string): RemovalObstacle =>
  plain('current-directory', removeMessages.youAreStanding(), [cwd]);

/** What is at the path, where that is not simply the worktree. */
export function ofPath(worktree: Worktree, pathState: PathState): RemovalObstacle | undefined {
  const { condition, link, trouble, what } = pathState;
  // Only git's admin directory can go, which is kept; so a person may decide that, also where nothing can be read.
  if (trouble !== undefined) return plain('unreadable', whereFolderIs(worktree, pathState), [worktree.path]);
  if (link) {
    const message = removeMessages.linkLeadsPath({ to: link.to });
    // Without its admin directory the worktree at the other end would be cut off from its work.
    return link.ours
      ? final('link-outside', message, [link.at])
      : plain('link-outside', removeMessages.whichStays({ message }), [link.at]);
  }
  if (condition === 'foreign') {
    return plain('foreign', removeMessages.otherAtPathStays({ what: what ?? removeMessages.somethingElse() }), [
      worktree.path,
    ]);
  }
  if (condition === 'broken') {
    const message = removeMessages.repairMayHelp({ what: what ?? removeMessages.gitFileDamaged() });
    return plain('unreadable', message, [worktree.path]);
  }
  if (condition !== 'fine') return plain('out-of-sight', whereFolderIs(worktree, pathState), [worktree.path]);
  return undefined;
}

/** A lock, unless the session that set it has ended. */
export function ofLock(reason: string | undefined): RemovalObstacle | undefined {
  if (reason === undefined) return undefined;
  const session = sessionOfLock(reason);
  if (session?.alive)
    return plain('live-session', removeMessages.claudeSessionWorks({ sessionPid: session.pid }), [reason]);
  if (session) return undefined;
  // Whoever locked it wants it to stay: git asks for a second --force, and we for it to be unlocked.
  return final('locked', reason === '' ? removeMessages.locked() : removeMessages.lockedBecause({ reason }), []);
}

/** A pull request that waits to be merged: until then the work is nowhere else, and its dependents would lose their base. */
export function ofQueue({ entry, branch }: Worktree): RemovalObstacle | undefined {
  if (pullRequestState(entry) !== 'queued' || entry?.branch !== branch) return undefined;
  return plain('queued', removeMessages.pullRequestWaits({ number: entry?.pr?.number ?? '' }), []);
}

export function ofSessions(sessions: readonly LiveSession[]): RemovalObstacle | undefined {
  if (sessions.length === 0) return undefined;
  const items = sessions.map(({ what, pid }) => textOf(removeMessages.processThere({ what, pid })));
  return plain('live-session', removeMessages.worksInIt({ count: items.length, items }), items);
}

/** A workflow that has claimed it, and has not ended as far as is known. */
export function ofRun(facts: RunFacts | undefined): RemovalObstacle | undefined {
  if (!facts) return undefined;
  const { run, state } = facts;
  const name = run.run_id;
  const items = [name, ...(run.pid === null ? [] : [`process ${run.pid}`])];
  const message = state === 'live' ? removeMessages.workflowRuns({ name }) : removeMessages.workflowMayRun({ name });
  return plain('live-session', message, items);
}

export function ofNested(worktrees: readonly string[], clones: readonly LocalWork[]): RemovalObstacle | undefined {
  const inside = removeMessages.worktreesInside({ count: worktrees.length, worktrees });
  const work = removeMessages.clonesInside({ count: clones.length });
  const items = [...worktrees, ...clones.map(describeWork)];
  if (clones.length === 0) return worktrees.length > 0 ? final('nested', inside, items) : undefined;
  return final('nested', worktrees.length > 0 ? removeMessages.bothInside({ inside, work }) : work, items);
}

/** What is deleted below a mount point is deleted where it comes from. */
export function ofMounts(places: readonly string[]): RemovalObstacle | undefined {
  if (places.length === 0) return undefined;
  return final('nested', removeMessages.mountedInside({ count: places.length }), places);
}

export function ofOperation(adminDir: AdminDirState): RemovalObstacle | undefined {
  if (adminDir.operation) return plain('operation', removeMessages.underWay({ operation: adminDir.operation }));
  return adminDir.indexLocked ? plain('operation', removeMessages.gitCommandRunning(), ['index.lock']) : undefined;
}

export function ofChanges(paths: readonly string[]): RemovalObstacle | undefined {
  return paths.length > 0
    ? plain('uncommitted', removeMessages.notCommitted({ count: paths.length }), paths)
    : undefined;
}

export function ofCopies(paths: readonly string[]): RemovalObstacle | undefined {
  if (paths.length === 0) return undefined;
  return plain('changed-copies', removeMessages.notMainWorking({ count: paths.length }), paths);
}

export function ofCommits(commits: readonly PrivateCommit[]): RemovalObstacle[] {
  const items = (some: readonly PrivateCommit[]): string[] =>
    some.map((each) => `${each.oid.slice(0, 9)}: ${textOf(each.what)}`);
  const head = commits.filter((each) => each.name === 'head');
  const others = commits.filter((each) => each.name !== 'head');
  return [
    ...(head.length > 0 ? [plain('detached-commits', removeMessages.detachedHeadCommits(), items(head))] : []),
    ...(others.length > 0
      ? [plain('private-refs', removeMessages.heldNothingElse({ count: others.length }), items(others))]
      : []),
  ];
}

export function ofSubmodules({ repositories, stray }: SubmoduleWork): RemovalObstacle[] {
  const commits = repositories.flatMap((each) => each.commits.map((commit) => `${each.path}: ${commit}`));
  const changes = [
    ...repositories.flatMap((each) => each.changes.map((path) => `${each.path}/${path}`)),
    ...stray.map((path) => `${path}/`),
  ];
  return [
    ...(commits.length > 0
      ? [plain('submodule-commits', removeMessages.onlySubmodules({ count: commits.length }), commits)]
      : []),
    ...(changes.length > 0
      ? [plain('submodule-changes', removeMessages.notCommittedSubmodules({ count: changes.length }), changes)]
      : []),
  ];
}

/** A tree that git cannot read could not be backed up either. */
export function unreadable(worktree: Worktree, thrown: unknown): RemovalObstacle {
  if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
  const why = [thrown.message, ...thrown.items].slice(0, 2).join(' ');
  return final('unreadable', removeMessages.stateCannotRead({ why }), [worktree.path]);
}

function describeWork(work: LocalWork): string {
  return `${work.path}: ${work.changes.length} uncommitted, ${work.commits.length} on no remote`;
}
