import { dirname, join } from 'node:path';
import { endsAlike, isWithin, pathBelow, realPathNow, samePath, samePlaceNow } from '../base/paths.ts';
import { headBranch, idOf, isGitDir, leadsTo, namesIn, partsOf, pointerOf, recordedRoot } from './gitPointer.ts';
import type { KnownWorktree } from './knownWorktrees.ts';
import type { FoundRoot } from './mainRoot.ts';

/*
 * The registry has the path that a worktree had when it was written. A worktree is identified by git's id (the name of its admin
 * directory) and by the `.git` file that points there. The path and the branch only count where an entry has no id that git knows.
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
  const exact = known.find((each) => samePath(each.path, root.worktreeRoot));
  if (exact && free(exact)) return exact;
  const candidates = known.filter(free);
  if (candidates.length === 0) return undefined;
  const paths = [root.worktreeRoot, realPathNow(root.worktreeRoot)];
  // Git's own record may still have the path that the registry has, though both were moved.
  const recorded = recordedRoot(root.gitDir);
  if (recorded !== undefined) paths.push(recorded);
  const isOneOf = (path: string): boolean => paths.some((each) => samePath(each, path));
  const byPath =
    candidates.find((each) => isOneOf(each.path)) ?? candidates.find((each) => isOneOf(realPathNow(each.path)));
  if (byPath) return byPath;
  // Worktrees that are where the registry says are not elsewhere.
  const away = candidates.filter((each) => !isWorktreeOf(root.commonDir, each.path));
  const branch = headBranch(root.gitDir);
  const ofBranch = away.filter((each) => branch !== undefined && each.branch === branch);
  if (ofBranch.length > 0) return ofBranch.length === 1 ? ofBranch[0] : undefined;
  // The whole repository was moved: the entry at the same location in it.
  const way = pathBelow(root.mainRoot, root.worktreeRoot);
  const sameWay = way === undefined ? [] : away.filter((each) => endsAlike(each.path, way));
  return sameWay.length === 1 ? sameWay[0] : undefined;
}

/** The entry of the worktree that holds a folder by its path alone: its own `.git` is gone or damaged, so git sees what is around it. */
export function entryAround(folder: string, known: readonly KnownWorktree[]): KnownWorktree | undefined {
  return known.find(({ path }) => isWithin(path, folder));
}

/**
 * The current location of a registered worktree, for an agent that is named after it.
 *
 * @param root where the session is, in the same repository.
 * @returns the recorded path also when nothing is there, for example while its disk is not mounted. `undefined` when something else is
 *   there and the worktree cannot be found: then it is unknown where its agent may write.
 */
export function locationOf(
  worktree: KnownWorktree,
  root: FoundRoot,
  known: readonly KnownWorktree[],
): string | undefined {
  if (root.id !== undefined && entryAt(root, known) === worktree) return root.worktreeRoot;
  return verifiedLocation(worktree, root) ?? (pointerOf(worktree.path).kind === 'none' ? worktree.path : undefined);
}

/** The location of a worktree, if the folder exists and is that worktree. */
export function verifiedLocation(
  worktree: Pick<KnownWorktree, 'id' | 'path' | 'branch'>,
  root: FoundRoot,
): string | undefined {
  const { id, path } = worktree;
  if (isIts(path, id, root.commonDir)) return path;
  // After `git worktree move` the admin directory has the new path. For an entry without an id, the branch identifies it.
  const records = linkedGitDirs(root.commonDir, id).filter(
    (each) =>
      id !== undefined ||
      (each.root !== undefined && samePath(each.root, path)) ||
      (worktree.branch !== '' && each.branch === worktree.branch),
  );
  for (const each of records)
    if (each.root !== undefined && isIts(each.root, each.id, root.commonDir)) return each.root;
  for (const { id: its, root: recorded } of [...records, { id, root: undefined }]) {
    for (const old of [path, recorded]) {
      const below = old === undefined ? undefined : sameLocationBelow(root, old, its);
      if (below !== undefined) return below;
    }
  }
  const likely = [path, ...records.flatMap((each) => each.root ?? [])].map((each) => dirname(each));
  likely.push(join(root.mainRoot, '.worktrees'));
  const folders = likely.filter((each, index) => !likely.slice(0, index).some((other) => samePlaceNow(other, each)));
  const wanted = new Set([...records.map((each) => each.id), ...(id === undefined ? [] : [id])]);
  // Renamed by hand. If two folders claim to be the worktree, neither counts.
  const [only, another] = folders.flatMap((folder) => claims(folder, wanted, root.commonDir));
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

/** The admin directory of a linked worktree. */
export interface LinkedGitDir {
  readonly id: string;
  /** The path of the worktree. */
  readonly root: string | undefined;
  /** What it has checked out. */
  readonly branch: string | undefined;
}

/** The admin directories of all linked worktrees, or of one. */
export function linkedGitDirs(commonDir: string, id?: string): LinkedGitDir[] {
  const folder = join(commonDir, 'worktrees');
  const ids = id === undefined ? namesIn(folder) : [id];
  return ids.map((each) => {
    const gitDir = join(folder, each);
    return { id: each, root: recordedRoot(gitDir), branch: id === undefined ? headBranch(gitDir) : undefined };
  });
}

/** The folder at the same location below the main root as an old path, if it is a worktree of that id. */
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
 * In a copy of a repository the `.git` files of its worktrees point to the original. The copied admin directory still has the same path
 * as the original, which shows that the folder belongs to the copy.
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
  return isGitDir(pointer.target) ? samePlaceNow(pointer.target, gitDir) : isGitDir(gitDir);
}

/**
 * Whether this folder is a copy of a worktree: its `.git` points to an admin directory whose worktree is provably elsewhere. Git commands
 * in the copy would change the original.
 */
export function isCopy({ worktreeRoot, gitDir, stale }: FoundRoot): boolean {
  if (stale) return false;
  const recorded = recordedRoot(gitDir);
  return recorded !== undefined && !samePlaceNow(recorded, worktreeRoot) && leadsTo(recorded, gitDir);
}
