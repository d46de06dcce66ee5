import type { Worktree } from './model.ts';

/** Whether another program has made a worktree, so that the registry knows nothing of it. */
export function isUnadopted({ main, bare, entry }: Pick<Worktree, 'main' | 'bare' | 'entry'>): boolean {
  return !main && !bare && entry === undefined;
}
