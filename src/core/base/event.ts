import type { Disposable } from './disposable.ts';

/** Subscribes a listener; the same shape as the editor's own events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The source of an {@link Event}. A listener that throws does not keep the others from hearing. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onError: (thrown: unknown) => void;

  constructor(onError: (thrown: unknown) => void = () => {}) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (thrown) {
        this.#onError(thrown);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
