import { Problem } from '../base/problem.ts';
import { fetchMerged } from '../integration/fetchMerged.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { workOf } from '../snapshot/facts.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { fetchBases } from './fetchBases.ts';
import { mergedOf, type PullRequestLookup } from './pullRequestLookup.ts';
import { readStack } from './readStack.ts';
import type { Message } from '../messages/message.ts';
import { stackMessages } from '../messages/stack.ts';

/** What is known after a fetch. */
export interface FetchedMergeState {
  /** Something was fetched, so what was read before may be stale. */
  readonly asked: boolean;
  /** What could not be fetched, or was renamed. */
  readonly notes: readonly Message[];
}

/**
 * Fetches what tells whether the work of some worktrees is merged: their bases, and the merge commits of their recorded pull requests.
 * Without an answer the state that was fetched last counts. Nothing is fetched without a remote, or where no work can have been merged.
 *
 * @param options.host looks up pull requests.
 * @param options.onAsk called before the remote is asked.
 */
export async function fetchMergeState(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: {
    readonly host?: PullRequestLookup | undefined;
    readonly onAsk?: () => void;
    readonly signal?: AbortSignal;
  } = {},
): Promise<FetchedMergeState> {
  const { git, repository, configuration } = workspace;
  const { host, signal } = options;
  const open = worktrees.filter(isOpen);
  const args = ['remote', 'get-url', configuration.stack.remote];
  if (open.length === 0 || (await git.in(repository.commonDir).line(args, { signal })) === undefined)
    return { asked: false, notes: [] };
  options.onAsk?.();
  const state = await readStack(workspace, { snapshot, signal });
  const { notes, unreachable } = await fetchBases(workspace, state, signal);
  const recorded = open.flatMap(({ branch, entry }) => (branch !== undefined && entry?.pr ? [branch] : []));
  // The host's answer proves nothing without the commits.
  if (!host || recorded.length === 0 || unreachable) return { asked: true, notes };
  try {
    const pulls = await host.pullRequestsOf(recorded);
    await fetchMerged(workspace, mergedOf(pulls.values()), signal);
    return { asked: true, notes };
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return { asked: true, notes: [...notes, stackMessages.mergesDetectedLocal({ reason: thrown.what })] };
  }
}

/** Its branch has work that is not known to be in its base. */
function isOpen(worktree: Worktree): boolean {
  const { main, branch, entry, head } = worktree;
  return !main && branch !== undefined && entry?.baseCommit !== head && workOf(worktree) !== 'merged';
}
