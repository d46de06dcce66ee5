import { isObject } from '../base/jsonText.ts';
import { isRecordOf, type TrackedWorktree } from './trackingFile.ts';

/** What {@link TrackedWorktree.status} says when we write it. Whatever else it says is another tool's, and stays. */
export type TrackingStatus = 'active' | 'merged' | 'removed';

/** A worktree that exists, as the tracking file has to have it. */
export interface TrackedTruth extends TrackedWorktree {
  readonly status: 'active' | 'merged';
}

const ownStatuses: readonly unknown[] = ['active', 'merged', 'removed'] satisfies TrackingStatus[];

/** What is wrong with a record, or that there is none. */
export interface TrackingFault {
  readonly truth: TrackedTruth;
  readonly kind: 'missing' | 'path' | 'branch' | 'status';
  /** What the file says instead. */
  readonly says: string | undefined;
}

/**
 * Holds the records of a tracking file against the worktrees that there are.
 *
 * @returns the records as they should be, the very same when nothing is to be changed, and what is wrong with them. Records of worktrees that
 *   are not among them are left alone.
 */
export function reconcile(
  records: readonly unknown[],
  truths: readonly TrackedTruth[],
  now: string,
): { readonly records: readonly unknown[]; readonly faults: readonly TrackingFault[] } {
  const faults: TrackingFault[] = [];
  let result = records;
  for (const truth of truths) {
    const at = placeOf(result, truth, truths);
    const before = result[at];
    if (!isObject(before)) {
      faults.push({ truth, kind: 'missing', says: undefined });
      result = [...result, { ...truth, updated_at: now }];
      continue;
    }
    const own = faultsOf(before, truth);
    faults.push(...own);
    const filled = { ...truth, ...before };
    const lacks = Object.keys(filled).length > Object.keys(before).length;
    if (own.length === 0 && !lacks) continue;
    const status = isOwnStatus(before) ? truth.status : before['status'];
    // The order of the keys is the file's.
    const record = { ...before, ...filled, path: truth.path, branch: truth.branch, status, updated_at: now };
    result = result.with(at, record);
  }
  return { records: result, faults };
}

/** The record of a worktree that is gone, as it should be; the record itself where another tool has said something else of it. */
export function removedRecord(
  record: Readonly<Record<string, unknown>>,
  now: string,
): Readonly<Record<string, unknown>> {
  if (!claimsToExist(record)) return record;
  return { ...record, status: 'removed' satisfies TrackingStatus, updated_at: now };
}

/** Whether a record says, in our words, that there is a worktree. */
export function claimsToExist(record: Readonly<Record<string, unknown>>): boolean {
  return isOwnStatus(record) && record['status'] !== 'removed';
}

function isOwnStatus({ status }: Readonly<Record<string, unknown>>): boolean {
  return status === undefined || ownStatuses.includes(status);
}

function faultsOf(record: Readonly<Record<string, unknown>>, truth: TrackedTruth): TrackingFault[] {
  const kinds = ['path', 'branch', ...(isOwnStatus(record) ? (['status'] as const) : [])] as const;
  return kinds
    .filter((kind) => record[kind] !== truth[kind])
    .map((kind) => ({ truth, kind, says: typeof record[kind] === 'string' ? record[kind] : undefined }));
}

/** By its path; else by when and by whom it was made: it has another path since. */
function placeOf(records: readonly unknown[], truth: TrackedTruth, truths: readonly TrackedTruth[]): number {
  const at = records.findIndex((record) => isRecordOf(record, truth.path));
  if (at >= 0) return at;
  return records.findIndex(
    (record) =>
      isObject(record) &&
      record['created_at'] === truth.created_at &&
      record['created_by'] === truth.created_by &&
      !truths.some(({ path }) => path === record['path']),
  );
}
