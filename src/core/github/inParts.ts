import type { GitHub } from './client.ts';
import { HostProblem } from './failure.ts';

/** How often a query that is too much for GitHub is halved. */
const mostHalvings = 3;
/** How long it is remembered that a query was too much, in milliseconds. */
const memory = 3_600_000;

/** What a GitHub refused last, by the kind of the query: the size that it was halved to, and until when that counts. */
const halved = new WeakMap<GitHub, Map<string, { readonly size: number; readonly until: number }>>();

/** A kind of query that asks about many things at once. */
export interface PartedQuery<Item, Answer> {
  /** Tells the kinds apart. */
  readonly kind: string;
  /** So many things go into one query at first. */
  readonly most: number;
  /** Asks about some of them; `retries` is 0 while a query that fails is halved instead of sent again. */
  readonly ask: (some: readonly Item[], retries: 0 | undefined) => Promise<readonly Answer[]>;
}

/**
 * Asks about many things with as few queries as GitHub answers, one after the other. GitHub ends a query that takes more than ten seconds,
 * and one that needs too much of its machines; then the same is asked in halves, for an hour at once.
 *
 * @returns the answers in the order of the items.
 * @throws HostProblem of a query that is not halved further.
 */
export async function askInParts<Item, Answer>(
  github: GitHub,
  items: readonly Item[],
  { kind, most, ask }: PartedQuery<Item, Answer>,
): Promise<Answer[]> {
  const known = halved.get(github)?.get(kind);
  let size = known && known.until > github.clock.now() ? known.size : most;
  const least = Math.ceil(most / 2 ** mostHalvings);
  const answers: Answer[] = [];
  let asked = 0;
  while (asked < items.length) {
    const some = items.slice(asked, asked + size);
    const divisible = some.length > least;
    try {
      answers.push(...(await ask(some, divisible ? 0 : undefined)));
      asked += some.length;
    } catch (thrown) {
      if (!divisible || !isTooMuch(thrown)) throw thrown;
      size = Math.ceil(some.length / 2);
      const sizes = halved.get(github) ?? new Map<string, { size: number; until: number }>();
      halved.set(github, sizes.set(kind, { size, until: github.clock.now() + memory }));
    }
  }
  return answers;
}

/** GitHub gave up on a query; why, it does not always say. */
function isTooMuch(thrown: unknown): boolean {
  if (!(thrown instanceof HostProblem)) return false;
  const words = thrown.words.join('\n');
  return (thrown.status ?? 0) >= 500 || /resource limits|something went wrong while executing/i.test(words);
}
