import { lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rm, rmdir, whileHeld } from './heldFiles.ts';
import type { Environment } from './environment.ts';
import { fileProblem } from './fileProblem.ts';
import { withoutWaiting } from './plainFile.ts';
import { beganAfter } from './processAge.ts';
import { identityOf, mayBeAlive, type ProcessIdentity } from './processes.ts';
import { Problem, errorCode, stopIfCancelled } from './problem.ts';
import { makeFolders, shareLikeGit } from './sharing.ts';
import { turnFor, type Turn } from './turns.ts';
import { baseMessages } from '../messages/base.ts';
import { verbatim } from '../messages/message.ts';

/** How long to wait for a lock, in milliseconds. */
export interface LockWait {
  /** While one and the same process holds it. Default 20,000. */
  readonly patience?: number;
  /** While it goes from hand to hand: many commands at once on a slow disk all have their turn. Default 300,000. */
  readonly patienceInQueue?: number;
}
/** How long after a look at the owner of a lock the next one comes, in milliseconds. */
const looks = { first: 30, longest: 500 };
/** A lock that is older than this (ms) and has no owner's note was left by a process that died before it wrote the note. */
const unsignedAge = 10_000;

/** Locks that this process released but could not remove, with the identity of each folder. */
const abandoned = new Map<string, string>();

interface Owner extends ProcessIdentity {
  readonly since: string;
}

/**
 * Runs a task while holding the lock of a file, across processes. The lock is the folder `<file>.lock`; a note in it names its
 * owner's pid and when it was taken. A lock whose owner has died is taken over at once.
 *
 * @throws Problem `locked-by-another` naming the owner, when one process holds it for twenty seconds.
 */
export async function withFileLock<T>(
  environment: Environment,
  file: string,
  task: () => Promise<T>,
  signal?: AbortSignal,
  wait?: LockWait,
): Promise<T> {
  const { patience = 20_000, patienceInQueue = 300_000 } = wait ?? {};
  const turn = await turnFor(lockOf(file), patience, Date.now() + patienceInQueue, signal);
  try {
    await makeFolders(dirname(file)).catch((thrown: unknown) => {
      throw notWritable(file, thrown);
    });
    const waits = turn.late ? { patience: 0, patienceInQueue } : { patience, patienceInQueue };
    const release = await acquire(environment, file, signal, waits, turn);
    try {
      return await task();
    } finally {
      await release();
    }
  } finally {
    turn.end();
  }
}

const lockOf = (file: string): string => `${file}.lock`;
/** Inside the lock, so that a note cannot be taken for that of a later lock, and the lock cannot go before its note. */
const noteOf = (file: string): string => join(lockOf(file), 'owner.json');

async function acquire(
  environment: Environment,
  file: string,
  signal: AbortSignal | undefined,
  { patience, patienceInQueue }: Required<LockWait>,
  turn: Turn,
): Promise<() => Promise<void>> {
  const began = Date.now();
  let seen: string | undefined;
  let deadline = began + patience;
  // Whoever reads the note of an owner holds it up. One that has just got the lock is left alone, the others are looked at ever less often.
  let look = { at: 0, pause: looks.first };
  for (let pause = 4; ; pause = Math.min(pause * 1.5, 60)) {
    stopIfCancelled(signal);
    if (await makeLock(file)) return sign(environment, file);
    const stamp = await stampOf(file);
    const isNew = stamp !== seen;
    if (isNew) {
      deadline = Math.min(Date.now() + patience, began + patienceInQueue);
      look = { at: 0, pause: looks.first };
      turn.moved();
    }
    seen = stamp;
    const isLate = Date.now() > deadline;
    if (isLate || (!isNew && Date.now() >= look.at)) {
      look = { at: Date.now() + look.pause, pause: Math.min(look.pause * 2, looks.longest) };
      if (!(await takeOverIfDead(environment, file)) && isLate) throw await lockedByAnother(file);
    }
    // Waiting in step would make all waiters collide again and again.
    await delay(pause * (0.5 + Math.random()));
  }
}

async function lockedByAnother(file: string): Promise<Problem> {
  const owner = await readOwner(file);
  return new Problem(
    'locked-by-another',
    baseMessages.lockedBy({
      file,
      owner: owner
        ? baseMessages.processSince({ pid: owner.pid, host: owner.host, since: owner.since })
        : baseMessages.unknownProcess(),
    }),
    {
      file,
      next: owner ? baseMessages.waitForProcess({ pid: owner.pid }) : baseMessages.removeLock({ lock: lockOf(file) }),
      outcome: 'incomplete',
    },
  );
}

/** Writes the owner's note into a lock that was just taken. Gives what releases the lock. */
async function sign(environment: Environment, file: string): Promise<() => Promise<void>> {
  const release = async (): Promise<void> => {
    try {
      await rm(noteOf(file), { force: true });
      // On Windows a waiter that reads the note keeps its name alive for a moment.
      await rmdir(lockOf(file), { patience: 5000, emptied: true });
    } catch {
      // What was done under the lock is done. A lock that stays belongs to a dead process soon; until then we know that it is not held.
      const stamp = await stampOf(file);
      await rm(lockOf(file), { recursive: true, force: true }, { patience: 0 }).catch(() =>
        abandoned.set(lockOf(file), stamp),
      );
    }
  };
  try {
    const owner: Owner = { ...(await identityOf(environment)), since: environment.now().toISOString() };
    await writeFile(noteOf(file), JSON.stringify(owner));
    // Whoever shares the repository has to be able to take it over when we have died.
    await Promise.all([shareLikeGit(lockOf(file)), shareLikeGit(noteOf(file))]);
    return release;
  } catch (thrown) {
    await release().catch(() => undefined);
    throw notWritable(file, thrown);
  }
}

/** Takes a lock: a folder, which only one process can make. False when it is taken. */
async function makeLock(file: string): Promise<boolean> {
  try {
    // On Windows a lock that is just being released can neither be made nor seen for a moment.
    await whileHeld(() => mkdir(lockOf(file)), { patience: 2000 });
    return true;
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST') return false;
    throw notWritable(file, thrown);
  }
}

/** The lock lies beside the file, so it is the folder that counts. */
function notWritable(file: string, cause: unknown): Problem {
  const { message, nextStep } = fileProblem(
    { doing: baseMessages.cannotLock(), file: lockOf(file), wanted: 'folder' },
    cause,
  );
  return new Problem('not-writable', verbatim(message.replace(lockOf(file), file)), {
    file,
    next: nextStep,
    outcome: 'incomplete',
    cause,
  });
}

/**
 * Removes the lock of a dead owner. Two waiters that both see the dead owner must not remove the lock one after the other (the second
 * would remove the first one's new lock), so removal is done under a lock of its own. That one is held for moments: an old one was left
 * by a process that died.
 */
async function takeOverIfDead(environment: Environment, file: string): Promise<boolean> {
  if (!(await ownerIsDead(environment, file))) return false;
  const takeover = `${file}.takeover`;
  if (!(await makeLock(takeover))) {
    if (await isOld(takeover)) await rmdir(lockOf(takeover)).catch(() => undefined);
    return false;
  }
  try {
    if (!(await ownerIsDead(environment, file))) return false;
    await rm(lockOf(file), { recursive: true, force: true });
    abandoned.delete(lockOf(file));
    return true;
  } finally {
    // One that stays gets old soon.
    await rmdir(lockOf(takeover)).catch(() => undefined);
  }
}

async function isOld(file: string): Promise<boolean> {
  const found = await lstat(lockOf(file)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > unsignedAge;
}

async function ownerIsDead(environment: Environment, file: string): Promise<boolean> {
  if (abandoned.has(lockOf(file)) && abandoned.get(lockOf(file)) === (await stampOf(file))) return true;
  const owner = await readOwner(file);
  if (owner) return !(await mayBeAlive(environment, owner)) || isAnothers(environment, owner);
  return isOld(file);
}

/** Whether the owner's id is by now that of a process that began after the lock was taken. */
async function isAnothers(environment: Environment, { pid, host, since }: Owner): Promise<boolean> {
  return host === environment.host && (await beganAfter(environment, pid, since));
}

/** The identity of the folder, which a lock that another process makes later does not have. */
async function stampOf(file: string): Promise<string> {
  const found = await stat(lockOf(file)).catch(() => undefined);
  return `${found?.ino} ${found?.birthtimeMs}`;
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const owner: unknown = JSON.parse(await readFile(noteOf(file), { encoding: 'utf8', flag: withoutWaiting }));
    return isOwner(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is Owner {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'host' in value &&
    typeof value.host === 'string'
  );
}
