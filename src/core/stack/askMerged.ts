import { Problem } from '../base/problem.ts';
import { fetchMerged } from '../integration/fetchMerged.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { workOf } from '../snapshot/facts.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { fetchBases } from './fetchBases.ts';
import { mergedOf, type PullRequests } from './pullRequestLookup.ts';
import { readStack } from './readStack.ts';

/** What asking has brought. */
export interface MergedNews {
  /** Somebody was asked, so that what was read before may be out of date. */
  readonly asked: boolean;
  /** Why not everything could be asked, or what else is to be said, as a sentence. */
  readonly sentence: string | undefined;
}

/**
 * Fetches what tells whether the work of some worktrees is merged: their bases, and what the host says was merged of those with a recorded
 * pull request. That nobody can be asked keeps nobody from removing a worktree: then what was fetched last counts. Where there is no work
 * that may have been merged, or no remote, nobody is asked.
 *
 * @param options.host whoever can ask the host.
 * @param options.onAsk called before the remote is asked.
 */
export async function askMerged(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: {
    readonly host?: PullRequests | undefined;
    readonly onAsk?: () => void;
    readonly signal?: AbortSignal;
  } = {},
): Promise<MergedNews> {
  const { git, repository, configuration } = workspace;
  const { host, signal } = options;
  const open = worktrees.filter(isOpen);
  const args = ['remote', 'get-url', configuration.stack.remote];
  if (open.length === 0 || (await git.in(repository.commonDir).line(args, { signal })) === undefined)
    return { asked: false, sentence: undefined };
  options.onAsk?.();
  const state = await readStack(workspace, { snapshot, signal });
  const { sentence, unreachable } = await fetchBases(workspace, state, signal);
  const recorded = open.flatMap(({ branch, entry }) => (branch !== undefined && entry?.pr ? [branch] : []));
  // Without the remote what the host says proves nothing.
  if (!host || recorded.length === 0 || unreachable) return { asked: true, sentence };
  try {
    const pulls = await host.pullRequestsOf(recorded);
    await fetchMerged(workspace, mergedOf(pulls.values()), signal);
    return { asked: true, sentence };
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const why = `What was merged is judged from what is here: ${thrown.message}`;
    return { asked: true, sentence: sentence === undefined ? why : `${sentence} ${why}` };
  }
}

/** There is work on its branch, and nobody has seen that in its base yet. */
function isOpen(worktree: Worktree): boolean {
  const { main, branch, entry, head } = worktree;
  return !main && branch !== undefined && entry?.baseCommit !== head && workOf(worktree) !== 'merged';
}
