import { fieldsOf } from '../git/repositoryGit.ts';
import { createMessages } from '../messages/create.ts';
import type { CreateContext } from './context.ts';
import type { Tracking } from './createData.ts';
import { findRemoteBranch } from './remoteBranch.ts';
import type { PullToContinue } from './request.ts';
import { clashOf, existing, type ResolvedBranch } from './resolveBranch.ts';

/**
 * The branch for a pull request. One that is here already is used: of this repository by its name, of a fork by what it follows, since
 * a fork's branch of a name is another one than ours. A new one of a fork is called like it where nothing of ours is, else with the
 * owner before it: a fork's `main` is not our `main`.
 *
 * @throws Problem `in-use` when it is checked out already.
 */
export async function branchOfPull(context: CreateContext, pull: PullToContinue): Promise<ResolvedBranch> {
  const { number, branch, fork, commit, tracking, warnings } = pull;
  const here = fork === undefined ? branch : await branchFollowing(context, tracking);
  if (here !== undefined && context.branches.local.has(here)) {
    const found = existing(context, here, here, here);
    const differs = found.tip === commit ? [] : [createMessages.localBranchUsedForPull({ branch: here, number })];
    return { ...found, warnings: [...warnings, ...differs] };
  }
  const name = fork === undefined ? branch : freeName(context, pull, fork);
  return { name, isNew: true, tip: commit, fromRemote: `#${number}`, tracking, warnings };
}

function freeName(context: CreateContext, { branch, number }: PullToContinue, fork: string): string {
  const isOurs = (name: string): boolean =>
    name === context.trunk ||
    ['main', 'master'].includes(name) ||
    clashOf(context, name) !== undefined ||
    findRemoteBranch(context, name) !== undefined;
  const numbered = `pr-${number}`;
  return [branch, `${fork}/${branch}`, numbered].find((name) => !isOurs(name)) ?? `${numbered}-${fork}`;
}

/** The branch here that follows one of a fork. */
async function branchFollowing(
  { workspace, signal }: CreateContext,
  tracking: Tracking | undefined,
): Promise<string | undefined> {
  if (!tracking) return undefined;
  const { git, repository } = workspace;
  const args = ['config', '-z', '--get-regexp', '^branch\\..*\\.(remote|merge)$'];
  const answer = await git.in(repository.commonDir).run(args, { signal });
  const settings = new Map<string, string>();
  for (const entry of fieldsOf(answer.stdout)) {
    const end = entry.indexOf('\n');
    if (end >= 0) settings.set(entry.slice(0, end), entry.slice(end + 1));
  }
  for (const [key, value] of settings) {
    const [, name] = /^branch\.(.+)\.remote$/.exec(key) ?? [];
    if (value === tracking.remote && settings.get(`branch.${name}.merge`) === tracking.ref) return name;
  }
  return undefined;
}
