import type { Worktree } from '../core/worktree/model.ts';

/** A worktree in its place in the stack. */
export interface Stacked {
  readonly worktree: Worktree;
  /** How many worktrees it stands on, one upon the other; 0 for one that stands on the trunk or on a branch without a worktree. */
  readonly depth: number;
}

/**
 * Worktrees with those that stand on one right behind it, one deeper. Linear in their number; a ring of bases, which only a
 * broken registry can hold, is cut open.
 */
export function stackOrder(worktrees: readonly Worktree[]): Stacked[] {
  const parents = parentsOf(worktrees);
  const children = new Map<Worktree, Worktree[]>();
  for (const [child, parent] of parents) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(child);
    else children.set(parent, [child]);
  }
  const placed = new Set<Worktree>();
  const ordered: Stacked[] = [];
  const place = (first: Worktree, firstDepth: number): void => {
    const waiting: Stacked[] = [{ worktree: first, depth: firstDepth }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (placed.has(next.worktree)) continue;
      placed.add(next.worktree);
      ordered.push(next);
      const { depth } = next;
      for (const child of [...(children.get(next.worktree) ?? [])].reverse())
        waiting.push({ worktree: child, depth: depth + 1 });
    }
  };
  for (const worktree of worktrees) if (!parents.has(worktree)) place(worktree, 0);
  for (const worktree of worktrees) place(worktree, 0);
  return ordered;
}

/** The worktrees that stand directly on a worktree's branch. */
export function dependentsOf(worktrees: readonly Worktree[], worktree: Worktree): Worktree[] {
  const parents = parentsOf(worktrees);
  return worktrees.filter((each) => parents.get(each) === worktree);
}

/** The branches from the trunk up to a worktree's own: what it stands on, one after the other. */
export function chainTo(worktrees: readonly Worktree[], worktree: Worktree): string[] {
  const parents = parentsOf(worktrees);
  const chain: string[] = [];
  const seen = new Set<Worktree>();
  for (let at: Worktree | undefined = worktree; at && !seen.has(at); at = parents.get(at)) {
    seen.add(at);
    chain.unshift(at.branch ?? at.name);
    const base = at.base?.branch;
    if (base !== undefined && !parents.has(at)) chain.unshift(base);
  }
  return chain;
}

/** Which worktree each one stands on. Where a branch is checked out twice, the one that it was made for counts. */
function parentsOf(worktrees: readonly Worktree[]): Map<Worktree, Worktree> {
  const byBranch = new Map<string, Worktree>();
  for (const worktree of worktrees) {
    if (worktree.branch === undefined) continue;
    const before = byBranch.get(worktree.branch);
    if (!before || (worktree.entry?.branch === worktree.branch && before.entry?.branch !== worktree.branch))
      byBranch.set(worktree.branch, worktree);
  }
  const parents = new Map<Worktree, Worktree>();
  for (const worktree of worktrees) {
    const parent = worktree.base && byBranch.get(worktree.base.branch);
    if (parent && parent !== worktree) parents.set(worktree, parent);
  }
  return parents;
}
