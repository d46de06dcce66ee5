import { restoredOf } from '../pulls/restoredBranch.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { StackedWorktree } from '../../stack/graph.ts';

/**
 * Whether the pull request of a branch was closed by a person who can still reopen it: the remote has the commit that it was closed with,
 * or has deleted the branch, which GitHub can restore. One that was closed because its base was deleted is reopened by a plan.
 *
 * @param remoteTip the last commit of the branch on its remote; `undefined` where it was deleted.
 */
export function isKeptClosed(
  pull: PullRequest | undefined,
  { worktree: { entry } }: StackedWorktree,
  remoteTip: string | undefined,
): pull is PullRequest {
  const own = pull?.state === 'closed' && pull.number === entry?.pr?.number;
  if (!own || pull.baseGone === true || restoredOf(entry) !== undefined) return false;
  return remoteTip === undefined || remoteTip === pull.head.oid;
}
