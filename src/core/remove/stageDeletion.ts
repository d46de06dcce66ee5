import { rename } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem, errorCode, messageOf, stopIfCancelled } from '../base/problem.ts';
import { readRecord } from './privateRefs.ts';
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
import { lookAtPlace } from './pathState.ts';
import { readFingerprint } from '../worktree/treeState.ts';

/** What was done to put a worktree aside, and is still to be decided. */
export interface PutAside {
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
 * Does everything that can be rolled back. When it returns, the working tree is aside, or stays to be deleted where it is, and
 * holds nothing that was not looked at or backed up.
 *
 * @throws Problem as `removeWorktree`.
 */
export async function putAside(
  workspace: Workspace,
  removal: Removal,
  seen: Inspected,
  options: RemoveOptions & { readonly begun: RemoveData; readonly prefix: string },
): Promise<PutAside> {
  const { begun: data, prefix, progress, signal } = options;
  const { path, gitDir, aside } = data;
  await checkSurroundings(workspace, removal, seen, signal);
  progress?.(`Looking at ${data.name} once more`);
  let backups: BackedUp = { backups: [], files: undefined, index: undefined };
  if (removal.obstacles.length > 0) {
    progress?.(`Backing up what only ${data.name} holds`);
    backups = await backUp(workspace, { path, gitDir }, seen, prefix, signal);
  }
  const logged = await keepLogs(workspace, removal, seen, options);
  stopIfCancelled(signal);
  if (aside === undefined) {
    const objects = await keepAdminObjects(workspace, gitDir, prefix, signal);
    await checkRecord(removal, seen);
    const kept = await keepFiles(workspace, seen, seen.ignored, { ...options, tree: undefined });
    const all = { ...backups, backups: [...backups.backups, ...objects] };
    return { decided: { ...data, step: 'decided' }, backups: all, logged, ignored: seen.ignored, ...kept };
  }
  progress?.(`Removing ${data.name}`);
  const isAside = await renameAside(path, aside);
  // Nobody finds the folder any more, so what is seen now is what will be deleted.
  const tree = isAside ? aside : path;
  const look = options.lookLater && isAside ? lookFor(workspace, removal, seen) : undefined;
  const ignored = look ? seen.ignored : await lookOnceMore(workspace, removal, seen, { tree, backups, signal });
  await checkRecord(removal, seen);
  const kept = await keepFiles(workspace, seen, ignored, { ...options, tree });
  const decided: RemoveData = look
    ? { ...data, step: 'decided', look }
    : {
        ...data,
        step: 'decided',
        aside: isAside ? aside : undefined,
        inPlace: isAside ? undefined : { gitFile: seen.place.gitFile ?? '' },
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
 * Looks whether a tree is as it was when it was looked at first.
 *
 * @returns its ignored files, also those that have come since.
 */
async function lookOnceMore(
  { git, repository }: Workspace,
  removal: Removal,
  seen: Inspected,
  at: { readonly tree: string; readonly backups: BackedUp; readonly signal: AbortSignal | undefined },
): Promise<IgnoredFiles> {
  const { backups, signal } = at;
  const now = { path: at.tree, gitDir: seen.gitDir };
  const [{ fingerprint, ignored }, files, copies] = await Promise.all([
    readFingerprint(git, now, signal),
    backups.files !== undefined && seen.state ? writeTreeOf(git, now, withStray(seen, seen.state), signal) : undefined,
    findChanged(repository.mainRoot, now.path, seen.copies.found),
  ]);
  const same = fingerprint === seen.state?.fingerprint && files === backups.files;
  if (!same || copies.join('\0') !== seen.copies.changed.join('\0'))
    throw changed(removal, 'something was written to it');
  const known = new Set(seen.state?.ignored);
  const late = ignored.filter((path) => !known.has(path));
  if (late.length === 0) return seen.ignored;
  const { kept, gone, limit } = seen.ignored;
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
  seen: Inspected,
  ignored: IgnoredFiles,
  options: RemoveOptions & { readonly begun: RemoveData; readonly tree: string | undefined },
): Promise<Pick<PutAside, 'folder' | 'unread'>> {
  const { begun, tree } = options;
  if (begun.kept === undefined || (begun.log === undefined && ignored.kept.length === 0))
    return { folder: undefined, unread: [] };
  const folder = keptFolder(repository, begun.kept);
  const { found, changed: different } = seen.copies;
  const unread = await keepInFolder(repository, folder, {
    tree,
    paths: ignored.kept.map(({ path }) => path),
    except: new Set(found.filter((path) => !different.includes(path))),
    gitDir: seen.gitDir,
    branch: begun.branch?.name,
  });
  if (unread.length === 0 || options.force) return { folder, unread };
  throw new Problem(
    'would-lose-work',
    `${begun.name} was not removed: what git ignores there cannot be read, and so not kept.`,
    {
      next: `move it away, or run \`wt cleanup ${quoted(begun.name)} --force\`, which lets it go`,
      items: unread.slice(0, 20),
      outcome: 'incomplete',
    },
  );
}

/** What the last look must find, where it can be taken when git's record is out of its place: not with submodules, which lead there. */
function lookFor({ repository }: Workspace, removal: Removal, seen: Inspected): LateCheck | undefined {
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
  seen: Inspected,
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

async function checkRecord(removal: Removal, seen: Inspected): Promise<void> {
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

/** Why it was not removed: it is not as it was. */
export function changed({ worktree }: Removal, what: string): Problem {
  return new Problem('would-lose-work', `${worktree.name} was not removed: ${what} since it was looked at.`, {
    next: `run \`wt cleanup ${quoted(worktree.name)}\` again`,
    outcome: 'incomplete',
  });
}
