/**
 * Makes a task that runs at most once at a time with at most one more run pending: callers during a run share the
 * pending one, so that whoever asks after a change gets a result that has seen the change.
 */
export function throttle<T>(task: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let pending: Promise<T> | undefined;

  const start = (): Promise<T> => {
    const run = task().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };

  return () => {
    if (!running) return start();
    pending ??= running
      .catch(() => undefined)
      .then(() => {
        pending = undefined;
        return start();
      });
    return pending;
  };
}
