import { setTimeout as delay } from 'node:timers/promises';

/**
 * How often it is looked, how long nobody asks before it is quiet, in which VS Code draws what it was told, how long a question that nobody has
 * announced is waited for, and how long at most, in milliseconds.
 */
const step = 50;
const quiet = 300;
const patience = 400;
const longest = 5000;

/**
 * Work that can wait until VS Code has got what it asks for: both run in the extension host, one after the other, and the start of a process
 * holds it up.
 */
export class Lull {
  #asked: number | undefined;
  /** Since when VS Code is known to be about to ask. */
  #due: number | undefined;

  /** Says that VS Code is going to ask for something. */
  expects(): void {
    this.#due = performance.now();
  }

  /** Says that VS Code asks for something. */
  asks(): void {
    this.#due = undefined;
    this.#asked = performance.now();
  }

  /** Waits until VS Code has begun to ask and has stopped again, or does not ask at all. Never longer than about five seconds. */
  async wait(): Promise<void> {
    const from = performance.now();
    const nobodyAsks = (): boolean => this.#due === undefined && (this.#asked ?? 0) < from;
    do await delay(step, undefined, { ref: false });
    while (nobodyAsks() && performance.now() - from < patience);
    await this.pause();
  }

  /** Waits only while VS Code asks, or is about to: for what goes on in between. Never longer than five seconds. */
  async pause(): Promise<void> {
    const from = performance.now();
    for (let now = from; this.#isBusy(now) && now - from < longest; now = performance.now())
      await delay(step, undefined, { ref: false });
  }

  #isBusy(now: number): boolean {
    if (this.#due !== undefined) return now - this.#due < longest;
    return this.#asked !== undefined && now - this.#asked < quiet;
  }
}
