import { isAbsolute, join } from 'node:path';
import { readTextIfThere, updateText, writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { jsonKeeping } from '../base/jsonKeeping.ts';
import { readJsonObject } from '../base/jsonText.ts';
import { isWithin, realPathOf, samePath } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Configuration } from './configuration.ts';
import type { Repository } from './identity.ts';
import {
  claimsToExist,
  isAllOurs,
  isSameWorktree,
  markedRemoved,
  placeOf,
  recordOf,
  withNew,
  withoutOld,
  type TrackedWorktree,
  type TrackingRecord,
} from './trackingRecords.ts';
import { repositoryMessages } from '../messages/repository.ts';
import { baseMessages } from '../messages/base.ts';

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
  if (!isAbsolute(configured) && inside && !samePath(file, repository.mainRoot)) return file;
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
  const { mainRoot } = repository;
  await changeTracking(environment, repository, configuration, (records, now) =>
    withNew(records, worktree, { mainRoot, now }),
  );
}

/**
 * Marks the record of a worktree that we have removed, by its path relative to the main root. What other tools have written into it stays.
 * Problems as {@link track}.
 */
export async function untrack(
  environment: Environment,
  repository: Repository,
  configuration: Configuration,
  relativePath: string,
): Promise<void> {
  await changeTracking(environment, repository, configuration, (records, now) => {
    const record = recordOf(records, relativePath, repository.mainRoot);
    if (!record || record['status'] === 'removed') return records;
    return records.with(records.indexOf(record), markedRemoved(record, now));
  });
}

/** Takes the record of a worktree back that was not made after all. Problems as {@link track}. */
export async function forgetRecord(
  environment: Environment,
  repository: Repository,
  configuration: Configuration,
  { path, created_at }: Pick<TrackedWorktree, 'path' | 'created_at'>,
): Promise<void> {
  await changeTracking(environment, repository, configuration, (records, now) => {
    const record = recordOf(records, path, repository.mainRoot);
    if (record?.['created_at'] !== created_at || !claimsToExist(record)) return records;
    return isAllOurs(record)
      ? records.filter((each) => each !== record)
      : records.with(records.indexOf(record), markedRemoved(record, now));
  });
}

/**
 * Puts the record of a worktree that is there again back as it was before its removal; what other tools have written into it since stays.
 * Problems as {@link track}.
 */
export async function trackAgain(
  environment: Environment,
  repository: Repository,
  configuration: Configuration,
  record: TrackingRecord,
): Promise<void> {
  const { mainRoot } = repository;
  await changeTracking(environment, repository, configuration, (records, now) => {
    const there = recordOf(records, placeOf(record, mainRoot) ?? record.path, mainRoot);
    if (!there) return [...records, record];
    if (there['status'] !== 'removed') return records;
    const { status } = record;
    return records.with(records.indexOf(there), { ...record, ...there, status, updated_at: now });
  });
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

/** Where a copy of the tracking file is kept as we have written it last. */
export const trackingCopy = ({ commonDir }: Pick<Repository, 'commonDir'>): string =>
  join(commonDir, 'worktree-stacks', 'tracking-good.json');

/**
 * Changes the records under the lock of the file. Nothing is written when the change gives the very records that it got; otherwise a copy
 * is written as well, before the file, so that there is always one that can be read.
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
    const next = { ...whole, worktrees: withoutOld(worktrees, now), last_updated: now };
    const before = await readTextIfThere(file);
    const source = before === undefined ? undefined : { value: whole, text: before };
    const text = `${jsonKeeping(next, source, isSameWorktree)}\n`;
    await writeAtomically(trackingCopy(repository), text);
    write(text);
  };
  await withFileLock(environment, file, () => updateText(file, change));
}

async function readWhole(
  repository: Repository,
  file: string,
): Promise<{ readonly whole: Record<string, unknown>; readonly records: readonly unknown[] }> {
  try {
    const whole = (await readJsonObject(file)) ?? {};
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
