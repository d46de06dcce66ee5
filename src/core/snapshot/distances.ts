import type { Git } from '../git/git.ts';
import { distancesIn, parseGraph, type Pair } from './commitGraph.ts';
import type { Distance } from '../worktree/model.ts';
import type { SnapshotCache } from './snapshotCache.ts';

/**
 * How many commits are read at first, some for each pair, and how many when too many pairs reach further back: without a commit graph a
 * thousand commits take longer than everything else that a few worktrees need. What a window of commits does not
 * tell of a few pairs is asked of git for each of them.
 */
const windowsFor = (pairs: number): readonly number[] => [Math.min(4_000, 300 + 4 * pairs), 4_000, 40_000, 400_000];
const fewPairs = (window: number): number => window / 500;

/** Keeps distances from one reading to the next; a {@link SnapshotCache} is one. */
export type DistanceCache = Pick<SnapshotCache, 'distance' | 'keepDistances'>;

/** Keeps the distances of one reading for another one beside it. */
export function distancesAtHand(): DistanceCache {
  const known = new Map<string, Distance>();
  return {
    distance: (pair) => known.get(pair),
    keepDistances: (distances) => distances.forEach((distance, pair) => known.set(pair, distance)),
  };
}

/** Finds the distances of pairs of commits. */
export class Distances {
  readonly #known = new Map<string, Distance>();

  /** The distance of a pair that was read; `undefined` for one that could not be told. */
  of(pair: Pair): Distance | undefined {
    return pair.one === pair.other ? { ahead: 0, behind: 0 } : this.#known.get(keyOf(pair));
  }

  /**
   * Reads the distances of many pairs by very few processes: the recent history of all of them at once, as far back as needed.
   */
  static async read(
    git: Git,
    commonDir: string,
    pairs: readonly Pair[],
    options: { readonly cache?: DistanceCache | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Distances> {
    const distances = new Distances();
    const { cache, signal } = options;
    let open = new Map<string, Pair>();
    for (const pair of pairs) {
      if (pair.one === pair.other) continue;
      const known = cache?.distance(keyOf(pair));
      if (known) distances.#known.set(keyOf(pair), known);
      else open.set(keyOf(pair), pair);
    }
    for (const [index, window] of windowsFor(open.size).entries()) {
      if (open.size === 0 || (index > 0 && open.size <= fewPairs(window))) break;
      open = await distances.#readWindow(git, commonDir, open, window, signal);
    }
    await Promise.all([...open.values()].map((pair) => distances.#readOne(git, commonDir, pair, signal)));
    cache?.keepDistances(distances.#known);
    return distances;
  }

  /** @returns the pairs that are still open. */
  async #readWindow(
    git: Git,
    commonDir: string,
    open: ReadonlyMap<string, Pair>,
    window: number,
    signal: AbortSignal | undefined,
  ): Promise<Map<string, Pair>> {
    const pairs = [...open.values()];
    const tips = new Set(pairs.flatMap(({ one, other }) => [one, other]));
    // A branch whose commit is lost must not take the others' distances with it.
    const args = ['rev-list', '--parents', `--max-count=${window}`, '--ignore-missing', '--stdin'];
    const answer = await git.in(commonDir).run(args, { input: `${[...tips].join('\n')}\n`, signal });
    if (answer.exitCode !== 0) return new Map(open);
    const found = distancesIn(parseGraph(answer.stdout), pairs);
    const left = new Map<string, Pair>();
    for (const [index, pair] of pairs.entries()) {
      const distance = found[index];
      if (distance) this.#known.set(keyOf(pair), distance);
      else left.set(keyOf(pair), pair);
    }
    return left;
  }

  async #readOne(git: Git, commonDir: string, pair: Pair, signal: AbortSignal | undefined): Promise<void> {
    const range = `${pair.one}...${pair.other}`;
    const args = ['rev-list', '--count', '--left-right', range, '--'];
    const [ahead, behind] = ((await git.in(commonDir).line(args, { signal })) ?? '').split('\t').map(Number);
    if (ahead !== undefined && behind !== undefined) this.#known.set(keyOf(pair), { ahead, behind });
  }
}

const keyOf = ({ one, other }: Pair): string => `${one} ${other}`;
