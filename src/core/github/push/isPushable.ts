import type { Worktree } from '../../worktree/model.ts';

/** While one of these is under way, the branch is not where it will be. */
export const moving: ReadonlySet<string | undefined> = new Set(['rebase', 'am', 'bisect']);

/** Branches that are never pushed, whatever the trunk is. */
export const trunkNames: ReadonlySet<string> = new Set(['main', 'master']);

/**
 * Whether the branch of a worktree may be pushed, by what a snapshot says of it, for those that offer a push. `pushableMember` asks git as
 * well, and says why not.
 *
 * @param trunk where it is known.
 */
export function isPushable(
  { branch, bare, entry, operation }: Pick<Worktree, 'branch' | 'bare' | 'entry' | 'operation'>,
  trunk: string | undefined,
): boolean {
  if (branch === undefined || bare || branch === trunk || trunkNames.has(branch)) return false;
  return !moving.has(operation) && (entry === undefined || entry.branch === branch);
}
