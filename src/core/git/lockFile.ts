import { lstatSync, readdirSync, rmSync, statSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { counted } from '../base/phrases.ts';
import { Problem, errorCode } from '../base/problem.ts';
import { shellWord } from '../base/quoted.ts';
import { gitMessages } from '../messages/git.ts';

/** A lock of git's that is older than this, in milliseconds, belongs to a process that has died, most likely. */
export const oldLock = 10 * 60 * 1000;
/** One that is to be taken for dead must be older than this, in milliseconds, whatever else speaks for it. */
export const deadLock = 24 * 60 * 60 * 1000;

/**
 * The problem that git's words tell of when it found a lock in its way; `undefined` when they tell of none.
 *
 * @param words what git wrote to standard error.
 * @param folder where git ran: what it names is relative to that.
 */
export function lockProblem(words: string, folder?: string): Problem | undefined {
  const named =
    /Unable to create '([^']+\.lock)': File exists/.exec(words)?.[1] ??
    /could not lock config file (.+?): File exists/.exec(words)?.[1]?.concat('.lock') ??
    /unable to (?:create|lock) '?([^':\n]+\.lock)'?: File exists/i.exec(words)?.[1];
  if (named === undefined) return undefined;
  const file = isAbsolute(named) || folder === undefined ? named : join(folder, named);
  const items = words
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(0, 20);
  const age = ageOfLock(file);
  if (age === undefined || age < oldLock) {
    return new Problem('locked-by-another', gitMessages.anotherGitCommandRunning({ file }), {
      file,
      next: gitMessages.tryAgainWhenEnded({ file: shellWord(file) }),
      items,
      outcome: 'incomplete',
    });
  }
  return new Problem('locked-by-another', gitMessages.lockGitS({ file, ageWords: ageWords(age) }), {
    file,
    next: gitMessages.removeLockFile({
      first: age > deadLock ? gitMessages.doctorRemovesLock() : '',
      file: shellWord(file),
    }),
    items,
    outcome: 'incomplete',
  });
}

/**
 * Removes the locks that a git process which has ended could not remove itself: they were its own, and would be in the way of whoever
 * comes next. Where we cannot remove them either they stay.
 *
 * @param words what git wrote to standard error.
 * @param folder where git ran.
 */
export function removeLeftLocks(words: string, folder: string): void {
  for (const [, named = ''] of words.matchAll(/unable to unlink '([^'\n]+\.lock)': /g)) {
    try {
      rmSync(isAbsolute(named) ? named : join(folder, named), { force: true });
    } catch {
      // The next git command names it.
    }
  }
}

/** How old a lock is, in milliseconds; `undefined` when it is not there. */
export function ageOfLock(file: string, now: Date = new Date()): number | undefined {
  const found = lookAt(file);
  return found && now.getTime() - found.mtimeMs;
}

/** A length of time for people: seconds, minutes, hours or days. */
export function ageWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (milliseconds < 60_000) return counted(Math.round(milliseconds / 1000), 'second');
  if (minutes < 100) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

/**
 * The process that has a lock open, as git has until it has written the file; `none` when no process that we can see has, `unknown` where the
 * system does not tell.
 */
export function holderOf(file: string): number | 'none' | 'unknown' {
  const lock = lookAt(file);
  const pids = processIds();
  if (pids.length === 0) return 'unknown';
  const holder = lock && pids.find((pid) => hasOpen(pid, lock) === true);
  return holder === undefined ? 'none' : Number(holder);
}

/** The ids of all processes; empty where the system does not show them. */
export function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Whether a process has a file open; `undefined` when it is another user's, so that nobody can see that. */
export function hasOpen(pid: string, file: Stats): boolean | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      const open = statOf(`/proc/${pid}/fd/${descriptor}`);
      return open?.ino === file.ino && open.dev === file.dev;
    });
  } catch (thrown) {
    return ['EACCES', 'EPERM'].includes(errorCode(thrown) ?? '') ? undefined : false;
  }
}

/** What is at a path itself, not where a link leads to; `undefined` for nothing that we can see. */
export function lookAt(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}
