import { isAbsolute, join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Configuration } from './configuration.ts';
import type { Repository } from './identity.ts';

/** One worktree as other tools find it in the tracking file (seed 003). Keys that they have added are kept. */
export interface TrackedWorktree {
  /** Relative to the main root, with forward slashes; what identifies the record. */
  readonly path: string;
  readonly branch: string;
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
  throw new Problem('outside-repository', `\`tracking_file\` (${configured}) is not a file below the main root.`, {
    next: 'correct `tracking_file` in .worktrees.yml',
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
  await change(environment, await trackingFile(repository, configuration), (records, now) => {
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
  await change(environment, await trackingFile(repository, configuration), (records) =>
    records.some((record) => isRecordOf(record, relativePath))
      ? records.filter((record) => !isRecordOf(record, relativePath))
      : records,
  );
}

/** A worktree that is at another place, or on a branch of another name, than its record says; paths as {@link TrackedWorktree} has them. */
export interface Retracked {
  readonly from: string;
  readonly to: string;
  readonly branch: string;
}

/** Lets records follow their worktrees. Those that nobody has made stay unmade. Problems as {@link track}. */
export async function retrack(
  environment: Environment,
  repository: Repository,
  configuration: Configuration,
  moved: readonly Retracked[],
): Promise<void> {
  await change(environment, await trackingFile(repository, configuration), (records, now) => {
    let changed = false;
    const followed = records.map((record) => {
      const found = moved.find(({ from }) => isRecordOf(record, from));
      if (!found || !isObject(record)) return record;
      const { from, to, branch } = found;
      if (from === to ? record['branch'] === branch : records.some((each) => isRecordOf(each, to))) return record;
      changed = true;
      return { ...record, path: to, branch, updated_at: now };
    });
    return changed ? followed : records;
  });
}

function isRecordOf(record: unknown, path: string): boolean {
  return isObject(record) && record['path'] === path;
}

/** Nothing is written when the change gives the very records that it got. */
async function change(
  environment: Environment,
  file: string | undefined,
  update: (records: unknown[], now: string) => unknown[],
): Promise<void> {
  if (file === undefined) return;
  await withFileLock(environment, file, async () => {
    const whole = (await readJsonObject(file, 'the tracking file')) ?? {};
    const records = whole['worktrees'] ?? [];
    if (!Array.isArray(records)) {
      throw new Problem('unreadable-file', `${file}: \`worktrees\` is not an array. It was left as it is.`, {
        file,
        line: 1,
        next: 'correct it there, or move the file away',
      });
    }
    const now = environment.now().toISOString();
    const worktrees = update(records, now);
    if (worktrees === records) return;
    await writeAtomically(file, `${JSON.stringify({ ...whole, worktrees, last_updated: now }, null, 2)}\n`);
  });
}
