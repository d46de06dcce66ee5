import { readFile, rename } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem, errorCode, messageOf, stopIfCancelled } from '../../base/problem.ts';
import { readRegistry } from '../../repository/registry.ts';
import { backUp, backupPrefix, withStray, type BackedUp, type Backup } from './backup.ts';
import { findChanged } from './changedCopies.ts';
import { cleanupKind, finishRemoval, takeBack, type CleanupData } from './finishRemoval.ts';
import { openJournal } from '../journal.ts';
import { readOperation } from '../operationLog.ts';
import { writeTreeOf } from './keepTree.ts';
import { keepAdminObjects, keptAdminDir } from './keptAdminDir.ts';
import type { LastLook } from './lastLook.ts';
import { logRemoval, newRemovalId } from './removalLog.ts';
import { sessionOfLock } from './liveSessions.ts';
import { readSubmoduleWork } from './localWork.ts';
import { openTasksOf, type ReleasedTask } from '../tasks/releaseTasks.ts';
import type { Progress } from '../model.ts';
import { quoted } from '../quoted.ts';
import { outOfSight, wherePlaceIs } from './outOfSight.ts';
import type { Removal, Seen } from './removal.ts';
import { lookAtPlace } from './removalPlace.ts';
import { asideOf, binOf, newBin } from './trash.ts';
import { readFingerprint } from './treeState.ts';
import type { Workspace } from '../workspace.ts';
import { readRecord } from '../read/worktreeRecord.ts';

export type { Backup } from './backup.ts';

/** What a removal did. */
export interface Removed {
  readonly name: string;
  readonly path: string;
  readonly branchDeleted: boolean;
  /** The branch that stays, and why. */
  readonly branchKept?: { readonly name: string; readonly why: string };
  readonly backups: readonly Backup[];
  /** The operation in the log that brings it back when it is taken back; `undefined` when none was written. */
  readonly operation: string | undefined;
  /** Worktrees that stand on another branch now. */
  readonly dependents: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** The state file named this worktree and was removed. */
  readonly clearedActive: boolean;
  /** The tasks that left the worktree tasks of the session file, and where they went. */
  readonly tasks: readonly ReleasedTask[];
  /** Sentences for the person: what was kept, what needs a look. */
  readonly notes: readonly string[];
}

/** How a worktree is removed. */
export interface RemoveOptions {
  /** Remove it although there are obstacles, after backing up what only it holds. */
  readonly force?: boolean | undefined;
  /** A person has asked to drop this very worktree, although its folder is out of sight. Without it `force` does not do that. */
  readonly drop?: boolean | undefined;
  readonly progress?: Progress | undefined;
  /** Honoured until the removal is decided; from then on it is completed. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Leaves the last look at a worktree without obstacles to `deleteTrash`, which keeps the folder when something was written to it
   * meanwhile. For whoever has looked just now: what is found to have been written before the folder is put aside stops a removal
   * only without this.
   */
  readonly lookLater?: boolean | undefined;
  /** Write it to the log, so that it can be taken back; default true, and always where only git's record goes. */
  readonly remember?: boolean | undefined;
  /** What all removals of one command share, by `newRemovalGroup`: they are taken back together. */
  readonly group?: string | undefined;
  /** The host's way to delete a folder in the background, by `deleteTrash`: it must not keep the caller waiting. */
  readonly deleteLater: (folder: string) => void;
}

/**
 * Removes a worktree that {@link inspectRemoval} looked at: puts its folder aside, makes sure that nothing was written to it
 * since it was looked at, and only then takes away git's record, the branch if its work is elsewhere, and all that the product
 * keeps of it. The folder is deleted afterwards, in the background.
 *
 * @throws Problem `would-lose-work` or `in-use` (outcome incomplete) that names each obstacle, or that something has changed
 *   since; `unreadable-file` for a registry that cannot be read; `cancelled`. The worktree is then as it was.
 */
export async function removeWorktree(workspace: Workspace, removal: Removal, options: RemoveOptions): Promise<Removed> {
  const { worktree } = removal;
  const seen = admit(removal, options);
  // What the last step will write must be readable before the first one.
  await readRegistry(workspace.repository);
  const prefix = backupPrefix(workspace.environment.now(), worktree.slug);
  const log = options.remember === false && !removal.recordOnly ? undefined : newRemovalId(workspace);
  const begun: CleanupData = { ...(await begin(workspace, removal, seen, { prefix, log })), log };
  const journal = await openJournal(workspace, cleanupKind, worktree.slug, begun);
  let decided: CleanupData;
  let kept: BackedUp;
  try {
    ({ decided, kept } = await putAside(workspace, removal, seen, { ...options, begun, prefix }));
    if (log !== undefined)
      await logRemoval(workspace, log, removal, { seen, kept, prefix, decided, group: options.group });
    await journal.note(decided);
  } catch (thrown) {
    await takeBack(workspace, begun).then(
      () => journal.close(),
      () => journal.abandon(),
    );
    throw thrown;
  }
  try {
    const done = await finishRemoval(workspace, decided);
    const notes = [...noteOnPlace(removal, seen), ...noteOnLock(seen), ...done.notes];
    await journal.close();
    options.deleteLater(binOf(workspace.repository, decided.bin).folder);
    const { name, path } = worktree;
    const stays = removal.branch && (removal.branch.fate === 'keep' ? removal.branch.why : done.branchKept);
    return {
      name,
      path,
      branchDeleted: done.branchDeleted,
      ...(removal.branch && stays !== undefined ? { branchKept: { name: removal.branch.name, why: stays } } : {}),
      operation: log !== undefined && (await readOperation(workspace, log)) ? log : undefined,
      backups: [...kept.backups, ...branchBackup(decided, done.branchDeleted)],
      dependents: done.dependents,
      clearedActive: done.clearedActive,
      tasks: done.tasks,
      notes,
    };
  } catch (thrown) {
    // Nothing is lost, but not everything is done: whoever comes next completes it.
    await journal.abandon();
    throw thrown;
  }
}

/** Whether it may go at all. */
function admit(removal: Removal, { force = false, drop = false }: RemoveOptions): Seen {
  const { worktree, obstacles, seen } = removal;
  const stopping = force ? obstacles.filter((each) => !each.forceable) : obstacles;
  if (removal.recordOnly && seen && !(force && drop)) throw outOfSight(removal, seen.place);
  if (stopping.length === 0 && seen) return seen;
  const isWork = stopping.some((each) => !['locked', 'current-directory', 'live-session', 'main'].includes(each.kind));
  const forced = `\`wt cleanup ${quoted(worktree.name)} --force\``;
  throw new Problem(
    isWork ? 'would-lose-work' : 'in-use',
    `${worktree.name} was not removed: ${stopping.map((each) => each.message).join('; ')}.`,
    {
      next: stopping.every((each) => each.forceable)
        ? `deal with that, or run ${forced}, which keeps a backup of what only this worktree holds`
        : 'deal with that first; --force does not help here',
      items: stopping.flatMap((each) => each.items).slice(0, 50),
      outcome: 'incomplete',
    },
  );
}

async function begin(
  workspace: Workspace,
  removal: Removal,
  seen: Seen,
  { prefix, log }: { readonly prefix: string; readonly log: string | undefined },
): Promise<CleanupData> {
  const { repository } = workspace;
  const { worktree, branch, newBase, recordOnly } = removal;
  const { name, slug, path } = worktree;
  const bin = newBin(repository);
  const pointer = await readFile(join(seen.gitDir, 'gitdir'), 'utf8').catch(() => undefined);
  if (pointer === undefined) throw changed(removal, 'git has no record of it any more');
  const open = await openTasksOf(workspace, worktree);
  return {
    step: 'begun',
    name,
    slug,
    path,
    gitDir: seen.gitDir,
    pointer,
    bin: bin.id,
    aside: recordOnly ? undefined : asideOf(path, slug, bin),
    keep: recordOnly && log !== undefined ? keptAdminDir(repository, log) : undefined,
    inPlace: undefined,
    branch:
      branch?.fate === 'delete'
        ? {
            name: branch.name,
            oid: branch.oid,
            backup: branch.landing === 'ancestor' && !recordOnly ? undefined : `${prefix}/branch`,
          }
        : undefined,
    entryPath: worktree.entry?.path,
    repoint:
      newBase !== undefined && worktree.branch !== undefined ? { from: worktree.branch, to: newBase } : undefined,
    tasks: { merged: branch?.fate === 'delete' && branch.landing !== 'session', open },
  };
}

/**
 * Does everything that can be taken back. When it returns, the working tree is aside, or stays to be deleted where it is, and
 * holds nothing that was not looked at or backed up.
 */
async function putAside(
  workspace: Workspace,
  removal: Removal,
  seen: Seen,
  options: RemoveOptions & { readonly begun: CleanupData; readonly prefix: string },
): Promise<{ decided: CleanupData; kept: BackedUp }> {
  const { git, repository } = workspace;
  const { begun: data, prefix, progress, signal } = options;
  const { path, gitDir, aside } = data;
  const tree = { path, gitDir };
  await checkSurroundings(workspace, removal, seen, signal);
  progress?.(`Looking at ${data.name} once more`);
  let kept: BackedUp = { backups: [], files: undefined, index: undefined };
  if (removal.obstacles.length > 0) {
    progress?.(`Backing up what only ${data.name} holds`);
    kept = await backUp(workspace, tree, seen, prefix, signal);
  }
  stopIfCancelled(signal);
  if (aside === undefined) {
    const backups = [...kept.backups, ...(await keepAdminObjects(workspace, gitDir, prefix, signal))];
    await checkRecord(removal, seen);
    return { decided: { ...data, step: 'decided' }, kept: { ...kept, backups } };
  }
  progress?.(`Removing ${data.name}`);
  const isAside = await renameAside(path, aside);
  // Nobody finds the folder any more, so what is seen now is what will be deleted.
  const now = { path: isAside ? aside : path, gitDir };
  const look = options.lookLater && isAside ? lookFor(workspace, removal, seen) : undefined;
  if (look) {
    await checkRecord(removal, seen);
    return { decided: { ...data, step: 'decided', look }, kept };
  }
  const [fingerprint, files, copies] = await Promise.all([
    readFingerprint(git, now, signal),
    kept.files !== undefined && seen.state ? writeTreeOf(git, now, withStray(seen, seen.state), signal) : undefined,
    findChanged(repository.mainRoot, now.path, seen.copies.found),
    checkRecord(removal, seen),
  ]);
  const same = fingerprint === seen.state?.fingerprint && files === kept.files;
  if (!same || copies.join('\0') !== seen.copies.changed.join('\0'))
    throw changed(removal, 'something was written to it');
  const decided: CleanupData = {
    ...data,
    step: 'decided',
    aside: isAside ? aside : undefined,
    inPlace: isAside ? undefined : { gitFile: seen.place.gitFile ?? '' },
  };
  return { decided, kept };
}

/** What the last look must find, where it can be taken when git's record is out of its place: not with submodules, which lead there. */
function lookFor({ repository }: Workspace, removal: Removal, seen: Seen): LastLook | undefined {
  const { state, record, copies } = seen;
  if (removal.obstacles.length > 0 || record.modules || state?.head === undefined || state.submodules.length > 0)
    return undefined;
  const { commonDir, mainRoot } = repository;
  return { name: removal.worktree.name, head: state.head, commonDir, mainRoot, copies: copies.found };
}

/** What was true when it was looked at must be true still: what the folder is, and what is in its submodules. */
async function checkSurroundings(
  { git, repository }: Workspace,
  removal: Removal,
  seen: Seen,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { path } = removal.worktree;
  const place = await lookAtPlace(repository, path, seen.gitDir);
  if (JSON.stringify(place) !== JSON.stringify(seen.place)) throw changed(removal, 'its folder is not what it was');
  if ((seen.state?.submodules.length ?? 0) === 0 && !seen.record.modules) return;
  const tree = { path, gitDir: seen.gitDir };
  const submodules = await readSubmoduleWork(git, repository, tree, seen.state?.submodules ?? [], signal);
  if (JSON.stringify(submodules) !== JSON.stringify(seen.submodules))
    throw changed(removal, 'its submodules have changed');
}

async function checkRecord(removal: Removal, seen: Seen): Promise<void> {
  const record = await readRecord(seen.gitDir);
  if (JSON.stringify(record) !== JSON.stringify(seen.record)) throw changed(removal, 'git has worked in it');
}

/** Whether the folder is aside. It cannot be moved where it is the root of a disk, or (Windows) while somebody uses it. */
async function renameAside(path: string, aside: string): Promise<boolean> {
  const windows = sep === '\\';
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(path, aside);
      return true;
    } catch (thrown) {
      const code = errorCode(thrown) ?? '';
      if (windows && ['EPERM', 'EACCES', 'EBUSY'].includes(code) && attempt < 4) await delay(60 * attempt);
      else if (code === 'EBUSY' || code === 'EXDEV' || (windows && ['EPERM', 'EACCES'].includes(code))) return false;
      else {
        throw new Problem('not-writable', `${path} could not be put aside: ${messageOf(thrown)}`, {
          file: path,
          next: 'check that the folder above it is yours to write in',
          cause: thrown,
        });
      }
    }
  }
}

function changed({ worktree }: Removal, what: string): Problem {
  return new Problem('would-lose-work', `${worktree.name} was not removed: ${what} since it was looked at.`, {
    next: `run \`wt cleanup ${quoted(worktree.name)}\` again`,
    outcome: 'incomplete',
  });
}

function branchBackup({ branch }: CleanupData, deleted: boolean): Backup[] {
  if (!deleted || branch?.backup === undefined) return [];
  return [
    {
      ref: branch.backup,
      what: `the branch ${branch.name}`,
      restore: `git branch ${quoted(branch.name)} ${branch.backup}`,
    },
  ];
}

function noteOnPlace({ worktree, recordOnly }: Removal, { place }: Seen): string[] {
  if (!recordOnly) return [];
  return [`Only git's record of it was dropped (${wherePlaceIs(worktree, place)}); ${worktree.path} was left alone.`];
}

function noteOnLock({ record }: Seen): string[] {
  const session = record.lockReason === undefined ? undefined : sessionOfLock(record.lockReason);
  return session && !session.alive ? [`Its lock was left behind by process ${session.pid}, which has ended.`] : [];
}
