import { samePath } from '../base/paths.ts';
import type { RegistryEntry } from '../repository/registry.ts';
import type { ActiveWorktree } from '../repository/stateFile.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';

/** What was written down of a worktree, and what is so. */
export interface Moved {
  readonly worktree: Worktree;
  readonly before: RegistryEntry;
  readonly after: RegistryEntry;
}

/** The names of the local branches: one that was recorded and is not among them was renamed. */
export interface LocalBranches {
  readonly has: (branch: string) => boolean;
}

/** The state file does not say where the active worktree is. */
export function activeHasMoved(snapshot: Snapshot): boolean {
  const [now, before] = [activeIn(snapshot)?.path, snapshot.active?.path];
  return now !== before && (now === undefined || before === undefined || !samePath(now, before));
}

/** Whether a worktree was found elsewhere than recorded, or is not recorded by its id yet. Looks at nothing but the snapshot. */
export function mustFollow(snapshot: Snapshot, branches?: LocalBranches): boolean {
  return movedIn(snapshot, branches).length > 0 || snapshot.worktrees.some(isUnlinked) || activeHasMoved(snapshot);
}

const isUnlinked = ({ condition, staleLink }: Worktree): boolean => condition === 'moved' || staleLink;

/** Its folder was found, wherever that is. */
export const isSeen = ({ condition }: Pick<Worktree, 'condition'>): boolean =>
  condition === 'fine' || condition === 'moved';

/**
 * The worktrees whose entries are not right any more, with what they should say. One that cannot be seen now keeps its path.
 *
 * @param branches without them branches stay as they are.
 */
export function movedIn({ worktrees }: Snapshot, branches?: LocalBranches): Moved[] {
  return worktrees.flatMap((worktree): Moved[] => {
    const { main, id, path, branch, entry } = worktree;
    if (main || !entry) return [];
    const renamed = branches && branch !== undefined && entry.branch !== branch && !branches.has(entry.branch);
    const after: RegistryEntry = {
      ...entry,
      ...(id === undefined ? {} : { id }),
      ...(isSeen(worktree) && !samePath(path, entry.path) ? { path } : {}),
      ...(renamed ? { branch } : {}),
    };
    const same = after.id === entry.id && after.path === entry.path && after.branch === entry.branch;
    return same ? [] : [{ worktree, before: entry, after }];
  });
}

/** What the state file should say; `undefined` where there is none, or nobody knows better than what it says. */
export function activeIn({ active, worktrees }: Snapshot): ActiveWorktree | undefined {
  const worktree = worktrees.find((each) => each.active);
  if (!active || !worktree || !isSeen(worktree)) return active;
  return { ...active, path: worktree.path };
}
