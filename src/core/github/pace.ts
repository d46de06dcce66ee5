import type { Progress } from '../worktree/model.ts';
import type { Clock } from './clock.ts';
import { githubMessages } from '../messages/github.ts';

/** The time that GitHub wants between two requests that write, in milliseconds. */
const apart = 1_000;
/** The most of them in an hour; a few are left to others with the same token. */
const mostInHour = 480;
const hour = 3_600_000;

/** Keeps requests that write at the pace that GitHub asks for: one a second, and 480 an hour of the 500 that it takes. */
export class Pace {
  readonly #clock: Clock;
  readonly #progress: Progress | undefined;
  /** When the writes of the last hour were made. */
  readonly #made: number[] = [];

  constructor(clock: Clock, progress?: Progress) {
    this.#clock = clock;
    this.#progress = progress;
  }

  /**
   * Waits until one more may be made, and counts it.
   *
   * @throws Problem `cancelled`.
   */
  async turn(signal?: AbortSignal): Promise<void> {
    const wait = this.#wait();
    if (wait > apart) this.#progress?.(githubMessages.waitingForHour({ time: durationText(wait), most: mostInHour }));
    if (wait > 0) await this.#clock.sleep(wait, signal);
    this.#made.push(this.#clock.now());
    while ((this.#made[0] ?? Infinity) <= this.#clock.now() - hour) this.#made.shift();
  }

  /** How long so many writes take from now on, in milliseconds, if nothing else is waited for. */
  timeFor(writes: number): number {
    const full = Math.floor((this.#made.length + writes - 1) / mostInHour);
    return writes <= 0 ? 0 : Math.max(writes * apart, full * hour);
  }

  #wait(): number {
    const now = this.#clock.now();
    const last = this.#made.at(-1);
    const oldest = this.#made.at(-mostInHour);
    return Math.max(0, last === undefined ? 0 : last + apart - now, oldest === undefined ? 0 : oldest + hour - now);
  }
}

/** A time in words: `8 s`, `3 min`, `2 h`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
