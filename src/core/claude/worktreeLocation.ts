import { dirname, join, relative, sep } from 'node:path';
import {
  headBranch,
  idOf,
  isGitDir,
  isSame,
  leadsTo,
  namesIn,
  partsOf,
  pointerOf,
  recordedRoot,
} from './gitPointer.ts';
import type { KnownWorktree } from './knownWorktrees.ts';
import type { FoundRoot } from './mainRoot.ts';
import { realPathNow } from './realPathNow.ts';

/*
 * The registry says where a worktree was when it was written. A worktree is known by git's id, the name of its git directory, and by
 * the `.git` file that leads there; the path, and then the branch, only help where an entry has no id, or one that git does not know.
 */

/**
 * The entry of the linked worktree that was found on disk.
 *
 * Where the registry knows the id or has the path as it is, which is almost always so, nothing is read.
 */
export function entryAt(root: FoundRoot, known: readonly KnownWorktree[]): KnownWorktree | undefined {
  const byId = known.find((each) => each.id !== undefined && each.id === root.id);
  if (byId) return byId;
  const free = (each: KnownWorktree): boolean =>
    each.id === undefined || !isGitDir(join(root.commonDir, 'worktrees', each.id));
  const exact = known.find((each) => each.path === root.worktreeRoot);
  if (exact && free(exact)) return exact;
  const candidates = known.filter(free);
  if (candidates.length === 0) return undefined;
  const places = new Set([root.worktreeRoot, realPathNow(root.worktreeRoot)]);
  // Git's own record may still have the path that the registry has, though both were moved.
  const recorded = recordedRoot(root.gitDir);
  if (recorded !== undefined) places.add(recorded);
  const byPath =
    candidates.find((each) => places.has(each.path)) ?? candidates.find((each) => places.has(realPathNow(each.path)));
  if (byPath) return byPath;
  // Those that are at their place are not to be found elsewhere.
  const away = candidates.filter((each) => !isWorktreeOf(root.commonDir, each.path));
  const branch = headBranch(root.gitDir);
  const ofBranch = away.filter((each) => branch !== undefined && each.branch === branch);
  if (ofBranch.length > 0) return ofBranch.length === 1 ? ofBranch[0] : undefined;
  // The whole repository was moved since: what was at the same place in it.
  const way = relative(root.mainRoot, root.worktreeRoot);
  const sameWay = way.startsWith('..') ? [] : away.filter((each) => each.path.endsWith(`${sep}${way}`));
  return sameWay.length === 1 ? sameWay[0] : undefined;
}

/** The entry of the worktree that holds a folder by its path alone: its own `.git` is gone or damaged, so git sees what is around it. */
export function entryAround(folder: string, known: readonly KnownWorktree[]): KnownWorktree | undefined {
  return known.find(({ path }) => folder === path || (folder.startsWith(path) && folder[path.length] === sep));
}

/**
 * Where a worktree of the registry really is, for an agent that is called after it.
 *
 * @param root where the session is, in the same repository.
 * @returns the recorded path also when nothing is there, such as while its disk is away. `undefined` when something else is there, and
 *   the worktree cannot be found: nobody can tell where its agent may write.
 */
export function locationOf(
  worktree: KnownWorktree,
  root: FoundRoot,
  known: readonly KnownWorktree[],
): string | undefined {
  if (root.id !== undefined && entryAt(root, known) === worktree) return root.worktreeRoot;
  return verifiedLocation(worktree, root) ?? (pointerOf(worktree.path).kind === 'none' ? worktree.path : undefined);
}

/** The same, only where the folder is there and proves to be it. */
export function verifiedLocation(
  worktree: Pick<KnownWorktree, 'id' | 'path' | 'branch'>,
  root: FoundRoot,
): string | undefined {
  const { id, path } = worktree;
  if (isIts(path, id, root.commonDir)) return path;
  // Git's record may know a later place, from `git worktree move`; of an entry without an id, its branch tells which record that is.
  const records = recordsIn(root.commonDir, id).filter(
    (each) => id !== undefined || each.root === path || (worktree.branch !== '' && each.branch === worktree.branch),
  );
  for (const each of records)
    if (each.root !== undefined && isIts(each.root, each.id, root.commonDir)) return each.root;
  for (const { id: its, root: recorded } of [...records, { id, root: undefined }]) {
    for (const old of [path, recorded]) {
      const below = old === undefined ? undefined : sameLocationBelow(root, old, its);
      if (below !== undefined) return below;
    }
  }
  const folders = new Set([path, ...records.flatMap((each) => each.root ?? [])].map(dirname));
  folders.add(join(root.mainRoot, '.worktrees'));
  const wanted = new Set([...records.map((each) => each.id), ...(id === undefined ? [] : [id])]);
  // Renamed by hand; of two that claim to be it, neither is believed.
  const [only, another] = [...folders].flatMap((folder) => claims(folder, wanted, root.commonDir));
  return another === undefined ? only : undefined;
}

/** The folders in a folder that are worktrees of one of these ids. */
function claims(folder: string, ids: ReadonlySet<string>, commonDir: string): string[] {
  if (ids.size === 0) return [];
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => {
      const pointer = pointerOf(path);
      return pointer.kind === 'file' && ids.has(idOf(pointer.target) ?? '') && isIts(path, undefined, commonDir);
    });
}

/** What git has on record of a linked worktree. */
export interface GitRecord {
  readonly id: string;
  /** Where it should be. */
  readonly root: string | undefined;
  /** What it has checked out. */
  readonly branch: string | undefined;
}

/** Git's records, or just that of one worktree. */
export function recordsIn(commonDir: string, id?: string): GitRecord[] {
  const folder = join(commonDir, 'worktrees');
  const ids = id === undefined ? namesIn(folder) : [id];
  return ids.map((each) => {
    const gitDir = join(folder, each);
    return { id: each, root: recordedRoot(gitDir), branch: id === undefined ? headBranch(gitDir) : undefined };
  });
}

/** The folder at the same place below the main root as an old path tells, if it is a worktree of that id. */
export function sameLocationBelow(
  { mainRoot, commonDir }: FoundRoot,
  path: string,
  id: string | undefined,
): string | undefined {
  const parts = partsOf(path);
  for (let length = parts.length - 1; length > 0; length--) {
    const at = join(mainRoot, ...parts.slice(-length));
    if (isIts(at, id, commonDir) || isCopied(at, id, commonDir)) return at;
  }
  return undefined;
}

/**
 * In a copy of a repository the `.git` files of its worktrees lead to the original. The copied record still names the same place as the
 * original's, which tells that the folder is the copy's.
 */
function isCopied(path: string, id: string | undefined, commonDir: string): boolean {
  const pointer = pointerOf(path);
  const found = pointer.kind === 'file' ? idOf(pointer.target) : undefined;
  if (pointer.kind !== 'file' || found === undefined || (id ?? found) !== found) return false;
  const [own, other] = [join(commonDir, 'worktrees', found), pointer.target].map(recordedRoot);
  return own !== undefined && own === other;
}

/** Whether a folder is a linked worktree of a repository, of whatever id. */
export function isWorktreeOf(commonDir: string, path: string): boolean {
  return isIts(path, undefined, commonDir);
}

function isIts(path: string, id: string | undefined, commonDir: string): boolean {
  const pointer = pointerOf(path);
  if (pointer.kind !== 'file') return false;
  const found = idOf(pointer.target);
  if (found === undefined || (id !== undefined && found !== id)) return false;
  const gitDir = join(commonDir, 'worktrees', found);
  if (pointer.target === gitDir) return true;
  // The file may still lead to where the repository was.
  return isGitDir(pointer.target) ? isSame(pointer.target, gitDir) : isGitDir(gitDir);
}

/**
 * Whether the worktree of a git directory is proven to be at another place than this folder, whose `.git` leads there all the same:
 * the folder is a copy, and what git does in it, it does to the original.
 */
export function isCopy({ worktreeRoot, gitDir, stale }: FoundRoot): boolean {
  if (stale) return false;
  const recorded = recordedRoot(gitDir);
  return recorded !== undefined && !isSame(recorded, worktreeRoot) && leadsTo(recorded, gitDir);
}
