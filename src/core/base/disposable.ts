/** Something that holds a resource until it is told to let go. Letting go twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Keeps disposables together; whatever arrives after the end is let go at once. */
export class DisposableStore implements Disposable {
  readonly #held = new Set<Disposable>();
  #ended = false;

  add<T extends Disposable>(disposable: T): T {
    if (this.#ended) disposable.dispose();
    else this.#held.add(disposable);
    return disposable;
  }

  dispose(): void {
    this.#ended = true;
    const held = [...this.#held].reverse();
    this.#held.clear();
    for (const each of held) each.dispose();
  }
}
