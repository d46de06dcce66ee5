import { Problem } from '../../../src/core/base/problem.ts';
import type { Clock } from '../../../src/core/github/clock.ts';

/** A clock on which waiting takes no time, with something that happens during each wait. */
export interface FakeClock extends Clock {
  /** How long each wait was, in milliseconds. */
  readonly waits: number[];
}

/**
 * Makes a {@link FakeClock}.
 *
 * @param during what happens in the wait of that number, counted from 1.
 */
export function fakeClock(during: (wait: number) => unknown = () => undefined, random = 0.5): FakeClock {
  let now = Date.now();
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    random: () => random,
    async sleep(milliseconds, signal) {
      if (waits.length > 2_000) throw new Error('it waits for ever');
      waits.push(milliseconds);
      now += milliseconds;
      await during(waits.length);
      if (signal?.aborted) throw Problem.cancelled();
    },
  };
}
