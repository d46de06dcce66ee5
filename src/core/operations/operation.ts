import type { PortBlock } from '../repository/portBlock.ts';
import type { RegistryEntry } from '../repository/registry.ts';
import type { ActiveWorktree } from '../repository/stateFile.ts';
import type { TrackingRecord } from '../repository/trackingRecords.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Backup, KeptAdminDir } from './backups.ts';
import type { Message } from '../messages/message.ts';

/** A branch that an operation moves, and the working trees that follow it. */
export interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly worktrees: readonly { readonly path: string; readonly gitDir: string }[];
}

/** What the registry says about the base of a branch. */
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
  /** It stops because its commits must be signed, which needs a person. */
  readonly unsigned?: boolean | undefined;
  /** Git has been started: a rebase that is not in progress any more was ended by the person. */
  readonly started: boolean;
  /** What `HEAD` was when it stopped: as long as it is, the person has not committed. */
  readonly head?: string | undefined;
  /** Arguments with the settings of the worktree that git does not find there while its branch is not checked out. */
  readonly settings?: readonly string[] | undefined;
  /** What the registry says once it is done. */
  readonly entry: EntryChange | undefined;
}

/** A merge by `wt merge`, as the registry records it. */
export interface MergeMark {
  /** The branch that was merged, and its last commit then. */
  readonly branch: string;
  readonly head: string;
  readonly into: string;
  /** The merge commit. */
  readonly commit: string;
  /** The merge was undone. */
  readonly undone: boolean;
}

/** A part of an operation on branches that happens as a whole or not at all. */
export interface Batch {
  readonly moves: readonly Move[];
  readonly entries: readonly EntryChange[];
  /** Where the operation stops afterwards. */
  readonly stop?: Stop | undefined;
  /** Branches that are still to be rebased after that, each after its base. */
  readonly remaining: readonly string[];
  /** A merge by `wt merge` that is undone or redone. */
  readonly merge?: MergeMark | undefined;
  /** It rolls back all that the operation has done before. */
  readonly aborts?: boolean | undefined;
}

/** What a renaming changed. */
export interface Renaming {
  readonly from: { readonly name: string; readonly branch: string; readonly path: string };
  readonly to: { readonly name: string; readonly branch: string; readonly path: string };
}

/** A worktree that was removed: all that is needed to restore it. */
export interface RemovedWorktree {
  readonly name: string;
  readonly slug: string;
  /** The absolute path. */
  readonly path: string;
  /** The commit that was checked out; empty before the first one. */
  readonly head: string;
  /** The branch that was checked out; `undefined` when `HEAD` was detached. */
  readonly branch: string | undefined;
  /** Git's settings of that branch, names and values; they go with it. */
  readonly branchSettings: readonly (readonly [name: string, value: string])[];
  /** The refs that keep its files and its index where they were not as committed. */
  readonly changes: string | undefined;
  readonly index: string | undefined;
  /** Of these files, the bytes that git does not write for them; missing in logs of earlier versions. */
  readonly bytes?: WorkState['bytes'] | undefined;
  /** What else of it was backed up. */
  readonly others: readonly Backup[];
  /** Its entry in the registry. */
  readonly entry: RegistryEntry | undefined;
  /** Its ports; missing where it had none, and in logs of earlier versions. */
  readonly ports?: PortBlock | undefined;
  /** Its dependents, which have another base since. */
  readonly repointed: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** The state file, where it named this worktree. */
  readonly active: ActiveWorktree | undefined;
  readonly hadAgent: boolean;
  readonly hadSubmodules: boolean;
  /** Git's operation in progress in it, as a sentence part. */
  readonly operation: string | undefined;
  /** Files of its admin directory that configure git in it alone: relative to that directory. */
  readonly settings: readonly { readonly file: string; readonly text: string }[];
  /** The folder that keeps files of it, by `keptFolder`; missing where nothing is kept, and in logs of earlier versions. */
  readonly kept?: string | undefined;
  /** The ref that holds the commits which only its logs named. */
  readonly logged?: string | undefined;
  /** Ignored files and folders that were not kept, with their sizes: the first ones, and how many there were. */
  readonly ignored: { readonly some: readonly string[]; readonly count: number };
  /** The session file before its tasks were unassigned, and the SHA-256 of it afterwards; `undefined` when it had none. */
  readonly tasks: { readonly before: string; readonly after: string } | undefined;
  /** Its record in the team's tracking file; missing where it had none, and in logs of earlier versions. */
  readonly tracked?: TrackingRecord | undefined;
  /** The id of its trash entry: what was written to it at that very moment may be kept there. */
  readonly bin: string;
  /** Only git's admin directory went, since the folder was out of sight. */
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

/** What is not committed in a worktree at one moment, as git's trees have it. */
export interface WorkState {
  /** The tree of its files, ignored ones apart. */
  readonly work: string;
  /** The tree of what is staged. */
  readonly index: string;
  /** Files of which only the name is staged (`git add --intent-to-add`): paths in Base64, since they are bytes. */
  readonly intent: readonly string[];
  /** Files whose bytes are not those that git writes for them, by a path in Base64: the blob that has them. */
  readonly bytes: readonly (readonly [path: string, blob: string])[];
}

/** A worktree whose uncommitted work an operation changes. */
export interface CarrySide {
  readonly name: string;
  readonly path: string;
  readonly gitDir: string;
  /** The commit that is checked out; `undefined` before the first one. */
  readonly head: string | undefined;
  readonly before: WorkState;
  readonly after: WorkState;
}

/** Uncommitted work that was carried from one worktree to another. */
export interface CarriedWork {
  readonly from: string;
  readonly to: string;
  /** Whether it is gone from where it was. */
  readonly mode: 'move' | 'copy';
  /** The first of the files that came along, and how many they are. */
  readonly files: { readonly some: readonly string[]; readonly count: number };
  /** The worktrees that change, in the order in which they do. */
  readonly sides: readonly CarrySide[];
}

/** What every finished operation records, and every one that waits for a person. */
interface Common {
  readonly version: 1;
  /** Sorts by time. */
  readonly id: string;
  /** What was done, for a person. */
  readonly title: string;
  /** ISO 8601. */
  readonly started: string;
  /** `applying`: only in logs of earlier versions. `stopped`: it waits for a person. `aborted`: all of it was rolled back. */
  readonly state: 'applying' | 'stopped' | 'done' | 'aborted';
  /** The branches that it moved. */
  readonly moves: readonly Move[];
  /** What it changed in the registry. */
  readonly entries: readonly EntryChange[];
  /** Branches that are still to be rebased. */
  readonly remaining: readonly string[];
  readonly stop?: Stop | undefined;
  /** What the person who did it should know. */
  readonly notes?: readonly Message[] | undefined;
}

/** What some kinds record and others do not. */
interface Details {
  readonly renaming: Renaming;
  readonly removal: RemovedWorktree;
  readonly merged: MergedBranch;
  readonly carried: CarriedWork;
  readonly group: string;
  readonly restored: readonly { readonly name: string; readonly path: string }[];
  readonly of: string;
}

type OfKind<Kind extends string, Own = object> = Common &
  Own & { readonly kind: Kind } & { readonly [Key in Exclude<keyof Details, keyof Own>]?: undefined };

/** `wt rebase` and `wt move`: branches move onto another base, and their worktrees follow. */
export type RestackOperation = OfKind<'rebase' | 'move'>;

/** `wt rename`. */
export type RenameOperation = OfKind<'rename', Pick<Details, 'renaming'>>;

/** `wt cleanup`. Removals of one command share a `group`, which can be named like an id: they are undone together. */
export type RemoveOperation = OfKind<
  'cleanup',
  Pick<Details, 'removal'> & { readonly group?: Details['group'] | undefined }
>;

/** `wt merge`. */
export type MergeOperation = OfKind<'merge', Pick<Details, 'merged'>>;

/** `wt carry`, and the last step of `wt create --with-changes`. */
export type CarryOperation = OfKind<'carry', Pick<Details, 'carried'>>;

/** `wt undo` and `wt redo` of the operation `of`; `restored` are the worktrees that an undo of removals brought back. */
export type ReverseOperation = OfKind<
  'undo' | 'redo',
  Pick<Details, 'of'> & {
    readonly renaming?: Renaming | undefined;
    readonly carried?: CarriedWork | undefined;
    readonly restored?: Details['restored'] | undefined;
  }
>;

/**
 * Every kind of operation, with what the log holds of it; `never` where it holds nothing. `recovery/kinds.ts` lists the same kinds: one that
 * is missing here or there does not compile.
 */
export interface LoggedByKind {
  readonly create: never;
  readonly cleanup: RemoveOperation;
  readonly reclaim: never;
  readonly trash: never;
  readonly restore: ReverseOperation;
  readonly 'restore-record': ReverseOperation;
  readonly restack: RestackOperation | ReverseOperation;
  readonly rename: RenameOperation | ReverseOperation;
  readonly merge: MergeOperation;
  readonly carry: CarryOperation | ReverseOperation;
  readonly stack: never;
}

/** The name of a kind of operation, as pending ones have it. */
export type KindName = keyof LoggedByKind;

/** One operation on branches and worktrees, as the log holds it: finished, or waiting for a person. */
export type Operation = LoggedByKind[KindName];

/** The refs that keep what branches were at before an operation start with this. */
export const backupRefs = (id: string): string => `refs/wt-backup/${id}`;

/** A new operation's id. */
export function newOperationId({ environment }: Workspace, kind: string): string {
  const time = environment.now().toISOString().replace(/[-:Z]/g, '').replace(/[T.]/g, '-');
  return `${time}-${environment.pid}-${kind}`;
}

/** What every operation on branches begins with. @param title what it does, for a person. */
export function newOperation<Kind extends Operation['kind']>(
  workspace: Workspace,
  kind: Kind,
  title: string,
): Common & { readonly kind: Kind } {
  return {
    version: 1,
    id: newOperationId(workspace, kind),
    kind,
    title,
    started: workspace.environment.now().toISOString(),
    state: 'applying',
    ...{ moves: [], entries: [], remaining: [] },
  };
}

/** Commits that branches were moved away from, by branch. */
export function formerTips(operations: readonly Operation[]): Map<string, string[]> {
  const tips = new Map<string, string[]>();
  for (const { moves } of operations)
    for (const { branch, from } of moves) tips.set(branch, [...(tips.get(branch) ?? []), from]);
  return tips;
}

/** The ids of the operations that were undone and not redone since. */
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
