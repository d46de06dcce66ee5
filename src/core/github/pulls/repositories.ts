import { Problem } from '../../base/problem.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { GitHub } from '../client.ts';
import type { HostSession } from '../connect.ts';
import { branchTip, forkedFrom } from '../operations.ts';
import { nameOf, sameRepository, type HostedRepository } from '../remoteUrl.ts';
import { nameOn, pushRemoteOf, type Remotes } from '../remotes.ts';
import { githubMessages } from '../../messages/github.ts';
import type { Message } from '../../messages/message.ts';

/** Where a branch is on GitHub. */
export interface Head {
  readonly repository: Pick<HostedRepository, 'owner' | 'repo'>;
  /** The branch as GitHub is told it: `owner:branch` when it is in a fork. */
  readonly name: string;
  /** It is in a fork of the repository that it is to be merged into. */
  readonly fork: boolean;
  /** The fork has the owner of that repository: GitHub has to be told its name, too. */
  readonly sameOwner: boolean;
}

/** The repository that a branch is pushed to, and what it is called there. */
export interface Home extends HostedRepository {
  readonly branch: string;
}

/** Where pull requests are opened, and where the branches of a stack are. */
export interface PullRepositories {
  readonly github: GitHub;
  /** By branch; those are left out that are pushed to no repository on GitHub and were not asked for. */
  readonly heads: ReadonlyMap<string, Head>;
  /** The remotes here that lead to the repository of the pull requests. */
  readonly remotes: readonly string[];
}

/**
 * The repository on GitHub that each branch is pushed to.
 *
 * @param branches of the stack; those are left out that are pushed to none and were not asked for.
 * @param wanted those of them that are to get a pull request.
 * @throws Problem `not-found` when one of these is pushed to no repository on GitHub.
 */
export function homesOf(
  { configuration }: Workspace,
  { remotes }: HostSession,
  branches: readonly string[],
  wanted: ReadonlySet<string>,
): Map<string, Home> {
  const homes = new Map<string, Home>();
  for (const branch of branches) {
    const to = hostedHome(remotes, branch, configuration.stack.remote, wanted.has(branch));
    if (to) homes.set(branch, to);
  }
  return homes;
}

/**
 * Where pull requests go: the repository of the base remote; when that is a fork and nobody has said otherwise, the one that it was
 * forked from. Each branch is where git pushes it to.
 *
 * @param parent what that repository was forked from, `owner/repo`.
 */
export function repositoriesOf(
  { github, remotes, chosen }: HostSession,
  homes: ReadonlyMap<string, Home>,
  parent: string | undefined,
): PullRepositories {
  const [owner, repo] = chosen ? [] : (parent?.split('/') ?? []);
  const base: HostedRepository = owner && repo ? { ...github.repository, owner, repo } : github.repository;
  const heads = [...homes].map(([branch, to]): [string, Head] => {
    const fork = !sameRepository(base, to);
    const { owner: headOwner, repo: headRepo } = to;
    const sameOwner = fork && headOwner.toLowerCase() === base.owner.toLowerCase();
    const name = fork ? `${headOwner}:${to.branch}` : to.branch;
    return [branch, { repository: { owner: headOwner, repo: headRepo }, name, fork, sameOwner }];
  });
  return {
    github: base === github.repository ? github : github.at(base),
    heads: new Map(heads),
    remotes: [...remotes.byName.values()].flatMap(({ name, fetchedFrom }) =>
      fetchedFrom && sameRepository(fetchedFrom, base) ? [name] : [],
    ),
  };
}

/**
 * The repository whose pull requests are meant: that of the base remote; when that is a fork and nobody has said otherwise, the one that
 * it was forked from.
 *
 * @throws HostProblem as every request.
 */
export async function openedIn({ github, chosen }: HostSession, signal?: AbortSignal): Promise<GitHub> {
  const [owner, repo] = chosen ? [] : ((await forkedFrom(github, signal))?.split('/') ?? []);
  return owner && repo ? github.at({ ...github.repository, owner, repo }) : github;
}

function hostedHome(remotes: Remotes, branch: string, configured: string, wanted: boolean): Home | undefined {
  try {
    const remote = pushRemoteOf(remotes, branch, configured);
    if (remote.pushedTo) return { ...remote.pushedTo, branch: nameOn(remote, branch) };
    if (!wanted) return undefined;
    throw new Problem('not-found', githubMessages.pushedNotGithub({ branch, remoteName: remote.name }), {
      next: githubMessages.pushRemoteGithub(),
      outcome: 'incomplete',
    });
  } catch (thrown) {
    if (!wanted && Problem.is(thrown)) return undefined;
    throw thrown;
  }
}

/** A branch, and the one that its pull request is to be merged into. */
export interface BasePair {
  /** For messages. */
  readonly name: string;
  readonly branch: string;
  readonly base: string;
}

/**
 * The base of a pull request must be in the repository that it is merged into. Of a branch of the stack it is known where it is; of
 * another one GitHub is asked.
 *
 * @param lowest the name of the one at the bottom of the stack.
 * @throws Problem `unsupported` for a branch of a fork that is based on another one of the fork.
 */
export async function requireReachableBase(
  { github, heads, remotes }: PullRepositories,
  { name, branch, base }: BasePair,
  { trunk, lowest }: { readonly trunk: string | undefined; readonly lowest: string },
  signal?: AbortSignal,
): Promise<void> {
  if (!heads.get(branch)?.fork || base === trunk) return;
  const under = heads.get(base);
  if (under ? !under.fork : (await branchTip(github, base, signal)) !== undefined) return;
  const wait = lowest === name ? '' : githubMessages.openLowestFirst({ lowest, name });
  throw new Problem('unsupported', githubMessages.baseInFork({ name, base, repository: nameOf(github.repository) }), {
    next: githubMessages.pushStackThere({ wait, remote: remotes[0] ?? githubMessages.remote() }),
    outcome: 'incomplete',
  });
}

/**
 * What a person should know whose branches follow the trunk of a fork, while their pull requests go to the repository that it was forked
 * from: there the trunk moves on, and a rebase would not get to see it. `undefined` where both are one.
 *
 * @param configured the remote whose trunk is followed.
 */
export function trunkElsewhere(
  { github, heads, remotes }: PullRepositories,
  branch: string,
  configured: string,
): Message | undefined {
  if (!heads.get(branch)?.fork || remotes.includes(configured)) return undefined;
  const [remote = 'upstream'] = remotes;
  const about = { configured, repository: nameOf(github.repository), remote };
  return remotes.length > 0 ? githubMessages.trunkOfFork(about) : githubMessages.trunkOfForkAdd(about);
}
