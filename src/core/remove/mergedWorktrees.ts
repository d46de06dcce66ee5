import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Removal } from './inspect.ts';

/** The worktrees whose work is merged, and those that look so only because nothing was done in them yet. */
export interface MergedWorktrees {
  readonly merged: readonly Removal[];
  readonly untouched: readonly Removal[];
}

/** Which of the inspected worktrees can go because the work of their branch is in its base. */
export async function mergedWorktrees(
  workspace: Workspace,
  removals: readonly Removal[],
  signal?: AbortSignal,
): Promise<MergedWorktrees> {
  const merged: Removal[] = [];
  const untouched: Removal[] = [];
  for (const removal of removals) {
    const { branch, worktree } = removal;
    if (branch?.decision !== 'delete') continue;
    const isIdle = branch.integration === 'session' || (await isUntouched(workspace, worktree, signal));
    (isIdle ? untouched : merged).push(removal);
  }
  return { merged, untouched };
}

/**
 * A branch that was just made has nothing that has not landed; but its work has not begun, so it is not done either. The registry
 * says where it began; for a worktree of another tool git's own log of the branch does.
 */
async function isUntouched(
  { git, repository }: Workspace,
  { entry, head, branch }: Worktree,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (entry?.baseCommit !== undefined) return entry.baseCommit === head;
  if (branch === undefined) return false;
  const moves = await git
    .in(repository.commonDir)
    .line(['log', '--walk-reflogs', '--format=%H', '-2', `refs/heads/${branch}`, '--'], { signal });
  return moves !== undefined && moves !== '' && !moves.includes('\n');
}
