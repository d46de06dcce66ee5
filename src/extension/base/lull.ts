import { setTimeout as delay } from 'node:timers/promises';

/** How long nobody asks before it is quiet, how long the first question is waited for, and how long at most, in milliseconds. */
const quiet = 50;
const patience = 400;
const longest = 2000;

/** Work that can wait until VS Code has got what it asks for: both run in the extension host, one after the other. */
export class Lull {
  #asked: number | undefined;

  /** Says that VS Code asks for something. */
  asks(): void {
    this.#asked = performance.now();
  }

  /** Waits until VS Code has begun to ask and has stopped again, or does not ask at all. Never longer than two seconds. */
  async wait(): Promise<void> {
    const from = performance.now();
    for (;;) {
      await delay(quiet, undefined, { ref: false });
      const now = performance.now();
      const asked = this.#asked !== undefined && this.#asked >= from ? this.#asked : undefined;
      if (now - from >= longest || (asked === undefined ? now - from >= patience : now - asked >= quiet)) return;
    }
  }
}
