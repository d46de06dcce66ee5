/**
 * Runs tasks side by side. When one fails the others are told to stop, and are waited for: nothing of them goes on behind the
 * caller's back while it rolls back what they did.
 *
 * @param tasks each gets a signal that is aborted with the given one, or when another task fails.
 * @throws what the first task to fail has thrown.
 */
export async function allOrAbort<T extends readonly unknown[]>(
  signal: AbortSignal | undefined,
  tasks: { readonly [K in keyof T]: (signal: AbortSignal) => Promise<T[K]> },
): Promise<T> {
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const failures: unknown[] = [];
  const running = tasks.map((task) =>
    task(either).catch((thrown: unknown) => {
      failures.push(thrown);
      stop.abort();
    }),
  );
  const results = await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return results as unknown as T;
}
