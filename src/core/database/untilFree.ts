import { setTimeout as delay } from 'node:timers/promises';
import { EngineFailure } from './engine.ts';
import { isLocked } from './failure.ts';

/** How long to wait for a file that another process has open, in milliseconds. */
const usualPatience = 10_000;

/** How long to wait, and what ends the waiting. */
export interface Waiting {
  /** How long to wait for a file that is locked, in milliseconds. Default ten seconds. */
  readonly patience?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Does something again as long as another process has the file open. @throws EngineFailure once the time is over, and any other at once. */
export async function untilFree<T>({ patience = usualPatience, signal }: Waiting, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patience;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 200)) {
    try {
      return await work();
    } catch (thrown) {
      if (!isLocked(thrown) || Date.now() > deadline) throw thrown;
      if (signal?.aborted) throw new EngineFailure('INTERRUPT Error: Interrupted!', { cause: thrown });
    }
    // Waiting in step would make all waiters collide again and again.
    await delay(pause * (0.5 + Math.random()));
  }
}
