/** How much work a guard may do before it stops and searches the rest for keywords. */
export interface Limits {
  /** Of a script, in UTF-16 units. Linux cannot hand more than 128 KiB to a shell in one argument. */
  readonly characters: number;
  /** Syntax nodes and checked commands, over all nested scripts. */
  readonly steps: number;
  /** For everything together: hostile nesting makes parsing quadratic. */
  readonly milliseconds: number;
  /** Scripts within scripts (`sh -c "sh -c …"`), and functions that call functions. */
  readonly depth: number;
  /** Here-document operators, the one thing that makes a single parse slow. */
  readonly hereDocuments: number;
}

export const defaultLimits: Limits = {
  characters: 262_144,
  steps: 200_000,
  milliseconds: 300,
  depth: 24,
  hereDocuments: 4_000,
};

/** Counts how much of the {@link Limits} one decision has used. */
export class GuardBudget {
  readonly limits: Limits;
  readonly #now: () => number;
  readonly #end: number;
  #steps = 0;
  #exceeded = false;

  /** @param now a clock in milliseconds, from any start; it should stand still while this process does not run. */
  constructor(now: () => number, limits: Limits = defaultLimits) {
    this.limits = limits;
    this.#now = now;
    this.#end = now() + limits.milliseconds;
  }

  /** Whether a limit was hit, so that not everything was checked. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** Takes one step. False once none is left. */
  step(): boolean {
    if (this.#exceeded) return false;
    this.#steps++;
    // A single step may parse a nested script, so the clock is read often.
    if (this.#steps > this.limits.steps || (this.#steps % 4 === 0 && this.#now() > this.#end)) this.#exceeded = true;
    return !this.#exceeded;
  }
}
