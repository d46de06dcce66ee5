import { isAbsolute, join } from 'node:path';
import { readTextIfThere, updateText, writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Configuration } from './configuration.ts';
import type { Repository } from './identity.ts';
import { repositoryMessages } from '../messages/repository.ts';
import { baseMessages } from '../messages/base.ts';

/** One worktree as other tools find it in the tracking file (seed 003). Keys that they have added are kept. */
export interface TrackedWorktree {
  /** Relative to the main root, with forward slashes; what identifies the record. */
  readonly path: string;
  readonly branch: string;
  /** The run of the caller's workflow that it was made for. */
  readonly workflow_run_id?: string;
  readonly work_id?: string;
  readonly status: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly created_by: string;
  readonly auto_cleanup: boolean;
}

/**
 * The absolute path of the tracking file; `undefined` when the team has configured none.
 *
 * @throws Problem `outside-repository` when it is, or leads, outside the main root.
 */
export async function trackingFile(repository: Repository, configuration: Configuration): Promise<string | undefined> {
  const configured = configuration.trackingFile;
  if (configured === undefined) return undefined;
  const file = join(repository.mainRoot, configured);
  const inside = isWithin(await realPathOf(repository.mainRoot), await realPathOf(file));
  if (!isAbsolute(configured) && inside && file !== repository.mainRoot) return file;
  throw new Problem('outside-repository', repositoryMessages.trackingFileOutside({ configured }), {
    next: repositoryMessages.correctTrackingFile(),
  });
}

/**
 * Adds a worktree's record, or brings the one with its path up to date.
 *
 * @throws Problem `unreadable-file` that names the line (the file stays as it is), `outside-repository`, `not-writable`.
 */
export async function track(
  environment: Environment,
  repository: Repository,
  configuration: Configuration,
  worktree: TrackedWorktree,
): Promise<void> {
  await changeTracking(environment, repository, configuration, (records, now) => {
    const at = records.findIndex((record) => isRecordOf(record, worktree.path));
    const before = records[at];
    const record = { ...(isObject(before) ? before : {}), ...worktree, updated_at: now };
    return at < 0 ? [...records, record] : records.with(at, record);
  });
}

/** Drops the record of the worktree with a path, if there is one. Problems as {@link track}. */
export async function untrack(
  environment: Environment,
  repository: Repository,
  configuration: Configuration,
  relativePath: string,
): Promise<void> {
  await changeTracking(environment, repository, configuration, (records) =>
    records.some((record) => isRecordOf(record, relativePath))
      ? records.filter((record) => !isRecordOf(record, relativePath))
      : records,
  );
}

/** Puts the record of a worktree that is there again back as it was, unless there is one. Problems as {@link track}. */
export async function trackAgain(
  environment: Environment,
  repository: Repository,
  configuration: Configuration,
  record: TrackingRecord,
): Promise<void> {
  await changeTracking(environment, repository, configuration, (records) =>
    records.some((each) => isRecordOf(each, record.path)) ? records : [...records, record],
  );
}

/** A record as it stands in the file: whatever else it holds, it says where. */
export type TrackingRecord = Readonly<Record<string, unknown>> & { readonly path: string };

/** Whether a record of the file is that of the worktree with a path, relative to the main root. */
export function isRecordOf(record: unknown, path: string): record is TrackingRecord {
  return isObject(record) && record['path'] === path;
}

/**
 * Reads the records; none where there is no file, or the team has configured none.
 *
 * @throws Problem `unreadable-file` that names the line, `outside-repository`.
 */
export async function readTracking(repository: Repository, configuration: Configuration): Promise<readonly unknown[]> {
  const file = await trackingFile(repository, configuration);
  return file === undefined ? [] : (await readWhole(repository, file)).records;
}

/** Where the tracking file is kept as it was before its last change. */
export const trackingCopy = ({ commonDir }: Pick<Repository, 'commonDir'>): string =>
  join(commonDir, 'worktree-stacks', 'tracking-before.json');

/**
 * Changes the records under the lock of the file. Nothing is written when the change gives the very records that it got; otherwise the file
 * is copied before, so that there is always one that can be read.
 *
 * @param update gets the records, and the time as ISO 8601.
 * @throws Problem as {@link track}.
 */
export async function changeTracking(
  environment: Environment,
  repository: Repository,
  configuration: Configuration,
  update: (records: readonly unknown[], now: string) => readonly unknown[] | Promise<readonly unknown[]>,
): Promise<void> {
  const file = await trackingFile(repository, configuration);
  if (file === undefined) return;
  const change = async (write: (text: string) => void): Promise<void> => {
    const { whole, records } = await readWhole(repository, file);
    const now = environment.now().toISOString();
    const worktrees = await update(records, now);
    if (worktrees === records) return;
    const before = await readTextIfThere(file);
    if (before !== undefined) await writeAtomically(trackingCopy(repository), before);
    write(`${JSON.stringify({ ...whole, worktrees, last_updated: now }, null, 2)}\n`);
  };
  await withFileLock(environment, file, () => updateText(file, change));
}

async function readWhole(
  repository: Repository,
  file: string,
): Promise<{ readonly whole: Record<string, unknown>; readonly records: readonly unknown[] }> {
  try {
    const whole = (await readJsonObject(file, 'the tracking file')) ?? {};
    const records = whole['worktrees'] ?? [];
    if (Array.isArray(records)) return { whole, records };
    throw new Problem('unreadable-file', repositoryMessages.worktreesNotArray({ file }), {
      file,
      line: 1,
      next: baseMessages.correctMoveFile(),
    });
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    const copy = trackingCopy(repository);
    if ((await readTextIfThere(copy).catch(() => undefined)) === undefined) throw thrown;
    const { line } = thrown;
    throw new Problem('unreadable-file', thrown.what, {
      file,
      ...(line === undefined ? {} : { line }),
      next: repositoryMessages.correctPutLast({ copy }),
    });
  }
}
