import type { RecordedPullRequest, RegistryEntry } from '../../repository/registry.ts';
import { updateRegistry } from '../../repository/registry.ts';
import { mergedRecordOf, withoutMerged } from '../../repository/standing.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import type { PullsState } from './readPulls.ts';

/**
 * Records the pull request of a branch that was pushed. A worktree that another tool has made gets an entry with it. One whose branch was
 * renamed with git has it under the new name from now on, and so have its dependents: nothing else is pushed from a worktree.
 *
 * Where the entry that the worktree was read with says all of it, nothing is read or written.
 *
 * @param author who opened it, where that is somebody else.
 */
export async function recordPullRequest(
  { environment, repository }: Workspace,
  { worktree, branch, base }: StackedWorktree,
  pull: PullRequest,
  author?: string,
): Promise<void> {
  const { entry: known } = worktree;
  if (
    known?.branch === branch &&
    JSON.stringify(withPullRequest(known, branch, pull, author)) === JSON.stringify(known)
  )
    return;
  await updateRegistry(environment, repository, ({ worktrees }) => {
    const found = [...worktrees].find(([, entry]) => entry.branch === branch);
    const [name, entry] = found ?? [worktree.name, worktrees.get(worktree.name)];
    worktrees.set(
      name,
      withPullRequest(entry ?? { path: worktree.path, branch, base, pr: null }, branch, pull, author),
    );
    if (!entry || entry.branch === branch) return;
    for (const [other, each] of worktrees)
      if (each.base === entry.branch) worktrees.set(other, { ...each, base: branch });
  });
}

/** Records whose pull request a branch has, where that is somebody else's and nobody has recorded it yet. */
export async function recordOthers(
  workspace: Workspace,
  { found, authors }: PullsState,
  members: readonly StackedWorktree[],
): Promise<void> {
  for (const member of members) {
    const [pull, author, { entry }] = [found.get(member.branch), authors.get(member.branch), member.worktree];
    const isNew = entry?.branch === member.branch && entry.pr?.number !== pull?.number;
    if (pull && author !== undefined && isNew) await recordPullRequest(workspace, member, pull, author);
  }
}

/** An entry with the pull request of its branch. */
function withPullRequest(
  entry: RegistryEntry,
  branch: string,
  pull: PullRequest,
  author: string | undefined,
): RegistryEntry {
  const before = entry.pr;
  const pr: RecordedPullRequest = {
    ...(before?.number === pull.number ? before : {}),
    ...{ number: pull.number, url: pull.url, nodeId: pull.nodeId, state: pull.state },
    ...(author === undefined ? {} : { author }),
  };
  // A new one, or one that is open again, says that there is work after what was merged.
  const merged = mergedRecordOf(entry);
  const byHand = merged?.into !== undefined && merged.pr === undefined;
  return { ...(byHand ? entry : withoutMerged(entry)), branch, pr, prBase: pull.base.branch };
}
