import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { ageOfLock, ageWords, holderOf } from '../git/lockFile.ts';
import { quoted } from '../base/quoted.ts';
import { readSettledRecord } from '../remove/privateRefs.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { TreePlace } from './blockers.ts';

/** The lock that a git command holds on the index of a worktree, or left behind when it died. */
export interface IndexLock {
  readonly file: string;
  /** When it was made, in milliseconds ago. */
  readonly age: number;
  /** The process that has it open; `none` when no process that we can see has, `unknown` where the system does not tell. */
  readonly holder: number | 'none' | 'unknown';
}

/** Reads the lock; `undefined` when there is none. */
export function readIndexLock({ environment }: Workspace, { gitDir }: TreePlace): IndexLock | undefined {
  const file = join(gitDir, 'index.lock');
  const age = ageOfLock(file, environment.now());
  return age === undefined ? undefined : { file, age: Math.max(0, age), holder: holderOf(file) };
}

/** The lock as a sentence part: which file, how old, who holds it. */
export function lockWords({ file, age, holder }: IndexLock): string {
  const who =
    holder === 'unknown'
      ? ''
      : holder === 'none'
        ? '; no running process has it open'
        : `; process ${holder} has it open`;
  return `its index is locked by ${file} (${ageWords(age)} old${who})`;
}

/** What to do about a lock. */
export function lockSteps(place: TreePlace, { file, holder }: IndexLock): string {
  if (typeof holder === 'number') return `wait until process ${holder} has ended, then run the same again`;
  return `if no git command is running in ${place.path}, remove it with \`rm ${quoted(file)}\`, then run the same again`;
}

/**
 * The failure of an operation that a lock is in the way of.
 *
 * @param what did not happen, as a sentence without its end.
 */
export function indexLockProblem(place: TreePlace, lock: IndexLock, what: string): Problem {
  return new Problem('locked-by-another', `${what}: ${lockWords(lock)}.`, {
    file: lock.file,
    next: lockSteps(place, lock),
    outcome: 'incomplete',
  });
}

/**
 * Refuses what an index that is locked is in the way of. A git command that is over in a moment is waited for.
 *
 * @param what did not happen, as a sentence without its end.
 * @throws Problem `locked-by-another` that names the lock.
 */
export async function refuseLocked(workspace: Workspace, place: TreePlace, what: string): Promise<void> {
  const { indexLocked } = await readSettledRecord(place.gitDir);
  const lock = indexLocked ? readIndexLock(workspace, place) : undefined;
  if (lock) throw indexLockProblem(place, lock, what);
}
