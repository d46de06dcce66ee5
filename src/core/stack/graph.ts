import type { RegistryEntry } from '../repository/registry.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';

/** What the graph needs to know of a branch. */
export interface BasedBranch {
  /** The short name. */
  readonly branch: string;
  /** The branch that it is based on, in the graph or not; `undefined` when unknown. */
  readonly base: string | undefined;
}

/**
 * The branches of a repository's stacks and what each is based on. The trunk and other bases outside of the stacks are no branches of the
 * graph, but can be asked for their dependents. Bases that form a cycle lead nowhere: each branch of the cycle, and each that is based
 * on one, counts as one without a parent. Building it takes time linear in the number of branches.
 */
export class StackGraph<B extends BasedBranch> {
  /** By name, each after its parent; those with bases in a cycle come last. */
  readonly branches: ReadonlyMap<string, B>;
  readonly #children = new Map<string, B[]>();
  readonly #cyclic = new Set<string>();

  constructor(branches: Iterable<B>) {
    const all = new Map([...branches].map((each) => [each.branch, each]));
    for (const each of all.values()) if (each.base !== undefined) this.#addChild(each.base, each);
    const ordered = [...all.values()].filter(({ base }) => base === undefined || !all.has(base));
    for (let at = 0; at < ordered.length; at++) ordered.push(...this.children(ordered[at]?.branch ?? ''));
    const reached = new Set(ordered);
    for (const each of all.values()) {
      if (reached.has(each)) continue;
      ordered.push(each);
      this.#cyclic.add(each.branch);
    }
    for (const [base, children] of this.#children) {
      const kept = children.filter(({ branch }) => !this.#cyclic.has(branch));
      if (kept.length < children.length) this.#children.set(base, kept);
    }
    this.branches = new Map(ordered.map((each) => [each.branch, each]));
  }

  /** Whether following its bases never ends. */
  isCyclic(branch: string): boolean {
    return this.#cyclic.has(branch);
  }

  /** The branch of the graph that one is based on; `undefined` on the trunk, on a base outside of the graph and in a cycle. */
  parent(branch: string): B | undefined {
    const base = this.branches.get(branch)?.base;
    return base === undefined || this.isCyclic(branch) ? undefined : this.branches.get(base);
  }

  /** The branches directly based on one, which may be the trunk or any other base. */
  children(base: string): readonly B[] {
    return this.#children.get(base) ?? [];
  }

  /** A branch and its ancestors, the one next to the trunk first; empty when it is not in the graph. */
  chain(branch: string): B[] {
    const chain: B[] = [];
    for (let at = this.branches.get(branch); at; at = this.parent(at.branch)) chain.push(at);
    return chain.reverse();
  }

  /** Whether a branch is based on another one, or on any other base, directly or not. */
  isBasedOn(branch: string, base: string): boolean {
    return this.chain(branch).some((each) => each.base === base);
  }

  /** Everything based on a branch, directly or not; each after its parent. */
  descendants(base: string): B[] {
    const found = [...this.children(base)];
    for (let at = 0; at < found.length; at++) found.push(...this.children(found[at]?.branch ?? ''));
    return found;
  }

  /** What a branch stacks with: its ancestors, itself and its descendants, each after its parent; empty when it is not in the graph. */
  stackOf(branch: string | undefined): B[] {
    return branch !== undefined && this.branches.has(branch)
      ? [...this.chain(branch), ...this.descendants(branch)]
      : [];
  }

  /** Everything based on a branch in the order in which stacks are drawn: each right below its parent, depth 0 directly on the base. */
  walk(base: string): { readonly branch: B; readonly depth: number }[] {
    const found: { branch: B; depth: number }[] = [];
    const below = (name: string, depth: number): { branch: B; depth: number }[] =>
      this.children(name).map((branch) => ({ branch, depth }));
    const waiting = below(base, 0).reverse();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      found.push(next);
      waiting.push(...below(next.branch.branch, next.depth + 1).reverse());
    }
    return found;
  }

  #addChild(base: string, child: B): void {
    const children = this.#children.get(base);
    if (children) children.push(child);
    else this.#children.set(base, [child]);
  }
}

/** A stacked branch with its worktree. */
export interface StackedWorktree extends BasedBranch {
  readonly base: string;
  /** The one that was made for the branch, else the first that has it checked out. */
  readonly worktree: Worktree;
}

/**
 * The stacks of a repository as far as they have worktrees. A branch belongs to a stack when it is based on something: all but the trunk,
 * and but what the main working tree has checked out.
 */
export function worktreeGraph({ worktrees }: Pick<Snapshot, 'worktrees'>): StackGraph<StackedWorktree> {
  const stacked = [...byBranch(worktrees)].flatMap(([branch, [worktree]]): StackedWorktree[] => {
    const base = worktree.base?.branch;
    return base === undefined || worktree.bare ? [] : [{ branch, base, worktree }];
  });
  return new StackGraph(stacked);
}

/** A branch with its entry in the registry, and the name that it has there. */
export interface RegisteredBranch extends BasedBranch {
  readonly base: string;
  readonly name: string;
  readonly entry: RegistryEntry;
}

/**
 * The stacks as the registry has them, also of worktrees and branches that are gone.
 *
 * @param remote its name is left out of bases.
 */
export function registryGraph(
  entries: ReadonlyMap<string, RegistryEntry>,
  remote: string,
): StackGraph<RegisteredBranch> {
  const branches = new Set([...entries.values()].map(({ branch }) => branch));
  return new StackGraph(
    [...entries].map(([name, entry]) => {
      const base = withoutRemote(entry.base, [remote], branches);
      return { name, entry, branch: entry.branch, base };
    }),
  );
}

/** The name of a base on its remote: it may be written with the name of a remote before it. A branch here is meant first. */
export function withoutRemote(base: string, remotes: readonly string[], branches: ReadonlySet<string>): string {
  const remote = branches.has(base) ? undefined : remotes.find((each) => base.startsWith(`${each}/`));
  return remote === undefined ? base : base.slice(remote.length + 1);
}

/** The worktrees that have each branch checked out, the one that was made for it first. */
export function byBranch(worktrees: readonly Worktree[]): Map<string, [Worktree, ...Worktree[]]> {
  const found = new Map<string, [Worktree, ...Worktree[]]>();
  for (const worktree of worktrees) {
    if (worktree.branch === undefined) continue;
    const others = found.get(worktree.branch);
    if (!others) found.set(worktree.branch, [worktree]);
    else if (rank(worktree) > rank(others[0])) others.unshift(worktree);
    else others.push(worktree);
  }
  return found;

  function rank({ branch, entry, base }: Worktree): number {
    return entry?.branch === branch ? 2 : base ? 1 : 0;
  }
}

/** A worktree in the order in which stacks are drawn. */
export interface WorktreeRow {
  readonly worktree: Worktree;
  /** How many worktrees it is based on, one upon the other. */
  readonly depth: number;
}

/** Worktrees with their dependents right below them, one deeper. Each comes once, also those without a branch. */
export function worktreeRows(worktrees: readonly Worktree[]): WorktreeRow[] {
  const graph = worktreeGraph({ worktrees });
  const holders = byBranch(worktrees);
  const isBottom = ({ branch, base }: Worktree): boolean =>
    branch === undefined || base === undefined || graph.isCyclic(branch) || !holders.has(base.branch);
  const rows: WorktreeRow[] = [];
  const drawn = new Set<string>();
  const draw = (branch: string, depth: number): void => {
    drawn.add(branch);
    for (const worktree of holders.get(branch) ?? []) rows.push({ worktree, depth });
  };
  for (const worktree of worktrees) {
    const { branch } = worktree;
    if (branch === undefined) rows.push({ worktree, depth: 0 });
    if (branch === undefined || drawn.has(branch) || !isBottom(holders.get(branch)?.[0] ?? worktree)) continue;
    draw(branch, 0);
    for (const { branch: each, depth } of graph.walk(branch)) draw(each.branch, depth + 1);
  }
  return rows;
}
