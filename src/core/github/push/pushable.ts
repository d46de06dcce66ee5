import type { Message } from '../../messages/message.ts';
import { Problem } from '../../base/problem.ts';
import type { Snapshot, Worktree } from '../../worktree/model.ts';
import type { Branches } from '../../snapshot/trunk.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import { githubMessages } from '../../messages/github.ts';
import { removeMessages } from '../../messages/remove.ts';
import { restackMessages } from '../../messages/restack.ts';
import { moving, trunkNames } from './isPushable.ts';

/**
 * The branch of a worktree, if it may be pushed at all.
 *
 * @throws Problem `push-refused`: no branch, the trunk, another branch than the worktree was made for, a rebase under way.
 */
export function pushableMember(
  snapshot: Snapshot,
  branches: Branches,
  worktree: Worktree,
  remote: string,
): StackedWorktree & { readonly tip: string } {
  const { name, branch, entry, operation } = worktree;
  const refuse = (why: Message, next: Message): Problem =>
    new Problem('push-refused', githubMessages.notPushed({ name, why }), { next, outcome: 'incomplete' });
  if (branch === undefined || worktree.bare) {
    throw refuse(githubMessages.noBranchChecked(), githubMessages.checkOneOut({ path: JSON.stringify(worktree.path) }));
  }
  const { trunk } = snapshot;
  const remoteDefault = branches.remote.defaults.get(`refs/remotes/${remote}/HEAD`);
  if (branch === trunk || remoteDefault === `refs/remotes/${remote}/${branch}` || trunkNames.has(branch)) {
    throw refuse(githubMessages.trunkWtNever({ branch }), githubMessages.workWorktreeOwn());
  }
  if (operation !== undefined && moving.has(operation)) {
    throw refuse(removeMessages.underWay({ operation }), restackMessages.endFirst({ path: worktree.path }));
  }
  if (entry && entry.branch !== branch && branches.local.has(entry.branch)) {
    throw refuse(
      githubMessages.madeBranchChecked({ entryBranch: entry.branch, branch }),
      githubMessages.switchBack({ path: JSON.stringify(worktree.path), entryBranch: entry.branch }),
    );
  }
  const tip = branches.local.get(branch)?.oid;
  if (tip === undefined) throw refuse(githubMessages.noCommitYet({ branch }), githubMessages.commitSomething());
  const member = worktreeGraph(snapshot).branches.get(branch);
  return { worktree, branch, base: member?.base ?? worktree.base?.branch ?? trunk ?? branch, tip };
}
