import { Problem, stopIfCancelled } from '../base/problem.ts';
import { readAdminDirState } from './adminDirState.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { backUp, withStray, type BackedUp } from './backup.ts';
import { findChanged } from '../trash/changedCopies.ts';
import type { RemoveOptions } from './removeOptions.ts';
import type { RemoveData } from './removeData.ts';
import { sortIgnored, type IgnoredFiles } from './ignoredFiles.ts';
import { keepAdminObjects } from './keptAdminDir.ts';
import { keepInFolder, keptFolder, type KeptFolder } from '../operations/keptFolder.ts';
import { writeTreeOf } from './backupTree.ts';
import type { LateCheck } from '../trash/lateChanges.ts';
import { readSubmoduleWork } from './localWork.ts';
import { keepLogged, logLength, lostCommits, readLoggedCommits } from './loggedCommits.ts';
import type { Backup } from '../operations/backups.ts';
import type { Removal, Inspected } from './inspect.ts';
import { stageFolder } from './stageFolder.ts';
import { readPathState } from './pathState.ts';
import { readFingerprint } from '../worktree/treeState.ts';
import { removeMessages } from '../messages/remove.ts';
import type { Message } from '../messages/message.ts';
import { relocationMessages } from '../messages/relocation.ts';

/** What was done to stage a worktree for deletion, and is still to be decided. */
export interface StagedRemoval {
  readonly decided: RemoveData;
  readonly backups: BackedUp;
  /** The ref that holds commits which only logs named. */
  readonly logged: Backup | undefined;
  /** What became of the ignored files, and where they are. */
  readonly ignored: IgnoredFiles;
  readonly folder: KeptFolder | undefined;
  /** Ignored files that could not be read, and go. */
  readonly unread: readonly string[];
}

/**
 * Does everything that can be rolled back. When it returns, the working tree is staged, or stays to be deleted where it is, and
 * holds nothing that was not inspected or backed up.
 *
 * @throws Problem as `removeWorktree`.
 */
export async function stageDeletion(
  workspace: Workspace,
  removal: Removal,
  inspected: Inspected,
  options: RemoveOptions & { readonly begun: RemoveData; readonly prefix: string },
): Promise<StagedRemoval> {
  const { begun: data, prefix, progress, signal } = options;
  const { path, gitDir, aside } = data;
  await checkSurroundings(workspace, removal, inspected, signal);
  progress?.(removeMessages.rechecking({ name: data.name }));
  let backups: BackedUp = { backups: [], files: undefined, index: undefined, bytes: [] };
  if (removal.obstacles.length > 0) {
    progress?.(removeMessages.backingUp({ name: data.name }));
    backups = await backUp(workspace, { path, gitDir }, inspected, prefix, signal);
  }
  const logged = await keepLogs(workspace, removal, inspected, options);
  stopIfCancelled(signal);
  if (aside === undefined) {
    const objects = await keepAdminObjects(workspace, gitDir, prefix, signal);
    await checkAdminDir(removal, inspected);
    const kept = await keepFiles(workspace, inspected, inspected.ignored, { ...options, tree: undefined });
    const all = { ...backups, backups: [...backups.backups, ...objects] };
    return { decided: { ...data, step: 'decided' }, backups: all, logged, ignored: inspected.ignored, ...kept };
  }
  progress?.(removeMessages.removing({ name: data.name }));
  const staging = await stageFolder(data.name, path, aside);
  const isStaged = staging !== 'inPlace';
  // Nobody finds the folder any more, so what is seen now is what will be deleted.
  const tree = isStaged ? aside : path;
  const look = options.lookLater && isStaged ? lateCheckFor(workspace, removal, inspected) : undefined;
  const ignored = look ? inspected.ignored : await recheck(workspace, removal, inspected, { tree, backups, signal });
  await checkAdminDir(removal, inspected);
  const kept = await keepFiles(workspace, inspected, ignored, { ...options, tree });
  const begun: RemoveData = staging === 'emptied' ? { ...data, left: true } : data;
  const decided: RemoveData = look
    ? { ...begun, step: 'decided', look }
    : {
        ...begun,
        step: 'decided',
        aside: isStaged ? aside : undefined,
        inPlace: isStaged ? undefined : { gitFile: inspected.pathState.gitFile ?? '' },
      };
  return { decided, backups, logged, ignored, ...kept };
}

/** Keeps the commits that only logs name; what git did since they were read is in them too. */
async function keepLogs(
  workspace: Workspace,
  { worktree }: Removal,
  { gitDir, logged, commits }: Inspected,
  { begun, prefix, signal }: RemoveOptions & { readonly begun: RemoveData; readonly prefix: string },
): Promise<Backup | undefined> {
  const isSame = (await logLength(gitDir)) === logged.length;
  const now = isSame ? logged : await readLoggedCommits(workspace, { worktrees: [] }, worktree, gitDir, signal);
  const held = commits.map(({ oid }) => oid);
  return keepLogged(workspace, lostCommits(now, begun.branch !== undefined, held), `${prefix}/reflog`, signal);
}

/**
 * Checks whether a working tree is as it was when it was inspected.
 *
 * @returns its ignored files, also those that have come since.
 */
async function recheck(
  { git, repository }: Workspace,
  removal: Removal,
  inspected: Inspected,
  at: { readonly tree: string; readonly backups: BackedUp; readonly signal: AbortSignal | undefined },
): Promise<IgnoredFiles> {
  const { backups, signal } = at;
  const now = { path: at.tree, gitDir: inspected.gitDir };
  const [{ fingerprint, ignored }, files, copies] = await Promise.all([
    readFingerprint(git, now, signal),
    backups.files !== undefined && inspected.state
      ? writeTreeOf(git, now, withStray(inspected, inspected.state), signal)
      : undefined,
    findChanged(repository.mainRoot, now.path, inspected.copies.found),
  ]);
  const same = fingerprint === inspected.state?.fingerprint && files === backups.files;
  if (!same || copies.join('\0') !== inspected.copies.changed.join('\0'))
    throw changed(removal, removeMessages.somethingWritten());
  const known = new Set(inspected.state?.ignored);
  const late = ignored.filter((path) => !known.has(path));
  if (late.length === 0) return inspected.ignored;
  const { kept, gone, limit } = inspected.ignored;
  const left = limit - kept.reduce((sum, { size }) => sum + size.bytes, 0);
  const more = await sortIgnored(now.path, late, { found: [], changed: [] }, Math.max(0, left));
  return { kept: [...kept, ...more.kept], gone: [...gone, ...more.gone], limit };
}

/**
 * Keeps ignored files, and the logs of a worktree that is remembered.
 *
 * @throws Problem `not-writable`; `would-lose-work` when some cannot be read and it is not forced.
 */
async function keepFiles(
  { repository }: Workspace,
  inspected: Inspected,
  ignored: IgnoredFiles,
  options: RemoveOptions & { readonly begun: RemoveData; readonly tree: string | undefined },
): Promise<Pick<StagedRemoval, 'folder' | 'unread'>> {
  const { begun, tree } = options;
  if (begun.kept === undefined || (begun.log === undefined && ignored.kept.length === 0))
    return { folder: undefined, unread: [] };
  const folder = keptFolder(repository, begun.kept);
  const { found, changed: different } = inspected.copies;
  const unread = await keepInFolder(repository, folder, {
    tree,
    paths: ignored.kept.map(({ path }) => path),
    except: new Set(found.filter((path) => !different.includes(path))),
    gitDir: inspected.gitDir,
    branch: begun.branch?.name,
  });
  if (unread.length === 0 || options.force) return { folder, unread };
  throw new Problem('would-lose-work', removeMessages.ignoredNotReadable({ begunName: begun.name }), {
    next: removeMessages.moveAwayOrForce({ begunName: quoted(begun.name) }),
    items: unread.slice(0, 20),
    outcome: 'incomplete',
  });
}

/**
 * What the check for late changes must find, where it works without git's admin directory in its location: not with submodules, which lead
 * there.
 */
function lateCheckFor({ repository }: Workspace, removal: Removal, inspected: Inspected): LateCheck | undefined {
  const { state, adminDir, copies } = inspected;
  if (removal.obstacles.length > 0 || adminDir.modules || state?.head === undefined || state.submodules.length > 0)
    return undefined;
  const { commonDir, mainRoot } = repository;
  return { name: removal.worktree.name, head: state.head, commonDir, mainRoot, copies: copies.found };
}

/** What was true when it was inspected must be true still: what the folder is, and what is in its submodules. */
async function checkSurroundings(
  { git, repository }: Workspace,
  removal: Removal,
  inspected: Inspected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { path } = removal.worktree;
  const pathState = await readPathState(repository, path, inspected.gitDir);
  if (JSON.stringify(pathState) !== JSON.stringify(inspected.pathState))
    throw changed(removal, relocationMessages.folderChanged());
  if ((inspected.state?.submodules.length ?? 0) === 0 && !inspected.adminDir.modules) return;
  const tree = { path, gitDir: inspected.gitDir };
  const submodules = await readSubmoduleWork(git, repository, tree, inspected.state?.submodules ?? [], signal);
  if (JSON.stringify(submodules) !== JSON.stringify(inspected.submodules))
    throw changed(removal, removeMessages.submodulesChanged());
}

async function checkAdminDir(removal: Removal, inspected: Inspected): Promise<void> {
  const adminDir = await readAdminDirState(inspected.gitDir);
  if (JSON.stringify(adminDir) !== JSON.stringify(inspected.adminDir))
    throw changed(removal, removeMessages.gitWorkedInIt());
}

/** Why it was not removed: it is not as it was. */
export function changed({ worktree }: Removal, what: Message): Problem {
  return new Problem('would-lose-work', removeMessages.notRemovedSince({ name: worktree.name, what }), {
    next: removeMessages.cleanupAgain({ name: quoted(worktree.name) }),
    outcome: 'incomplete',
  });
}
