import pLimit from 'p-limit';

/** Runs tasks with at most a given number of them at a time, in the order in which they came. */
export type Limit = <T>(task: () => Promise<T>) => Promise<T>;

/** A {@link Limit} of so many tasks at a time. */
export function limitTo(concurrency: number): Limit {
  const limit = pLimit(concurrency);
  return (task) => limit(task);
}
