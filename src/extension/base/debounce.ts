import type { Disposable } from '../../core/base/disposable.ts';

/** A call that waits for quiet; see {@link debounce}. */
export interface Debounced extends Disposable {
  (): void;
}

/**
 * Makes a call that runs once things have been quiet for a while, and at the latest so long after the first request: a build that
 * never pauses must not keep the view from ever being renewed.
 *
 * @param quiet milliseconds without a further request.
 * @param atMost milliseconds after the first one.
 */
export function debounce(run: () => void, quiet: number, atMost: number): Debounced {
  let timer: NodeJS.Timeout | undefined;
  let first: number | undefined;
  const request = (): void => {
    const now = performance.now();
    first ??= now;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        first = undefined;
        run();
      },
      Math.max(0, Math.min(quiet, first + atMost - now)),
    );
  };
  return Object.assign(request, { dispose: () => clearTimeout(timer) });
}
