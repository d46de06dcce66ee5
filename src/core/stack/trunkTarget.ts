import { Problem } from '../base/problem.ts';
import { tipsOf, type Branches } from '../worktrees/read/trunk.ts';
import type { History } from './history.ts';

/** A commit to rebase onto, and how people call it. */
export interface Target {
  /** The branch that is recorded as the base. */
  readonly branch: string;
  readonly oid: string;
  /** The branch, or `origin/main` where the remote's is meant. */
  readonly label: string;
}

/**
 * The commit that a branch which is in no stack stands for, trunk above all: the remote's where the local one was only left behind, the
 * local one where it has all of the remote's and more.
 *
 * @returns `undefined` when there is no such branch.
 * @throws Problem `ambiguous` when both have commits that the other has not: rebasing onto either would be a guess.
 */
export function targetOf(branches: Branches, branch: string, remote: string, history: History): Target | undefined {
  const tips = tipsOf(branches, branch, remote);
  const there = tips.remote === undefined ? undefined : { branch, oid: tips.remote, label: `${remote}/${branch}` };
  const here = tips.local === undefined ? undefined : { branch, oid: tips.local, label: branch };
  if (!here || !there) return here ?? there;
  if (history.isAncestor(here.oid, there.oid)) return there;
  if (history.isAncestor(there.oid, here.oid)) return here;
  throw new Problem(
    'ambiguous',
    `${here.label} and ${there.label} have diverged, so it is not clear what to rebase onto. Nothing was moved.`,
    {
      next: `bring ${branch} up to date, or choose one with \`--onto ${there.label}\` or \`--onto ${here.label}\``,
      outcome: 'incomplete',
    },
  );
}
