import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';
import { fromMovable, toMovable } from '../repository/movablePaths.ts';
import type { RegistryEntry } from '../repository/registry.ts';
import type { TrackingRecord } from '../repository/trackingFile.ts';
import type { ActiveWorktree } from '../repository/stateFile.ts';
import { type Backup, deleteKept, type KeptAdminDir } from './backups.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** A branch that an operation moves, and the working trees that follow it. */
export interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly worktrees: readonly { readonly path: string; readonly gitDir: string }[];
}

/** What the registry says of what a branch stands on. */
export interface EdgeRecord {
  readonly branch: string;
  readonly base: string;
  /** Missing where none was recorded. */
  readonly baseCommit?: string | undefined;
}

/** What an operation changes in the registry. */
export interface EntryChange {
  /** The worktree's name there, and its path for an entry that is made. */
  readonly name: string;
  readonly path: string;
  /** `null` when there was no entry: another tool has made the worktree. */
  readonly before: EdgeRecord | null;
  /** `null` when there is none afterwards. */
  readonly after: EdgeRecord | null;
}

/** Where a rebase stopped for a person. */
export interface Stop {
  readonly branch: string;
  /** The worktree's name, and its path. */
  readonly name: string;
  readonly path: string;
  readonly gitDir: string;
  readonly from: string;
  readonly onto: string;
  /** The commit whose history is left out. */
  readonly upstream: string;
  readonly merges: boolean;
  readonly files: readonly string[];
  /** It stops because its commits must be signed, for which a person is needed. */
  readonly unsigned?: boolean | undefined;
  /** Git has been started: from then on a rebase that is not under way any more was ended by the person. */
  readonly started: boolean;
  /** What `HEAD` was when it stopped: as long as it is, the person has not committed. */
  readonly head?: string | undefined;
  /** Arguments with the settings of the worktree that git does not find there while its branch is not checked out. */
  readonly settings?: readonly string[] | undefined;
  /** What the registry is to say once it is done. */
  readonly entry: EntryChange | undefined;
}

/** A merge by `wt merge`, as the registry is told of it. */
export interface MergeMark {
  /** The branch that was merged, and its last commit then. */
  readonly branch: string;
  readonly head: string;
  readonly into: string;
  /** The merge commit. */
  readonly commit: string;
  /** It holds no longer. */
  readonly undone: boolean;
}

/** A part of an operation that happens as a whole or not at all. */
export interface Batch {
  readonly moves: readonly Move[];
  readonly entries: readonly EntryChange[];
  /** Where the operation stops afterwards. */
  readonly stop?: Stop | undefined;
  /** Branches that are still to be rebased after that, each after the one that it stands on. */
  readonly remaining: readonly string[];
  /** What the registry is to say of a merge by `wt merge` that is taken back, or done again. */
  readonly merge?: MergeMark | undefined;
  /** It takes back all that the operation has done before. */
  readonly aborts?: boolean | undefined;
}

/** What a renaming changed. */
export interface Renaming {
  readonly from: { readonly name: string; readonly branch: string; readonly path: string };
  readonly to: { readonly name: string; readonly branch: string; readonly path: string };
}

/** A worktree that was removed: all that is needed to bring it back. */
export interface RemovedWorktree {
  readonly name: string;
  readonly slug: string;
  /** The absolute path. */
  readonly path: string;
  /** The commit that its files were those of, as far as they were committed; empty before the first one. */
  readonly head: string;
  /** What was checked out; `undefined` when its `HEAD` was detached. */
  readonly branch: string | undefined;
  /** Git's settings of that branch, names and values; they go with it. */
  readonly branchSettings: readonly (readonly [name: string, value: string])[];
  /** The refs that keep its files and its index where they were not as committed. */
  readonly changes: string | undefined;
  readonly index: string | undefined;
  /** What else of it was kept, and how to get it back. */
  readonly others: readonly Backup[];
  /** What the registry said of it. */
  readonly entry: RegistryEntry | undefined;
  /** Worktrees that stand on another branch since. */
  readonly repointed: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** The state file, where it named this worktree. */
  readonly active: ActiveWorktree | undefined;
  readonly hadAgent: boolean;
  readonly hadSubmodules: boolean;
  /** What git had under way in it, as a sentence part. */
  readonly operation: string | undefined;
  /** Files of git's record of it that say how git works in it, and only in it: relative to that record. */
  readonly settings: readonly { readonly file: string; readonly text: string }[];
  /** What of it is kept in files, by `keptFolder`; not there where nothing is, and in the log of an earlier version. */
  readonly kept?: string | undefined;
  /** The ref that holds the commits which only its logs named. */
  readonly logged?: string | undefined;
  /** Files and folders that git ignores and that nobody kept, with their sizes: the first ones, and how many there were. */
  readonly ignored: { readonly some: readonly string[]; readonly count: number };
  /** The session file before its tasks were released, and the SHA-256 of what that made of it; `undefined` when it had none. */
  readonly tasks: { readonly before: string; readonly after: string } | undefined;
  /** Its record in the team's tracking file, where it had one. Not there in the log of an earlier version. */
  readonly tracked?: TrackingRecord | undefined;
  /** The bin that its folder was put in: what was written to it at that very moment may be kept there. */
  readonly bin: string;
  /** Only git's record of it went, since its folder was out of sight: that record. */
  readonly admin?: KeptAdminDir | undefined;
}

/** A merge by `wt merge`, beside how it moved the branch that was merged into. */
export interface MergedBranch {
  readonly branch: string;
  /** Its last commit that was merged. */
  readonly theirs: string;
  /** The paths of submodules that moved with it. */
  readonly submodules: readonly string[];
}

/** One operation on branches and worktrees, as it is remembered. */
export interface Operation {
  readonly version: 1;
  /** Sorts by time. */
  readonly id: string;
  readonly kind: 'rebase' | 'move' | 'rename' | 'cleanup' | 'merge' | 'undo' | 'redo';
  /** What was done, in words for a person. */
  readonly title: string;
  /** ISO 8601. */
  readonly started: string;
  /** `applying`: its process is at it, or has died; `stopped`: it waits for a person; `aborted`: all of it was taken back. */
  readonly state: 'applying' | 'stopped' | 'done' | 'aborted';
  /** What has happened. */
  readonly moves: readonly Move[];
  readonly entries: readonly EntryChange[];
  /** What is about to happen, while it is `applying`. */
  readonly pending?: Batch | undefined;
  readonly stop?: Stop | undefined;
  readonly remaining: readonly string[];
  readonly renaming?: Renaming | undefined;
  readonly removal?: RemovedWorktree | undefined;
  readonly merged?: MergedBranch | undefined;
  /** What all removals by one command share: they are taken back together. It can be named like an id. */
  readonly group?: string | undefined;
  /** For the undo of a removal: what is there again. */
  readonly restored?: readonly { readonly name: string; readonly path: string }[] | undefined;
  /** Sentences for the person who did it. */
  readonly notes?: readonly string[] | undefined;
  /** For an undo and a redo: the operation that was taken back or done again. */
  readonly of?: string | undefined;
}

/** How long operations and their backups are kept, in days. */
const daysKept = 30;
const day = 24 * 60 * 60 * 1000;

/** The journal's key: no slug holds such a character, so no worktree's operation has it. */
export const stackKey = '_stack';
/** The kind of the journal's records. */
export const stackKind = 'stack';

/** The prefix of the refs that keep what branches were at before an operation. */
export const backupRefs = (id: string): string => `refs/wt-backup/${id}`;

/** A new operation's id. */
export function newOperationId({ environment }: Workspace, kind: string): string {
  const time = environment.now().toISOString().replace(/[-:]/g, '').replace(/[T.]/g, '-').replace(/Z$/, '');
  return `${time}-${environment.pid}-${kind}`;
}

/** Writes an operation down; on disk before this resolves. */
export async function writeOperation({ environment, repository }: Workspace, operation: Operation): Promise<void> {
  const text = JSON.stringify(toMovable(repository, operation), null, 2);
  await writeAtomically(fileOf(repository, operation.id), `${text}\n`);
  environment.log.debug(`[stack] ${operation.title}: ${operation.state}`);
}

/** Forgets an operation that never happened. */
export async function dropOperation({ repository }: Workspace, id: string): Promise<void> {
  await rm(fileOf(repository, id), { force: true });
}

/** An operation by its id; `undefined` when there is none, or it cannot be read. */
export async function readOperation({ repository }: Workspace, id: string): Promise<Operation | undefined> {
  try {
    const value = await readJsonObject(fileOf(repository, id), 'the record of an operation');
    if (value === undefined) return undefined;
    const operation = fromMovable(repository, value);
    return isOperation(operation) ? operation : undefined;
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    return undefined;
  }
}

function isOperation(value: Record<string, unknown>): value is Record<string, unknown> & Operation {
  const texts = ['id', 'kind', 'title', 'started', 'state'].every((key) => typeof value[key] === 'string');
  const lists = ['moves', 'entries'].every((key) => Array.isArray(value[key]) && value[key].every(isObject));
  return value['version'] === 1 && texts && lists && Array.isArray(value['remaining']);
}

/** All operations that are remembered, the latest first. Those that cannot be read are passed over. */
export async function readOperations(workspace: Workspace): Promise<Operation[]> {
  const names = await readdir(folderOf(workspace.repository)).catch((): string[] => []);
  const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  const all = await Promise.all(
    ids
      .sort()
      .reverse()
      .map((id) => readOperation(workspace, id)),
  );
  return all.filter((each) => each !== undefined);
}

/** Commits that branches were moved away from by operations that hold, by branch. */
export function formerTips(operations: readonly Operation[]): Map<string, string[]> {
  const tips = new Map<string, string[]>();
  for (const { moves, pending } of operations) {
    for (const { branch, from } of [...moves, ...(pending?.moves ?? [])])
      tips.set(branch, [...(tips.get(branch) ?? []), from]);
  }
  return tips;
}

/**
 * Does {@link forgetOldOperations} where there is anything to forget; ids tell that without reading.
 */
export async function tidyLog(workspace: Workspace): Promise<void> {
  const names = await readdir(folderOf(workspace.repository)).catch((): string[] => []);
  const oldest = new Date(workspace.environment.now().getTime() - daysKept * day).toISOString();
  const firstDay = oldest.slice(0, 10).replaceAll('-', '');
  if (names.some((name) => /^\d{8}-/.test(name) && name.slice(0, 8) < firstDay))
    await forgetOldOperations(workspace, await readOperations(workspace));
}

/** Forgets operations older than thirty days, with their backups; those that wait for a person stay. */
export async function forgetOldOperations(workspace: Workspace, operations: readonly Operation[]): Promise<void> {
  const { git, environment, repository } = workspace;
  const oldest = environment.now().getTime() - daysKept * day;
  const old = operations.filter(({ started, state }) => Date.parse(started) < oldest && state !== 'stopped');
  if (old.length === 0) return;
  const at = { cwd: repository.commonDir, writes: true };
  const patterns = old.flatMap(({ id, removal }) => [
    `${backupRefs(id)}/`,
    ...(removal?.logged === undefined ? [] : [removal.logged]),
  ]);
  const refs = await git.in(repository.commonDir).text(['for-each-ref', '--format=delete %(refname)', ...patterns], at);
  if (refs !== '') await git.in(repository.commonDir).text(['update-ref', '--stdin'], { ...at, input: refs });
  for (const { id } of old) {
    await deleteKept(repository, id);
    await dropOperation(workspace, id);
  }
}

/** The ids of the operations that have been taken back and not been done again since. */
export function undoneIds(operations: readonly Operation[]): Set<string> {
  const undone = new Set<string>();
  // The latest come first.
  for (const { kind, of, state } of [...operations].reverse()) {
    if (of === undefined || state !== 'done') continue;
    if (kind === 'undo') undone.add(of);
    else undone.delete(of);
  }
  return undone;
}

/** Where operations are remembered. */
export function operationLogFolder(repository: Repository): string {
  return folderOf(repository);
}

const folderOf = ({ commonDir }: Repository): string => join(commonDir, 'worktree-stacks', 'log');
const fileOf = (repository: Repository, id: string): string => join(folderOf(repository), `${id}.json`);
