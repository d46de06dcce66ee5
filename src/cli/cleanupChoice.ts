import { findWorktree } from '../core/worktree/find.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import { inspectRemoval } from '../core/remove/inspect.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine } from './command.ts';

/** Which worktrees are to be removed. */
export type CleanupChoice = { readonly words: readonly string[] } | 'all' | 'merged';

/**
 * The worktrees that a person means by their names, by `--all` or by `--merged`.
 *
 * @throws Problem `not-found`, `ambiguous` for a name.
 */
export async function chooseWorktrees(
  cli: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  choice: CleanupChoice,
): Promise<Worktree[]> {
  if (typeof choice !== 'string') {
    const found = await Promise.all(choice.words.map((word) => findWorktree(snapshot, word, cli.environment.cwd)));
    return [...new Set(found)];
  }
  const linked = snapshot.worktrees.filter((worktree) => !worktree.main);
  return choice === 'all' ? linked : landedOnes(cli, workspace, snapshot, linked);
}

async function landedOnes(
  { output, signal }: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  linked: readonly Worktree[],
): Promise<Worktree[]> {
  output.progress('Looking for merged worktrees');
  const landed: Worktree[] = [];
  for (const worktree of linked) {
    const { branch } = await inspectRemoval(workspace, snapshot, worktree, { signal });
    if (branch?.decision !== 'delete') continue;
    if (branch.integration === 'session' || (await isUntouched(workspace, worktree, signal))) {
      output.tell(`${worktree.name} stays: its branch has no commits of its own yet.`);
    } else landed.push(worktree);
  }
  return landed;
}

/**
 * A branch that was just made has nothing that has not landed; but its work has not begun, so it is not done either. The registry
 * says where it began; for a worktree of another tool git's own log of the branch does.
 */
async function isUntouched({ git, repository }: Workspace, worktree: Worktree, signal: AbortSignal): Promise<boolean> {
  const { entry, head, branch } = worktree;
  if (entry?.baseCommit !== undefined) return entry.baseCommit === head;
  if (branch === undefined) return false;
  const moves = await git
    .in(repository.commonDir)
    .line(['log', '--walk-reflogs', '--format=%H', '-2', `refs/heads/${branch}`, '--'], { signal });
  return moves !== undefined && moves !== '' && !moves.includes('\n');
}
