import { pullRequestState } from '../repository/standing.ts';
import { Problem } from '../base/problem.ts';
import { sessionOfLock, type LiveSession } from './liveSessions.ts';
import type { LocalWork, SubmoduleWork } from './localWork.ts';
import type { Worktree } from '../worktree/model.ts';
import { whereFolderIs } from './outOfSight.ts';
import type { PathState } from './pathState.ts';
import type { PrivateCommit, AdminDirState } from './adminDirState.ts';

/**
 * Why a worktree should not go, as a word that a program can branch on.
 *
 * `main`: it is the main working tree. `foreign`: another repository, or another worktree, is at its path. `link-outside`: its
 * path, or a folder above it inside the repository, is a link. `out-of-sight`: its folder is not where it should be. `nested`: other worktrees, repositories or disks lie inside it.
 * `locked`: somebody locked it. `queued`: its pull request waits in the merge queue. `current-directory`: whoever asks is in it. `live-session`: processes work in it.
 * `uncommitted`, `operation`, `detached-commits`, `private-refs`, `changed-copies`: work that exists only there.
 * `submodule-commits`, `submodule-changes`: the same inside a submodule of it. `unreadable`: what is in it could not be found
 * out.
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
  readonly message: string;
  /** The files, commits or paths that are meant. */
  readonly items: readonly string[];
  /** Whether `force` removes the worktree all the same, after a backup of what only it holds. */
  readonly forceable: boolean;
}

const plain = (kind: ObstacleKind, message: string, items: readonly string[] = []): RemovalObstacle => ({
  kind,
  message,
  items,
  forceable: true,
});
const final = (kind: ObstacleKind, message: string, items: readonly string[] = []): RemovalObstacle => ({
  kind,
  message,
  items,
  forceable: false,
});

/** "1 file is", "3 files are". */
const count = (number: number, one: string, many = `${one}s`): string =>
  number === 1 ? `1 ${one} is` : `${number} ${many} are`;

export const main = (root: string): RemovalObstacle => final('main', 'it is the main working tree', [root]);

export const noRecord = (path: string): RemovalObstacle =>
  final('unreadable', "git's record of it cannot be found; `git worktree list` may tell why", [path]);

export const currentDirectory = (cwd: string): RemovalObstacle =>
  plain('current-directory', 'you are standing in it', [cwd]);

/** What is at the path, where that is not simply the worktree. */
export function ofPath(worktree: Worktree, pathState: PathState): RemovalObstacle | undefined {
  const { condition, link, trouble, what } = pathState;
  // Only git's admin directory can go, which is kept; so a person may decide that, also where nothing can be read.
  if (trouble !== undefined) return plain('unreadable', whereFolderIs(worktree, pathState), [worktree.path]);
  if (link) {
    const message = `a link leads from its path to ${link.to}`;
    // Without its admin directory the worktree at the other end would be cut off from its work.
    return link.ours
      ? final('link-outside', message, [link.at])
      : plain('link-outside', `${message}, which stays`, [link.at]);
  }
  if (condition === 'foreign') {
    return plain('foreign', `${what ?? 'something else'} is at its path now; that stays, only the entry can go`, [
      worktree.path,
    ]);
  }
  if (condition === 'broken') {
    const message = `${what ?? 'its `.git` is damaged'}; \`git worktree repair\` may help, else only the entry can go`;
    return plain('unreadable', message, [worktree.path]);
  }
  if (condition !== 'fine') return plain('out-of-sight', whereFolderIs(worktree, pathState), [worktree.path]);
  return undefined;
}

/** A lock, unless the session that set it has ended. */
export function ofLock(reason: string | undefined): RemovalObstacle | undefined {
  if (reason === undefined) return undefined;
  const session = sessionOfLock(reason);
  if (session?.alive) return plain('live-session', `a Claude session works in it (process ${session.pid})`, [reason]);
  if (session) return undefined;
  return plain('locked', reason === '' ? 'it is locked' : `it is locked: ${reason}`, []);
}

/** A pull request that waits to be merged: until then the work is nowhere else, and its dependents would lose their base. */
export function ofQueue({ entry, branch }: Worktree): RemovalObstacle | undefined {
  if (pullRequestState(entry) !== 'queued' || entry?.branch !== branch) return undefined;
  return plain('queued', `its pull request #${entry?.pr?.number} waits in the merge queue`, []);
}

export function ofSessions(sessions: readonly LiveSession[]): RemovalObstacle | undefined {
  if (sessions.length === 0) return undefined;
  const items = sessions.map((each) => `${each.what} (process ${each.pid})`);
  return plain('live-session', `${items.join(', ')} ${items.length === 1 ? 'works' : 'work'} in it`, items);
}

export function ofNested(worktrees: readonly string[], clones: readonly LocalWork[]): RemovalObstacle | undefined {
  const parts = [
    worktrees.length > 0 && `${count(worktrees.length, 'other worktree')} inside it (${worktrees.join(', ')})`,
    clones.length > 0 && `${count(clones.length, 'repository', 'repositories')} with work of their own inside it`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return final('nested', parts.join(', and '), [...worktrees, ...clones.map(describeWork)]);
}

/** What is deleted below a mount point is deleted where it comes from. */
export function ofMounts(places: readonly string[]): RemovalObstacle | undefined {
  if (places.length === 0) return undefined;
  return final(
    'nested',
    `${count(places.length, 'other folder or disk', 'other folders or disks')} mounted inside it`,
    places,
  );
}

export function ofOperation(adminDir: AdminDirState): RemovalObstacle | undefined {
  if (adminDir.operation) return plain('operation', `a ${adminDir.operation} is under way in it`);
  return adminDir.indexLocked
    ? plain('operation', 'a git command is running in it, or has died there', ['index.lock'])
    : undefined;
}

export function ofChanges(paths: readonly string[]): RemovalObstacle | undefined {
  return paths.length > 0 ? plain('uncommitted', `${count(paths.length, 'file')} not committed`, paths) : undefined;
}

export function ofCopies(paths: readonly string[]): RemovalObstacle | undefined {
  if (paths.length === 0) return undefined;
  return plain('changed-copies', `${count(paths.length, 'ignored file')} not as in the main working tree`, paths);
}

export function ofCommits(commits: readonly PrivateCommit[]): RemovalObstacle[] {
  const items = (some: readonly PrivateCommit[]): string[] =>
    some.map((each) => `${each.oid.slice(0, 9)}: ${each.what}`);
  const head = commits.filter((each) => each.name === 'head');
  const others = commits.filter((each) => each.name !== 'head');
  return [
    ...(head.length > 0
      ? [plain('detached-commits', 'its detached HEAD has commits that no branch holds', items(head))]
      : []),
    ...(others.length > 0
      ? [plain('private-refs', `${count(others.length, 'commit')} held by nothing else`, items(others))]
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
      ? [plain('submodule-commits', `${count(commits.length, 'commit')} only in its submodules`, commits)]
      : []),
    ...(changes.length > 0
      ? [plain('submodule-changes', `${count(changes.length, 'file')} not committed in its submodules`, changes)]
      : []),
  ];
}

/** A tree that git cannot read could not be backed up either. */
export function unreadable(worktree: Worktree, thrown: unknown): RemovalObstacle {
  if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
  const why = [thrown.message, ...thrown.items].slice(0, 2).join(' ');
  return final('unreadable', `its state cannot be read: ${why}`, [worktree.path]);
}

function describeWork(work: LocalWork): string {
  return `${work.path}: ${work.changes.length} uncommitted, ${work.commits.length} on no remote`;
}
