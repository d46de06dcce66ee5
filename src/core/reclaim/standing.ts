import { isWithin, realPathOf } from '../base/paths.ts';
import { reclaimMessages } from '../messages/reclaim.ts';
import type { Message } from '../messages/message.ts';
import { findLiveRun } from '../remove/liveRun.ts';
import { findLiveSessions, type LiveSession } from '../remove/liveSessions.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Why nothing of a worktree may be reclaimed, whenever it was changed last: somebody works in it, or wants it to stay as it is. `undefined`
 * when nothing speaks against it.
 *
 * @param agents those that are known to live in it, beside the processes that are found standing there.
 */
export async function whyInUse(
  { environment, repository }: Workspace,
  worktree: Worktree,
  agents: readonly LiveSession[],
): Promise<Message | undefined> {
  if (worktree.main || worktree.bare) return reclaimMessages.isMain();
  if (worktree.condition !== 'fine' || worktree.gitDir === undefined) return reclaimMessages.notThere();
  const { lockReason: reason, operation, path } = worktree;
  if (reason !== undefined) return reason === '' ? reclaimMessages.isLocked() : reclaimMessages.isLockedFor({ reason });
  if (worktree.active) return reclaimMessages.isActive();
  const real = await realPathOf(path);
  if (isWithin(real, await realPathOf(environment.cwd))) return reclaimMessages.isCurrent();
  const [agent] = agents.length > 0 ? agents : await findLiveSessions(environment, real);
  if (agent) return reclaimMessages.worksIn({ what: agent.what, pid: agent.pid });
  if (await findLiveRun(environment, repository.commonDir, real)) return reclaimMessages.workflowIn();
  return operation && reclaimMessages.underWay({ operation });
}
