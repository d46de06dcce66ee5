import { Problem } from '../core/base/problem.ts';
import { landedOnHost } from '../core/github/landedOnHost.ts';
import { fetchBases } from '../core/stack/fetchBases.ts';
import { mergedOf } from '../core/stack/host.ts';
import { readStack } from '../core/stack/readStack.ts';
import { fetchMerged } from '../core/worktrees/fetchMerged.ts';
import type { Snapshot, Worktree } from '../core/worktrees/model.ts';
import { workOf } from '../core/worktrees/read/facts.ts';
import { readSnapshot } from '../core/worktrees/read/snapshot.ts';
import type { Workspace } from '../core/worktrees/workspace.ts';
import type { CommandLine } from './command.ts';

/**
 * Fetches what tells whether the work of some worktrees is merged: their bases, and what GitHub says was merged of those with a recorded
 * pull request. That nobody can be asked is told, and keeps nobody from removing a worktree: then what was fetched last counts.
 *
 * @returns the snapshot as it is then; the same where there was nothing to ask.
 */
export async function bringNews(
  { output, signal }: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
): Promise<Snapshot> {
  const open = worktrees.filter(isOpen);
  const { git, repository, configuration } = workspace;
  const args = [`--git-dir=${repository.commonDir}`, 'remote', 'get-url', configuration.stack.remote];
  if (open.length === 0 || (await git.line(args, { cwd: repository.commonDir, signal })) === undefined) return snapshot;
  output.progress('Asking the remote what was merged');
  const state = await readStack(workspace, { snapshot, signal });
  const failed = await fetchBases(workspace, state, signal);
  if (failed !== undefined) output.tell(failed);
  const recorded = open.flatMap(({ branch, entry }) => (branch !== undefined && entry?.pr ? [branch] : []));
  if (recorded.length > 0) {
    try {
      const pulls = await landedOnHost(workspace, snapshot, { signal }).pullRequestsOf(recorded);
      await fetchMerged(workspace, mergedOf(pulls.values()), signal);
    } catch (thrown) {
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      output.tell(`What was merged is judged from what is here: ${thrown.message}`);
    }
  }
  return readSnapshot(workspace, { signal, withChanges: false });
}

/** There is work on its branch, and nobody has seen that in its base yet. */
function isOpen(worktree: Worktree): boolean {
  const { main, branch, entry, head } = worktree;
  return !main && branch !== undefined && entry?.baseCommit !== head && workOf(worktree) !== 'merged';
}
