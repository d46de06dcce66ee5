import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../base/problem.ts';

/** Time and chance, so that tests decide about both. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; rejects with the problem `cancelled` once the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** At least 0 and less than 1. */
  random(): number;
}

/** The real time. */
export const realClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, signal ? { signal } : {});
    } catch {
      throw Problem.cancelled();
    }
  },
};
