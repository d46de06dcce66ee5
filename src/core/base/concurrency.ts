import pLimit from 'p-limit';

/** Runs tasks with at most a given number of them at a time, in the order in which they came. */
export type Limit = <T>(task: () => Promise<T>) => Promise<T>;

/** A {@link Limit} of so many tasks at a time. */
export function limitTo(concurrency: number): Limit {
  const limit = pLimit(concurrency);
  return (task) => limit(task);
}

/**
 * Works through a list that grows as it goes: what comes last is done first, so that a tree that is walked never waits in memory as a whole.
 * After a failure nothing more is begun, and what runs is waited for.
 *
 * @param work does one of them, and gives those that are to be done besides.
 * @throws what was thrown first.
 */
export async function workThrough<T>(
  first: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<readonly T[]>,
): Promise<void> {
  const waiting = [...first];
  const failures: unknown[] = [];
  let running = 0;
  await new Promise<void>((resolve) => {
    const one = async (item: T): Promise<void> => {
      running++;
      try {
        for (const more of await work(item)) waiting.push(more);
      } catch (thrown) {
        failures.push(thrown);
      }
      running--;
      next();
    };
    const next = (): void => {
      while (failures.length === 0 && running < atOnce) {
        const item = waiting.pop();
        if (item === undefined) break;
        void one(item);
      }
      if (running === 0) resolve();
    };
    next();
  });
  if (failures.length > 0) throw failures[0];
}
