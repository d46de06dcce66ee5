import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './problem.ts';

/**
 * Codes for what passes by itself: too many processes or open files for a moment, too little memory, a program that is just being
 * replaced. `UNKNOWN` stands for every refusal of Windows that has no code of its own, as while a virus scanner looks at the program.
 */
const passing: ReadonlySet<string> = new Set(['UNKNOWN', 'EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'EBUSY', 'ETXTBSY']);

/** How long to wait before a program is started again, in milliseconds. */
const pauses = [50, 150, 400, 1000];

/**
 * Whether the system refused to start a program for a reason that may have passed in a moment. The program has not run then, so it can be
 * started again without harm.
 *
 * @param thrown what Node threw, or an error that holds its words.
 */
export function mayStartSoon(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false;
  // The words of the system come first: further down a program that has run may say the same of one that it could not start itself.
  const words = /^(?:Error: )?(?:uv_)?spawn(?: .*)? ([A-Z0-9]+)(?:\n|$)/.exec(thrown.message);
  return words?.[1] !== undefined && passing.has(errorCode(thrown) ?? words[1]);
}

/**
 * Starts a program, again for less than two seconds where {@link mayStartSoon}.
 *
 * @param start starts it, and throws where that fails.
 * @param signal ends the waiting.
 * @throws what `start` threw last.
 */
export async function untilStarted<T>(start: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const pause of pauses) {
    try {
      return await start();
    } catch (thrown) {
      if (!mayStartSoon(thrown)) throw thrown;
      await delay(pause, undefined, signal ? { signal } : {}).catch(() => {});
      if (signal?.aborted) throw thrown;
    }
  }
  return start();
}
