import type { Distance } from '../worktree/model.ts';

/** Two commits whose distance is asked: what is on `one` and not on `other` is ahead, the reverse behind. */
export interface Pair {
  readonly one: string;
  readonly other: string;
}

/** A part of the history, from some commits backwards, children before parents. */
export interface CommitGraph {
  /** Each commit's number, also of those that are only known as somebody's parent. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The parents by number; `undefined` for a commit that is only known as a parent: there the part that was read ends. */
  readonly parents: readonly (readonly number[] | undefined)[];
}

/** Pairs that are worked on at once, two bits of a word each. */
const together = 16;

/** Reads the output of `git rev-list --parents`. */
export function parseGraph(output: string): CommitGraph {
  const numbers = new Map<string, number>();
  const parents: (number[] | undefined)[] = [];
  const numberOf = (oid: string): number => {
    const known = numbers.get(oid);
    if (known !== undefined) return known;
    numbers.set(oid, parents.length);
    return parents.push(undefined) - 1;
  };
  for (const line of output.split('\n')) {
    if (line === '') continue;
    const [commit = 0, ...its] = line.split(' ').map(numberOf);
    parents[commit] = its;
  }
  return { numbers, parents };
}

/**
 * The distances of pairs of commits as far as this part of the history tells them: `undefined` where a commit beyond its end
 * may be on one side only. One pass over the graph serves sixteen pairs, however far the two are apart.
 */
export function distancesIn(graph: CommitGraph, pairs: readonly Pair[]): (Distance | undefined)[] {
  const order = childrenFirst(graph);
  const distances: (Distance | undefined)[] = [];
  for (let start = 0; start < pairs.length; start += together) {
    distances.push(...distancesOfSome(graph, order, pairs.slice(start, start + together)));
  }
  return distances;
}

function distancesOfSome(
  { numbers, parents }: CommitGraph,
  order: Uint32Array,
  pairs: readonly Pair[],
): (Distance | undefined)[] {
  // Bit 2k of a commit: it is on the first side of pair k; bit 2k+1: on the other.
  const sides = new Uint32Array(parents.length);
  const counts = pairs.map(({ one, other }, k) => {
    const first = numbers.get(one);
    const second = numbers.get(other);
    const known =
      first !== undefined && second !== undefined && parents[first] !== undefined && parents[second] !== undefined;
    if (known) {
      sides[first] = (sides[first] ?? 0) | (1 << (2 * k));
      sides[second] = (sides[second] ?? 0) | (2 << (2 * k));
    }
    return { ahead: 0, behind: 0, known };
  });
  for (const commit of order) {
    const mine = sides[commit] ?? 0;
    if (mine === 0) continue;
    const its = parents[commit];
    for (const parent of its ?? []) sides[parent] = (sides[parent] ?? 0) | mine;
    // The low bit of each pair whose two bits differ.
    for (let differing = (mine ^ (mine >>> 1)) & 0x55555555; differing !== 0; differing &= differing - 1) {
      const bit = 31 - Math.clz32(differing & -differing);
      const count = counts[bit >>> 1];
      if (!count) continue;
      if (!its) count.known = false;
      else if ((mine >>> bit) & 1) count.ahead++;
      else count.behind++;
    }
  }
  return counts.map(({ ahead, behind, known }) => (known ? { ahead, behind } : undefined));
}

/** All commits, each before its parents: git's own order is by date, and clocks differ. */
export function childrenFirst({ parents }: CommitGraph): Uint32Array {
  const children = new Uint32Array(parents.length);
  for (const its of parents) for (const parent of its ?? []) children[parent] = (children[parent] ?? 0) + 1;
  const order = new Uint32Array(parents.length);
  let end = 0;
  for (let commit = 0; commit < parents.length; commit++) if (children[commit] === 0) order[end++] = commit;
  for (let at = 0; at < end; at++) {
    for (const parent of parents[order[at] ?? 0] ?? []) {
      children[parent] = (children[parent] ?? 0) - 1;
      if (children[parent] === 0) order[end++] = parent;
    }
  }
  return order;
}
