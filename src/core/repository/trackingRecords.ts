import { resolve } from 'node:path';
import { relativeTo, samePath } from '../base/paths.ts';
import { isObject } from '../base/jsonText.ts';

/** What {@link TrackedWorktree.status} says when we write it. Whatever else it says is another tool's, and stays. */
export type TrackingStatus = 'active' | 'ended' | 'merged' | 'removed';

/** One worktree as other tools find it in the tracking file (seed 003). Keys that they have added are kept. */
export interface TrackedWorktree {
  /** Relative to the main root, with forward slashes; what identifies the record. */
  readonly path: string;
  readonly branch: string;
  /** The run of the caller's workflow that it was made for, or that runs in it. */
  readonly workflow_run_id?: string;
  readonly work_id?: string;
  /** `ended`: the workflow that ran in it has ended. */
  readonly status: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly created_by: string;
  /** Whether its removal is offered when its work is done. */
  readonly auto_cleanup: boolean;
}

/** A worktree that exists, as the tracking file has to have it. */
export interface TrackedTruth extends TrackedWorktree {
  readonly status: Exclude<TrackingStatus, 'removed'>;
}

/** A record as it stands in the file: whatever else it holds, it says where. */
export type TrackingRecord = Readonly<Record<string, unknown>> & { readonly path: string };

/** What is wrong with a record, or that there is none. */
export type TrackingFault = { readonly truth: TrackedTruth } & (
  | { readonly kind: 'missing' }
  /** It says something else, or nothing that is a text. */
  | { readonly kind: 'path' | 'branch' | 'status' | 'workflow_run_id' | 'work_id'; readonly says: string | undefined }
  | { readonly kind: 'lacks'; readonly keys: readonly string[] }
);

const ownStatuses: readonly unknown[] = ['active', 'ended', 'merged', 'removed'] satisfies TrackingStatus[];

/** The programs that make worktrees through us; others say who they are with `wt create --created-by`. */
export const ownPrograms: readonly unknown[] = ['wt', 'vscode', 'claude'];

const ownKeys: ReadonlySet<string> = new Set([
  ...['path', 'branch', 'workflow_run_id', 'work_id', 'status'],
  ...['created_at', 'updated_at', 'created_by', 'auto_cleanup'],
]);

/** The keys that a worktree may be without: what another one had there is not its own. */
const optionalKeys: ReadonlySet<string> = new Set(['workflow_run_id', 'work_id']);

/** How long the record of a removed worktree stays, in milliseconds: as long as its removal can be undone. */
const removedStays = 30 * 24 * 60 * 60 * 1000;

/** Where a record says that its worktree is, as `path` has it in a record of ours; `undefined` where it does not say that. */
export function placeOf(record: unknown, mainRoot: string): string | undefined {
  if (!isObject(record) || typeof record['path'] !== 'string') return undefined;
  return relativeTo(mainRoot, resolve(mainRoot, record['path']));
}

function isAt(record: unknown, path: string, mainRoot: string): boolean {
  const place = placeOf(record, mainRoot);
  return place !== undefined && (place === path || samePath(resolve(mainRoot, place), resolve(mainRoot, path)));
}

/** The record of the worktree with a path, relative to the main root; `undefined` where there is none. */
export function recordOf(records: readonly unknown[], path: string, mainRoot: string): TrackingRecord | undefined {
  return records.find((record): record is TrackingRecord => isAt(record, path, mainRoot));
}

/** The records with that of a new worktree. One that is there for its path stays as it is otherwise. */
export function withNew(
  records: readonly unknown[],
  worktree: TrackedWorktree,
  { mainRoot, now }: { readonly mainRoot: string; readonly now: string },
): readonly unknown[] {
  const before = recordOf(records, worktree.path, mainRoot);
  if (!before) return [...records, { ...worktree, updated_at: now }];
  return records.with(records.indexOf(before), { ...ofAnother(before), ...worktree, updated_at: now });
}

/** What of the record of a removed worktree does not belong to the next one at its path goes. */
function ofAnother(before: TrackingRecord): Readonly<Record<string, unknown>> {
  if (before['status'] !== ('removed' satisfies TrackingStatus)) return before;
  return Object.fromEntries(Object.entries(before).filter(([key]) => !optionalKeys.has(key)));
}

/** What {@link reconcile} gives. */
export interface Reconciled {
  /** The records as they should be, the very same when nothing is to be changed. */
  readonly records: readonly unknown[];
  readonly faults: readonly TrackingFault[];
}

/**
 * Holds the records of a tracking file against the worktrees that there are. Path, branch and status are as they are found; what only
 * says where a worktree comes from and what it is for is filled in where it is missing, and otherwise as the record has it. The run of a
 * workflow is as we know it where that is newer than the record. Records of worktrees that are not among them are left alone.
 *
 * @param at.runs when the runs of worktrees began or ended that we know of, ISO 8601, by path.
 */
export function reconcile(
  records: readonly unknown[],
  truths: readonly TrackedTruth[],
  at: { readonly mainRoot: string; readonly now: string; readonly runs?: ReadonlyMap<string, string> },
): Reconciled {
  const { mainRoot, now, runs } = at;
  const faults: TrackingFault[] = [];
  let result = records;
  for (const truth of truths) {
    const before = recordOf(result, truth.path, mainRoot) ?? formerRecord(result, truth, truths, mainRoot);
    if (!before) {
      faults.push({ truth, kind: 'missing' });
      result = [...result, { ...truth, updated_at: now }];
      continue;
    }
    const samePlace = isAt(before, truth.path, mainRoot);
    const isNewerRun = isOlder(before['updated_at'], runs?.get(truth.path));
    const own = faultsOf(before, truth, { samePlace, isNewerRun });
    faults.push(...own);
    if (own.length === 0) continue;
    const changed = own.flatMap((fault) => (fault.kind === 'lacks' ? fault.keys : [fault.kind]));
    const values = Object.entries(truth).filter(([key]) => changed.includes(key));
    // The order of the keys is the file's.
    result = result.with(result.indexOf(before), { ...before, ...Object.fromEntries(values), updated_at: now });
  }
  return { records: result, faults };
}

function faultsOf(
  record: Readonly<Record<string, unknown>>,
  truth: TrackedTruth,
  { samePlace, isNewerRun }: { readonly samePlace: boolean; readonly isNewerRun: boolean },
): TrackingFault[] {
  const kinds = [
    ...(samePlace ? [] : (['path'] as const)),
    'branch' as const,
    ...(isOwnStatus(record) ? (['status'] as const) : []),
    ...(isNewerRun ? (['workflow_run_id', 'work_id'] as const).filter((key) => truth[key] !== undefined) : []),
  ];
  const wrong = kinds
    .filter((kind) => record[kind] !== truth[kind])
    .map((kind) => ({ truth, kind, says: typeof record[kind] === 'string' ? record[kind] : undefined }));
  const keys = Object.keys(truth).filter((key) => !(key in record) && !wrong.some(({ kind }) => kind === key));
  return [...wrong, ...(keys.length > 0 ? [{ truth, kind: 'lacks' as const, keys }] : [])];
}

/** A worktree that has another path since is found by when it was made. */
function formerRecord(
  records: readonly unknown[],
  truth: TrackedTruth,
  truths: readonly TrackedTruth[],
  mainRoot: string,
): TrackingRecord | undefined {
  return records.find(
    (record): record is TrackingRecord =>
      isObject(record) &&
      record['created_at'] === truth.created_at &&
      (record['created_by'] === truth.created_by || record['branch'] === truth.branch) &&
      !truths.some(({ path }) => isAt(record, path, mainRoot)),
  );
}

function isOlder(updated: unknown, than: string | undefined): boolean {
  if (than === undefined) return false;
  return typeof updated !== 'string' || !(Date.parse(updated) >= Date.parse(than));
}

/** The record of a worktree that is gone, as it should be; the record itself where another tool has said something else of it. */
export function removedRecord<T extends Readonly<Record<string, unknown>>>(record: T, now: string): T {
  return claimsToExist(record) ? markedRemoved(record, now) : record;
}

/** The record of a worktree that we have removed: that it is there is true of it no more, whatever another tool has said of it. */
export function markedRemoved<T extends Readonly<Record<string, unknown>>>(record: T, now: string): T {
  return { ...record, status: 'removed' satisfies TrackingStatus, updated_at: now };
}

/** Whether a record says, in our words, that there is a worktree. */
export function claimsToExist(record: Readonly<Record<string, unknown>>): boolean {
  return isOwnStatus(record) && record['status'] !== 'removed';
}

function isOwnStatus({ status }: Readonly<Record<string, unknown>>): boolean {
  return status === undefined || ownStatuses.includes(status);
}

/** Whether a record has nothing in it that another tool has written, so that we may drop it. */
export function isAllOurs(record: unknown): boolean {
  return (
    isObject(record) &&
    ownPrograms.includes(record['created_by']) &&
    isOwnStatus(record) &&
    Object.keys(record).every((key) => ownKeys.has(key))
  );
}

/** The records without those of ours whose worktree was removed so long ago that nobody can bring it back. */
export function withoutOld(records: readonly unknown[], now: string): readonly unknown[] {
  const isOld = (record: unknown): boolean =>
    isAllOurs(record) &&
    isObject(record) &&
    record['status'] === 'removed' &&
    Date.parse(now) - Date.parse(String(record['updated_at'])) > removedStays;
  return records.filter((record) => !isOld(record));
}

/** Whether two records, one of them changed, are those of one worktree. */
export function isSameWorktree(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  return (['path', 'created_at'] as const).some((key) => one[key] !== undefined && one[key] === other[key]);
}
