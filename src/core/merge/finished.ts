import { withAutoCleanup } from '../lifecycle/autoCleanup.ts';
import type { Snapshot } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Merged } from './model.ts';

/**
 * Whether the removal of a worktree is to be offered after it was merged: the checks passed or there are none, it came into its base or the
 * trunk, nothing is left in it that was not merged, and `auto_cleanup` holds for it.
 *
 * @param snapshot as it was before the merge.
 * @param how.path the folder of what was merged; `undefined` where it has none.
 * @param how.into the root of the working tree that it came into.
 * @param how.left whether something in it is not committed.
 */
export async function isRemovalOfferedAfter(
  workspace: Workspace,
  snapshot: Pick<Snapshot, 'worktrees' | 'trunk'>,
  merged: Pick<Merged, 'commit' | 'checks'>,
  { path, into, left }: { readonly path: string | undefined; readonly into: string; readonly left: boolean },
): Promise<boolean> {
  if (merged.commit === undefined || merged.checks.state === 'unapproved' || left) return false;
  const worktree = snapshot.worktrees.find((each) => each.path === path);
  if (!worktree || worktree.main || worktree.operation !== undefined) return false;
  const target = snapshot.worktrees.find((each) => each.path === into)?.branch;
  const bases = [worktree.base?.branch, snapshot.trunk];
  if (target === undefined || !bases.includes(target)) return false;
  return (await withAutoCleanup(workspace, [worktree])).length > 0;
}
