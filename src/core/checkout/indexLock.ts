import type { Message } from '../messages/message.ts';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { ageOfLock, ageWords, holderOf } from '../git/lockFile.ts';
import { quoted } from '../base/quoted.ts';
import { readSettledAdminDir } from '../remove/adminDirState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout, IndexLock } from './checkout.ts';
import { checkoutMessages } from '../messages/checkout.ts';

/** Reads the lock; `undefined` when there is none. */
export function readIndexLock({ environment }: Workspace, { gitDir }: Checkout): IndexLock | undefined {
  const file = join(gitDir, 'index.lock');
  const age = ageOfLock(file, environment.now());
  return age === undefined ? undefined : { file, age: Math.max(0, age), holder: holderOf(file) };
}

/** The lock as a sentence part: which file, how old, who holds it. */
export function lockMessage({ file, age, holder }: IndexLock): Message {
  const who =
    holder === 'unknown'
      ? ''
      : holder === 'none'
        ? checkoutMessages.nobodyHasItOpen()
        : checkoutMessages.hasItOpen({ holder });
  return checkoutMessages.indexLockedOld({ file, ageWords: ageWords(age), who });
}

/** What to do about a lock. */
export function lockAdvice(checkout: Checkout, { file, holder }: IndexLock): Message {
  if (typeof holder === 'number') return checkoutMessages.waitProcessEnd({ holder });
  return checkoutMessages.noGitCommandRunning({ checkoutPath: checkout.path, file: quoted(file) });
}

/**
 * The failure of an operation that a lock is in the way of.
 *
 * @param what did not happen, as a sentence without its end.
 */
export function indexLockProblem(checkout: Checkout, lock: IndexLock, what: Message): Problem {
  return new Problem('locked-by-another', checkoutMessages.lockInTheWay({ what, lockMessage: lockMessage(lock) }), {
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
export async function refuseLocked(workspace: Workspace, checkout: Checkout, what: Message): Promise<void> {
  const { indexLocked } = await readSettledAdminDir(checkout.gitDir);
  const lock = indexLocked ? readIndexLock(workspace, checkout) : undefined;
  if (lock) throw indexLockProblem(checkout, lock, what);
}
