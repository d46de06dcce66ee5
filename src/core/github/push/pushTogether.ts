import { Problem } from '../../base/problem.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { nameOn, type Remote } from '../remotes.ts';
import type { PushStep } from './decideAll.ts';
import { recordPushed } from './lastPushed.ts';
import type { Pushed, PushOptions } from './model.ts';
import type { RefusalContext } from './refusal.ts';
import { runPush } from './runPush.ts';
import { joinWithRemote, type Joined } from './sameContent.ts';
import { githubMessages } from '../../messages/github.ts';

/** What became of a branch, by the way that it went. */
export const results = {
  unchanged: 'unchanged',
  create: 'created',
  forward: 'forwarded',
  rewrite: 'rewritten',
  join: 'joined',
} as const;

/**
 * Pushes branches of one remote in one go, and records what was pushed. A branch that was joined with its former self for that, and did not
 * arrive, is put back.
 */
export async function pushTogether(
  workspace: Workspace,
  remote: Remote,
  steps: readonly PushStep[],
  context: RefusalContext,
  options: PushOptions,
): Promise<Pushed[]> {
  const open = steps.filter(({ way }) => way.kind !== 'unchanged');
  const joined = new Map<string, Joined>();
  let left = open;
  let problem: Error | undefined;
  try {
    for (const { member, way } of open) {
      if (way.kind !== 'join') continue;
      joined.set(member.branch, await joinMember(workspace, member, way.remoteTip, options.signal));
    }
    const refs = open.map(({ member, way }) => ({ ...member, lease: way.kind === 'rewrite' ? way.lease : undefined }));
    const outcome = await runPush(workspace, remote, refs, context, options);
    left = open.slice(outcome.arrived);
    problem = outcome.problem;
  } catch (thrown) {
    problem = thrown instanceof Error ? thrown : new Error(String(thrown));
  }
  // What could not be pushed is put back as it was; the next try joins it anew.
  for (const { member } of left)
    await joined
      .get(member.branch)
      ?.undo()
      .catch(() => undefined);
  const there = steps.filter((step) => !left.includes(step));
  const pushed = there.map(({ member, way, before }): Pushed => {
    const oid = joined.get(member.branch)?.tip ?? member.tip;
    return {
      name: member.worktree.name,
      branch: member.branch,
      remote: remote.name,
      oid,
      before,
      how: results[way.kind],
    };
  });
  const records = pushed.map(
    ({ branch, oid }) => [branch, { remote: remote.name, ref: `refs/heads/${nameOn(remote, branch)}`, oid }] as const,
  );
  if (problem === undefined || left.length < open.length) await recordPushed(workspace, new Map(records));
  if (problem !== undefined) throw problem;
  return pushed;
}

async function joinMember(
  workspace: Workspace,
  { branch, tip, base, worktree }: PushStep['member'],
  remoteTip: string,
  signal: AbortSignal | undefined,
): Promise<Joined> {
  const { git, repository } = workspace;
  const { name, entry } = worktree;
  const repo = git.in(repository.commonDir);
  const holds = (ancestor: string, of: string): Promise<boolean> => repo.isAncestor(ancestor, of, { signal });
  const recorded = entry?.baseCommit;
  const shared = await repo.line(['merge-base', `refs/heads/${base}`, tip], { signal });
  // Somebody who rebases by hand records nothing: of both the one nearer to the tip counts.
  const known = recorded !== undefined && (await holds(recorded, tip)) ? recorded : undefined;
  const stands = known !== undefined && (shared === undefined || !(await holds(known, shared))) ? known : shared;
  if (stands === undefined) {
    throw new Problem('push-refused', githubMessages.notPushedBase({ name }), {
      next: githubMessages.pushLeaseInstead({ name }),
      outcome: 'incomplete',
    });
  }
  return joinWithRemote(workspace, { branch, name, tip, remoteTip, newBase: stands }, signal);
}
