import { findWorktree } from '../core/worktree/find.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import { inspectRemoval, type Removal } from '../core/remove/inspect.ts';
import { mergedWorktrees } from '../core/remove/mergedWorktrees.ts';
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
  if (choice === 'all') return linked;
  const { output, signal } = cli;
  output.progress('Looking for merged worktrees');
  const removals: Removal[] = [];
  for (const worktree of linked) removals.push(await inspectRemoval(workspace, snapshot, worktree, { signal }));
  const { merged, untouched } = await mergedWorktrees(workspace, removals, signal);
  for (const { worktree } of untouched)
    output.tell(`${worktree.name} stays: its branch has no commits of its own yet.`);
  return merged.map(({ worktree }) => worktree);
}
