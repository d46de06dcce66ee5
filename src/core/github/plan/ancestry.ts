import type { Git } from '../../git/git.ts';
import { parseGraph, type CommitGraph } from '../../snapshot/commitGraph.ts';

/** Which of some commits are in the history of which others. */
export interface Ancestry {
  /** Whether the first commit is the second one, or in its history. A commit that is not here is in none but itself. */
  contains(commit: string, of: string): boolean;
  /** Whether it is there only because it was merged: a branch that was rebased onto it has it in its first line. */
  isMergedInto(commit: string, of: string): boolean;
}

/** Reads the part of the history that tells some commits apart: three processes for any number of them. */
export async function readAncestry(
  git: Git,
  commonDir: string,
  commits: Iterable<string>,
  signal?: AbortSignal,
): Promise<Ancestry> {
  const at = { signal };
  const asked = [...new Set(commits)];
  const input = asked.map((oid) => `${oid}\n`).join('');
  const known = asked.length === 0 ? '' : await git.in(commonDir).text(['cat-file', '--batch-check'], { ...at, input });
  const here = known.split('\n').flatMap((line) => (/ commit /.test(line) ? [line.split(' ')[0] ?? ''] : []));
  if (here.length < 2) return new KnownAncestry(parseGraph(''), undefined, new Set(here));
  const shared = await git.in(commonDir).line(['merge-base', '--octopus', ...here], at);
  const args = ['rev-list', '--parents', '--stdin'];
  const revisions = [...here, ...(shared === undefined ? [] : [`^${shared}`])].map((each) => `${each}\n`).join('');
  return new KnownAncestry(
    parseGraph(await git.in(commonDir).text(args, { ...at, input: revisions })),
    shared,
    new Set(here),
  );
}

class KnownAncestry implements Ancestry {
  readonly #graph: CommitGraph;
  /** Every commit that was asked for has it in its history. */
  readonly #shared: string | undefined;
  readonly #here: ReadonlySet<string>;
  readonly #reached = new Map<string, ReadonlySet<number>>();

  constructor(graph: CommitGraph, shared: string | undefined, here: ReadonlySet<string>) {
    this.#graph = graph;
    this.#shared = shared;
    this.#here = here;
  }

  contains(commit: string, of: string): boolean {
    if (commit === of) return true;
    if (!this.#here.has(commit) || !this.#here.has(of)) return false;
    if (commit === this.#shared) return true;
    const number = this.#graph.numbers.get(commit);
    return number !== undefined && this.#historyOf(of).has(number);
  }

  isMergedInto(commit: string, of: string): boolean {
    if (!this.contains(commit, of)) return false;
    const wanted = this.#graph.numbers.get(commit);
    for (let at = this.#graph.numbers.get(of); at !== undefined; at = this.#graph.parents[at]?.[0])
      if (at === wanted) return false;
    return commit !== this.#shared && commit !== of;
  }

  #historyOf(commit: string): ReadonlySet<number> {
    const known = this.#reached.get(commit);
    if (known) return known;
    const { numbers, parents } = this.#graph;
    const reached = new Set<number>();
    const open = [numbers.get(commit)];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      open.push(...(parents[at] ?? []));
    }
    this.#reached.set(commit, reached);
    return reached;
  }
}
