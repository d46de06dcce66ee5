import { Problem } from '../../base/problem.ts';
import type { GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import { branchTip, openPullRequestsInto, updatePullRequest } from '../operations.ts';

/** A pull request that was given another base, or why it was not. */
export interface Retargeted {
  readonly number: number;
  readonly url: string;
  readonly from: string;
  readonly to: string;
  /** The reason for leaving it as it is. */
  readonly problem: Problem | undefined;
}

/**
 * Gives the open pull requests into a branch another base, as has to be done before that branch is deleted: deleting it would close them.
 * One that is in a stack of GitHub's own follows by itself and is left alone. One whose commits the new base has all is left, too: GitHub
 * would close it as merged.
 *
 * @param options.only the numbers of those that are meant; default all.
 * @param options.contains whether the first commit is in the history of the second.
 */
export async function retargetChildren(
  github: GitHub,
  from: string,
  to: string,
  options: {
    readonly only?: ReadonlySet<number>;
    readonly contains?: (commit: string, of: string) => Promise<boolean>;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<Retargeted[]> {
  const { only, contains, signal } = options;
  const retargeted: Retargeted[] = [];
  const children = (await openPullRequestsInto(github, from, signal)).filter(
    ({ number, stack }) => !stack && only?.has(number) !== false,
  );
  const under = children.length > 0 && contains ? await branchTip(github, to, signal) : undefined;
  for (const child of children) {
    const about = { number: child.number, url: child.url, from, to };
    if (under !== undefined && (await contains?.(child.head.oid, under))) {
      const message = `Pull request #${child.number} still stands on ${from}: ${to} has all of its commits, so that GitHub would close it as merged.`;
      const next = `rebase and push ${child.head.branch}, then \`wt pr ${child.head.branch}\``;
      retargeted.push({ ...about, problem: new Problem('host-refused', message, { next, outcome: 'incomplete' }) });
      continue;
    }
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
