import type { Git } from '../git/git.ts';
import { gitProblem } from '../git/gitError.ts';
import { parseGraph, type CommitGraph } from '../snapshot/commitGraph.ts';

/** So many commits are named on one command line at most. */
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

  private constructor(graph: CommitGraph) {
    this.#graph = graph;
    this.#oids = [...graph.numbers.keys()];
    this.#heights = heightsIn(graph);
  }

  /** Reads what is needed to compare these commits; names of commits that do not exist (any more) are passed over. */
  static async read(git: Git, commonDir: string, oids: Iterable<string>, signal?: AbortSignal): Promise<History> {
    const at = { signal };
    const repo = git.in(commonDir);
    const asked = [...new Set(oids)].map((oid) => `${oid}^{commit}\n`).join('');
    const answers = await repo.text(['cat-file', '--batch-check'], { ...at, input: asked });
    const tips = [...answers.matchAll(/^([0-9a-f]{40,64}) commit /gm)].map(([, oid = '']) => oid);
    if (tips.length === 0) return new History({ numbers: new Map(), parents: [] });
    let common: string | undefined;
    for (let start = 0; start < tips.length; start += mostArguments) {
      const some = [...(common === undefined ? [] : [common]), ...tips.slice(start, start + mostArguments)];
      const answer = await repo.run(['merge-base', '--octopus', ...some], at);
      common = answer.exitCode === 0 ? answer.stdout.trim() : undefined;
      if (common === undefined) break;
    }
    const input = [...tips, ...(common === undefined ? [] : [`^${common}`])].map((line) => `${line}\n`).join('');
    const args = ['rev-list', '--parents', '--stdin'];
    const answer = await repo.run(args, { ...at, input });
    if (answer.exitCode !== 0) throw gitProblem(args, answer);
    const end = common === undefined ? '' : `${common}\n`;
    return new History(withEnd(parseGraph(answer.stdout), end.trim()));
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
    return one === of || (this.has(one) && this.has(of) && this.own(one, [of]).length === 0);
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
function withEnd(graph: CommitGraph, common: string): CommitGraph {
  if (common === '' || graph.numbers.has(common)) return graph;
  return {
    numbers: new Map([...graph.numbers, [common, graph.parents.length]]),
    parents: [...graph.parents, undefined],
  };
}

function heightsIn({ parents }: CommitGraph): Uint32Array {
  const heights = new Uint32Array(parents.length);
  const children = new Uint32Array(parents.length);
  for (const its of parents) for (const parent of its ?? []) children[parent] = (children[parent] ?? 0) + 1;
  // Children first, as far as they come; the other way round each parent's height is known before its children's.
  const order: number[] = [];
  for (let commit = 0; commit < parents.length; commit++) if (children[commit] === 0) order.push(commit);
  for (let at = 0; at < order.length; at++) {
    for (const parent of parents[order[at] ?? 0] ?? []) {
      children[parent] = (children[parent] ?? 0) - 1;
      if (children[parent] === 0) order.push(parent);
    }
  }
  for (const commit of order.reverse()) {
    const its = parents[commit] ?? [];
    heights[commit] = its.reduce((most, parent) => Math.max(most, (heights[parent] ?? 0) + 1), 0);
  }
  return heights;
}
