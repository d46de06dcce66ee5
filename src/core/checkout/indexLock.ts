import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { ageOfLock, ageWords, holderOf } from '../git/lockFile.ts';
import { quoted } from '../base/quoted.ts';
import { readSettledAdminDir } from '../remove/adminDirState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout, IndexLock } from './checkout.ts';

/** Reads the lock; `undefined` when there is none. */
export function readIndexLock({ environment }: Workspace, { gitDir }: Checkout): IndexLock | undefined {
  const file = join(gitDir, 'index.lock');
  const age = ageOfLock(file, environment.now());
  return age === undefined ? undefined : { file, age: Math.max(0, age), holder: holderOf(file) };
}

/** The lock as a sentence part: which file, how old, who holds it. */
export function lockMessage({ file, age, holder }: IndexLock): string {
  const who =
    holder === 'unknown'
      ? ''
      : holder === 'none'
        ? '; no running process has it open'
        : `; process ${holder} has it open`;
  return `its index is locked by ${file} (${ageWords(age)} old${who})`;
}

/** What to do about a lock. */
export function lockAdvice(checkout: Checkout, { file, holder }: IndexLock): string {
  if (typeof holder === 'number') return `wait for process ${holder} to end, then run the same again`;
  return `if no git command is running in ${checkout.path}, remove it with \`rm ${quoted(file)}\`, then run the same again`;
}

/**
 * The failure of an operation that a lock is in the way of.
 *
 * @param what did not happen, as a sentence without its end.
 */
export function indexLockProblem(checkout: Checkout, lock: IndexLock, what: string): Problem {
  return new Problem('locked-by-another', `${what}: ${lockMessage(lock)}.`, {
    file: lock.file,
    next: lockAdvice(checkout, lock),
    outcome: 'incomplete',
  });
}

/**
 * Refuses what an index that is locked is in the way of. A git command that is over in a moment is waited for.
 *
 * @param what did not happen, as a sentence without its end.
 * @throws Problem `locked-by-another` that names the lock.
 */
export async function refuseLocked(workspace: Workspace, checkout: Checkout, what: string): Promise<void> {
  const { indexLocked } = await readSettledAdminDir(checkout.gitDir);
  const lock = indexLocked ? readIndexLock(workspace, checkout) : undefined;
  if (lock) throw indexLockProblem(checkout, lock, what);
}
