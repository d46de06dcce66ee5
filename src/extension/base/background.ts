/** Background work, such as deleting trash. */
export class Background {
  readonly #running = new Set<Promise<unknown>>();
  readonly #tidying: (() => Promise<unknown>)[] = [];

  /** Keeps hold of work; it is not to reject. */
  add(work: Promise<unknown>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  /** Adds what has to be tidied up when the window closes. */
  atEnd(tidy: () => Promise<unknown>): void {
    this.#tidying.push(tidy);
  }

  /** Resolves when all of it has ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running, ...this.#tidying.map((tidy) => tidy())]);
  }
}
