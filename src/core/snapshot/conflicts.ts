import { parseUnmerged, type Unmerged } from '../git/unmerged.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * The files of a worktree that are in conflict, by path, with what the index holds of each side; empty when there are none.
 *
 * @param path the absolute path of the worktree.
 */
export async function readConflicts({ git }: Workspace, path: string): Promise<Unmerged[]> {
  return parseUnmerged(await git.text(['ls-files', '--unmerged', '-z', '--full-name'], { cwd: path }));
}

/** What the two sides of a conflict have done with the file, where they have not both changed it. */
export type ConflictKind = 'both-changed' | 'both-added' | 'deleted-by-ours' | 'deleted-by-theirs' | 'both-deleted';

/** What kind of conflict it is. A rename on one side leaves `both-deleted` behind, and the new name as added on one side only. */
export function conflictKind({ base, ours, theirs }: Unmerged): ConflictKind {
  if (ours && theirs) return base ? 'both-changed' : 'both-added';
  if (ours) return 'deleted-by-theirs';
  return theirs ? 'deleted-by-ours' : 'both-deleted';
}
