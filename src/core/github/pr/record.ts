import type { RecordedPullRequest } from '../../repository/registry.ts';
import { updateRegistry } from '../../repository/registry.ts';
import type { Workspace } from '../../worktrees/workspace.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { Member } from '../stackMembers.ts';

/** Records the pull request of a branch. A worktree that another tool has made gets an entry with it. */
export async function recordPullRequest(
  { environment, repository }: Workspace,
  { worktree, branch, base }: Member,
  pull: PullRequest,
): Promise<void> {
  await updateRegistry(environment, repository, ({ worktrees }) => {
    const found = [...worktrees].find(([, entry]) => entry.branch === branch);
    const before = found?.[1].pr;
    const pr: RecordedPullRequest = {
      ...(before?.number === pull.number ? before : {}),
      ...{ number: pull.number, url: pull.url, nodeId: pull.nodeId, state: pull.state },
    };
    if (found) worktrees.set(found[0], { ...found[1], pr });
    else if (!worktrees.has(worktree.name)) worktrees.set(worktree.name, { path: worktree.path, branch, base, pr });
  });
}
