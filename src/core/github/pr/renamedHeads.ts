import { Problem } from '../../base/problem.ts';
import { quoted } from '../../base/quoted.ts';
import type { Branches } from '../../snapshot/trunk.ts';
import { getPullRequest } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import type { PullsState } from '../pulls/readPulls.ts';
import { githubMessages } from '../../messages/github.ts';

/**
 * Looks for pull requests of branches that have another name here by now (`git branch -m`, `wt rename --branch`): their recorded one is of the
 * branch on GitHub, which nobody has renamed there. One that was merged counts as the branch's own.
 *
 * @returns those that are open, by the branch's name here.
 */
export async function findRenamedHeads(
  { place, found }: PullsState,
  members: readonly StackedWorktree[],
  { local }: Branches,
  signal: AbortSignal | undefined,
): Promise<Map<string, PullRequest>> {
  const renamed = new Map<string, PullRequest>();
  for (const { branch, worktree } of members) {
    const number = worktree.entry?.pr?.number;
    const own = found.get(branch);
    if (number === undefined || own?.state === 'open' || own?.number === number) continue;
    const pull = await getPullRequest(place.github, number, signal);
    if (!pull || pull.head.branch === branch || local.has(pull.head.branch)) continue;
    if (pull.state === 'open') renamed.set(branch, pull);
    else if (pull.state === 'merged') found.set(branch, pull);
  }
  return renamed;
}

/**
 * What becomes of the pull request of a branch that was renamed is a person's choice.
 *
 * @throws Problem `host-refused` that names both ways.
 */
export function refuseRenamed({ branch, worktree }: StackedWorktree, { number, head }: PullRequest): void {
  const name = quoted(worktree.name);
  throw new Problem(
    'host-refused',
    githubMessages.gotNoPullRequestBranch({ name: worktree.name, number, headBranch: head.branch, branch }),
    {
      next: githubMessages.keepGitBranch({ branch: quoted(branch), headBranch: quoted(head.branch), name }),
      outcome: 'incomplete',
    },
  );
}
