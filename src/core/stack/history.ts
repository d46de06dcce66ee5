import type { Git } from '../git/git.ts';
import { childrenFirst, parseGraph, type CommitGraph } from '../snapshot/commitGraph.ts';

/** The most commits on one command line. */
const mostArguments = 400;

/** Bits of a commit in a walk. */
const wanted = 1;
const excluded = 2;

/**
 * The history that some commits do not all have in common: enough to answer exactly which of them is in which. Two or three git
 * processes, however many commits there are.
 */
export class History {
  readonly #graph: CommitGraph;
  readonly #oids: readonly string[];
  /** The longest way down to where the part that was read ends: a parent's is always smaller. */
  readonly #heights: Uint32Array;
  readonly #ancestors = new Map<string, boolean>();

  private constructor(graph: CommitGraph) {
    this.#graph = graph;
    this.#oids = [...graph.numbers.keys()];
    this.#heights = heightsIn(graph);
  }

  /**
   * Reads what is needed to compare these commits; names of commits that do not exist (any more) are passed over.
   *
   * @param unlessAll where one of them does not exist, read everything back to the first commit. Default false.
   */
  static async read(
    git: Git,
    commonDir: string,
    oids: Iterable<string>,
    signal?: AbortSignal,
    unlessAll = false,
  ): Promise<History> {
    const at = { signal };
    const repo = git.in(commonDir);
    const asked = [...new Set(oids)];
    const input = asked.map((oid) => `${oid}^{commit}\n`).join('');
    const answers = await repo.text(['cat-file', '--batch-check'], { ...at, input });
    const tips = [...answers.matchAll(/^([0-9a-f]{40,64}) commit /gm)].map(([, oid = '']) => oid);
    if (tips.length === 0) return new History({ numbers: new Map(), parents: [] });
    let common: string | undefined;
    const end = unlessAll && tips.length < asked.length ? 0 : tips.length;
    for (let start = 0; start < end; start += mostArguments) {
      const some = [...(common === undefined ? [] : [common]), ...tips.slice(start, start + mostArguments)];
      const answer = await repo.run(['merge-base', '--octopus', ...some], at);
      common = answer.exitCode === 0 ? answer.stdout.trim() : undefined;
      if (common === undefined) break;
    }
    const revisions = [...tips, ...(common === undefined ? [] : [`^${common}`])].map((line) => `${line}\n`).join('');
    const output = await repo.text(['rev-list', '--parents', '--stdin'], { ...at, input: revisions });
    return new History(withEnd(parseGraph(output), common));
  }

  /** Whether a commit was among those that were asked for, or lies between them. */
  has(oid: string): boolean {
    return this.#graph.numbers.has(oid);
  }

  /** The parents of a commit, as far as they were read. */
  parentsOf(oid: string): string[] {
    const number = this.#graph.numbers.get(oid);
    return (number === undefined ? [] : (this.#graph.parents[number] ?? [])).map((parent) => this.#oids[parent] ?? '');
  }

  /** Whether one commit is another, or in its history. */
  isAncestor(one: string, of: string): boolean {
    if (one === of) return true;
    const key = `${one} ${of}`;
    const known = this.#ancestors.get(key) ?? (this.has(one) && this.has(of) && this.own(one, [of]).length === 0);
    this.#ancestors.set(key, known);
    return known;
  }

  /** Whether a commit is in the history of another one only because it was merged: not on the line of its first parents. */
  isMergedInto(one: string, into: string): boolean {
    // The last one that all have in common was merged into none of them.
    if (!this.isAncestor(one, into) || !this.#graph.parents[this.#graph.numbers.get(one) ?? -1]) return false;
    for (let at: string | undefined = into; at !== undefined; [at] = this.parentsOf(at)) if (at === one) return false;
    return true;
  }

  /** The commits of one that none of the others has, children before parents. */
  own(tip: string, others: readonly string[]): string[] {
    return this.#walk(tip, others).map((number) => this.#oids[number] ?? '');
  }

  /** Of some commits the one in the history of `tip` after which the fewest commits follow; `undefined` when none is in it. */
  nearest(candidates: Iterable<string>, tip: string): string | undefined {
    let best: { oid: string; commits: number } | undefined;
    for (const oid of new Set(candidates)) {
      if (!this.isAncestor(oid, tip)) continue;
      const commits = this.own(tip, [oid]).length;
      if (!best || commits < best.commits) best = { oid, commits };
    }
    return best?.oid;
  }

  /** Walks down from the highest commits; ends as soon as nothing is left that only the first one has. */
  #walk(tip: string, others: readonly string[]): number[] {
    const marks = new Map<number, number>();
    const waiting: number[][] = [];
    let open = 0;
    let top = 0;
    const mark = (number: number, bit: number): void => {
      const before = marks.get(number);
      if (before === undefined) {
        const height = this.#heights[number] ?? 0;
        (waiting[height] ??= []).push(number);
        top = Math.max(top, height);
      }
      const after = (before ?? 0) | bit;
      if (before !== wanted && after === wanted) open++;
      if (before === wanted && after !== wanted) open--;
      marks.set(number, after);
    };
    const first = this.#graph.numbers.get(tip);
    if (first === undefined) return [];
    mark(first, wanted);
    for (const other of others) {
      const number = this.#graph.numbers.get(other);
      if (number !== undefined) mark(number, excluded);
    }
    const found: number[] = [];
    for (let height = top; height >= 0 && open > 0; height--) {
      for (const number of waiting[height] ?? []) {
        const bits = marks.get(number) ?? 0;
        if (bits === wanted) {
          open--;
          // Where the part that was read ends, every commit is everybody's.
          if (this.#graph.parents[number]) found.push(number);
        }
        for (const parent of this.#graph.parents[number] ?? []) mark(parent, bits);
      }
    }
    return found;
  }
}

/** The last commit that all have in common is known although nothing of it was read. */
function withEnd(graph: CommitGraph, common: string | undefined): CommitGraph {
  if (common === undefined || graph.numbers.has(common)) return graph;
  return {
    numbers: new Map([...graph.numbers, [common, graph.parents.length]]),
    parents: [...graph.parents, undefined],
  };
}

function heightsIn(graph: CommitGraph): Uint32Array {
  const { parents } = graph;
  const heights = new Uint32Array(parents.length);
  // Each parent's height is known before its children's.
  for (const commit of childrenFirst(graph).reverse()) {
    const its = parents[commit] ?? [];
    heights[commit] = its.reduce((most, parent) => Math.max(most, (heights[parent] ?? 0) + 1), 0);
  }
  return heights;
}
