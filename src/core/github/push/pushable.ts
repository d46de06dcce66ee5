import { Problem } from '../../base/problem.ts';
import type { Snapshot, Worktree } from '../../worktree/model.ts';
import type { Branches } from '../../snapshot/trunk.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import { githubMessages } from '../../messages/github.ts';

/** While one of these is under way, the branch is not where it will be. */
const moving = new Set(['rebase', 'am', 'bisect']);

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
  const refuse = (why: string, next: string): Problem =>
    new Problem('push-refused', githubMessages.notPushed({ name, why }), { next, outcome: 'incomplete' });
  if (branch === undefined || worktree.bare) {
    throw refuse(
      'no branch is checked out in it',
      `check one out: \`git -C ${JSON.stringify(worktree.path)} switch …\``,
    );
  }
  const { trunk } = snapshot;
  const remoteDefault = branches.remote.defaults.get(`refs/remotes/${remote}/HEAD`);
  if (branch === trunk || remoteDefault === `refs/remotes/${remote}/${branch}` || ['main', 'master'].includes(branch)) {
    throw refuse(`${branch} is the trunk, which wt never pushes`, 'work in a worktree of its own: `wt create <name>`');
  }
  if (operation !== undefined && moving.has(operation)) {
    throw refuse(
      `a ${operation} is under way in it`,
      operation === 'rebase' ? `end it first: \`wt rebase ${name} --continue\` or \`--abort\`` : 'end it first',
    );
  }
  if (entry && entry.branch !== branch && branches.local.has(entry.branch)) {
    throw refuse(
      `it was made for the branch ${entry.branch}, and ${branch} is checked out in it`,
      `switch back: \`git -C ${JSON.stringify(worktree.path)} switch ${entry.branch}\``,
    );
  }
  const tip = branches.local.get(branch)?.oid;
  if (tip === undefined) throw refuse(`${branch} has no commit yet`, 'commit something');
  const member = worktreeGraph(snapshot).branches.get(branch);
  return { worktree, branch, base: member?.base ?? worktree.base?.branch ?? trunk ?? branch, tip };
}
