import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../base/atomicFile.ts';
import { readJsonObject } from '../../base/jsonText.ts';
import { Problem } from '../../base/problem.ts';

/** The file in a worktree that remembers what was seen of its pull request. */
export const seenName = '.poll-state.json';

/** What was seen of a pull request when it was looked at last. */
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
 * Reads what was seen of a pull request; `undefined` when nothing was, when it was another pull request, and when the file cannot be read:
 * it is only a memory, and is made anew.
 */
export async function readSeen(worktree: string, pr: number): Promise<PolledState | undefined> {
  try {
    const value = await readJsonObject(join(worktree, seenName), 'the state of the last poll');
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

/** Remembers what was seen; writes only what is new, and nothing where the worktree has been moved away from. */
export async function writeSeen(worktree: string, before: PolledState | undefined, now: PolledState): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  if (!(await stat(worktree).catch(() => undefined))) return;
  await writeAtomically(join(worktree, seenName), `${JSON.stringify(now, null, 2)}\n`);
}
