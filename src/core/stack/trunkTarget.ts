import { Problem } from '../base/problem.ts';
import { tipsOf, type Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { History } from './history.ts';
import { stackMessages } from '../messages/stack.ts';
import { integrationMessages } from '../messages/integration.ts';

/** A commit to rebase onto. */
export interface RebaseTarget {
  /** The branch that is recorded as the base. */
  readonly branch: string;
  readonly oid: string;
  /** The branch, or `origin/main` where the remote's is meant. */
  readonly label: string;
}

/**
 * The commit to rebase onto for a base outside of the stacks, mostly the trunk: the remote's where the local one is behind, the local one
 * where it is ahead.
 *
 * @returns `undefined` when there is no such branch.
 * @throws Problem `ambiguous` when the two have diverged: rebasing onto either would be a guess.
 */
export function targetOf(
  branches: Branches,
  branch: string,
  remote: string,
  history: History,
): RebaseTarget | undefined {
  const tips = tipsOf(branches, branch, remote);
  const there = tips.remote === undefined ? undefined : { branch, oid: tips.remote, label: `${remote}/${branch}` };
  const here = tips.local === undefined ? undefined : { branch, oid: tips.local, label: branch };
  if (!here || !there) return here ?? there;
  if (history.isAncestor(here.oid, there.oid)) return there;
  if (history.isAncestor(there.oid, here.oid)) return here;
  throw new Problem('ambiguous', stackMessages.divergedNotClear({ label: here.label, thereLabel: there.label }), {
    next: stackMessages.bringUpDate({ branch, label: there.label, hereLabel: here.label }),
    outcome: 'incomplete',
  });
}

/**
 * The commit that a word names: a branch here, one of a remote, or any commit.
 *
 * @throws Problem `not-found`.
 */
export async function commitOf(
  { git, repository, configuration }: Workspace,
  word: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (word === undefined) return undefined;
  const there = `refs/remotes/${configuration.stack.remote}/${word}`;
  for (const name of [`refs/heads/${word}`, `refs/remotes/${word}`, word, there]) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    const oid = await git.line(args, { cwd: repository.mainRoot, signal });
    if (oid !== undefined) return oid;
  }
  throw new Problem('not-found', integrationMessages.noBranchCommit({ word: JSON.stringify(word) }), {
    next: stackMessages.stackAndBranchesShow(),
  });
}

/** A base is always a branch: the next rebase must find where it went. */
export function targetNamed(branches: Branches, word: string, oid: string | undefined, remote: string): RebaseTarget {
  if (oid !== undefined && branches.local.has(word)) return { branch: word, oid, label: word };
  const full = word.replace(/^refs\/remotes\//, '');
  if (oid !== undefined && branches.remote.oids.get(`refs/remotes/${full}`) === oid && full.startsWith(`${remote}/`)) {
    return { branch: full.slice(remote.length + 1), oid, label: full };
  }
  const there = branches.remote.oids.get(`refs/remotes/${remote}/${word}`);
  if (there !== undefined) return { branch: word, oid: there, label: `${remote}/${word}` };
  throw new Problem('usage', stackMessages.commitButOnly({ word: JSON.stringify(word) }), {
    next: stackMessages.nameBranchOnto(),
  });
}
