import { Problem, errorCode, messageOf } from './problem.ts';

/** Whether something failed since there is no room on the disk, or none left for this user: also what git says of it. */
export function isDiskFull(thrown: unknown): boolean {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    const code = errorCode(cause);
    if (code === 'ENOSPC' || code === 'EDQUOT') return true;
    const words = Problem.is(cause) ? [cause.message, ...cause.items] : [cause.message];
    if (words.some((each) => /No space left on device|Out of diskspace|Disk quota exceeded/i.test(each))) return true;
  }
  return false;
}

/** Why a file could not be written, in words for a sentence: "the disk is full", else the system's own. */
export function writeFailure(thrown: unknown): string {
  return isDiskFull(thrown) ? 'the disk is full' : messageOf(thrown);
}
