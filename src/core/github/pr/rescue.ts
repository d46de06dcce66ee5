import { Problem } from '../../base/problem.ts';
import type { GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import { branchTip, createBranch, deleteBranch, openPullRequestsInto, updatePullRequest } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';

/**
 * Brings back a pull request that GitHub closed because its base branch was deleted: the branch is made again for a moment, the pull
 * request reopened and given its new base, and the branch deleted once nothing stands on it any more.
 *
 * @returns `undefined` when that is not why it was closed: its base is still there.
 */
export async function rescue(
  github: GitHub,
  closed: PullRequest,
  newBase: string,
  signal?: AbortSignal,
): Promise<PullRequest | undefined> {
  const { branch, oid } = closed.base;
  if ((await branchTip(github, branch, signal)) !== undefined) return undefined;
  await createBranch(github, branch, oid, signal);
  try {
    const open = await updatePullRequest(github, closed.number, { state: 'open' }, signal);
    return open.base.branch === newBase
      ? open
      : await updatePullRequest(github, closed.number, { base: newBase }, signal);
  } finally {
    // Others that stand on it would be closed again.
    const others = await openPullRequestsInto(github, branch, signal).catch(() => [closed]);
    if (others.length === 0) await deleteBranch(github, branch, signal).catch(() => undefined);
  }
}

/** A pull request that was given another base, or why it was not. */
export interface Retargeted {
  readonly number: number;
  readonly url: string;
  readonly from: string;
  readonly to: string;
  /** GitHub's reason for leaving it as it is. */
  readonly problem: Problem | undefined;
}

/**
 * Gives the open pull requests into a branch another base, as has to be done before that branch is deleted: deleting it would close them.
 * One that is in a stack of GitHub's own follows by itself and is left alone.
 *
 * @param only the numbers of those that are meant; default all.
 */
export async function retargetChildren(
  github: GitHub,
  from: string,
  to: string,
  options: { readonly only?: ReadonlySet<number>; readonly signal?: AbortSignal | undefined } = {},
): Promise<Retargeted[]> {
  const { only, signal } = options;
  const retargeted: Retargeted[] = [];
  for (const child of await openPullRequestsInto(github, from, signal)) {
    const about = { number: child.number, url: child.url, from, to };
    if (child.stack || only?.has(child.number) === false) continue;
    try {
      const { base } = await updatePullRequest(github, child.number, { base: to }, signal);
      const kept = new Problem('host-refused', `Pull request #${child.number} still stands on ${base.branch}.`);
      retargeted.push({ ...about, problem: base.branch === to ? undefined : kept });
    } catch (thrown) {
      if (!(thrown instanceof HostProblem) || thrown.status !== 422) throw thrown;
      retargeted.push({ ...about, problem: thrown });
    }
  }
  return retargeted;
}
