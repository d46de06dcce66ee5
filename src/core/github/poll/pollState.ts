import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../base/atomicFile.ts';
import { readJsonObject } from '../../base/jsonText.ts';
import { Problem } from '../../base/problem.ts';

/** The file in a worktree with the last known state of its pull request. */
const pollStateName = '.poll-state.json';

/** The state of a pull request at the last poll. */
export interface PolledState {
  readonly pr: number;
  readonly state: string;
  readonly head: string;
  readonly checks: string;
  readonly remarks: number;
  /** Its base, and that branch's last commit on GitHub; `null` when it was gone. */
  readonly base: string;
  readonly baseCommit: string | null;
}

/**
 * Reads the last known state of a pull request; `undefined` when there is none, when it is another pull request's, and when the file
 * cannot be read: it is only a cache.
 */
export async function readPolledState(worktree: string, pr: number): Promise<PolledState | undefined> {
  try {
    const value = await readJsonObject(join(worktree, pollStateName));
    if (value?.['pr'] !== pr) return undefined;
    const { state, head, checks, remarks, base, baseCommit } = value;
    if (typeof state !== 'string' || typeof head !== 'string' || typeof checks !== 'string') return undefined;
    if (typeof remarks !== 'number' || typeof base !== 'string') return undefined;
    return { pr, state, head, checks, remarks, base, baseCommit: typeof baseCommit === 'string' ? baseCommit : null };
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return undefined;
  }
}

/** Writes the state if it is new, and nothing where the worktree has been moved away from. */
export async function writePolledState(
  worktree: string,
  before: PolledState | undefined,
  now: PolledState,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  if (!(await stat(worktree).catch(() => undefined))) return;
  await writeAtomically(join(worktree, pollStateName), `${JSON.stringify(now, null, 2)}\n`);
}
