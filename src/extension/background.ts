/** Work that nobody waits for while the window is open, such as deleting what was put aside. */
export class Background {
  readonly #running = new Set<Promise<unknown>>();

  /** Keeps hold of work; it is not to reject. */
  add(work: Promise<unknown>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  /** Resolves when all of it has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
