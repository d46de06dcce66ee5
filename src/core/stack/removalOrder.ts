import { sep } from 'node:path';
import type { Worktree } from '../worktree/model.ts';
import { worktreeGraph } from './graph.ts';

/** Worktrees in the order in which they are best removed: nested ones before what contains them, dependents before their bases. */
export function orderForRemoval(worktrees: readonly Worktree[]): Worktree[] {
  const graph = worktreeGraph({ worktrees });
  const paths = new Set(worktrees.map((each) => each.path));
  const nesting = (path: string): number => {
    const parts = path.split(sep);
    return parts.filter((_, end) => end > 0 && paths.has(parts.slice(0, end).join(sep))).length;
  };
  const depths = new Map<string, number>();
  for (const { branch } of graph.branches.values())
    depths.set(branch, (depths.get(graph.parent(branch)?.branch ?? '') ?? 0) + 1);
  return worktrees
    .map((worktree) => ({ worktree, nesting: nesting(worktree.path), depth: depths.get(worktree.branch ?? '') ?? 0 }))
    .sort((one, other) => other.nesting - one.nesting || other.depth - one.depth)
    .map(({ worktree }) => worktree);
}
