import { Problem } from '../../base/problem.ts';
import type { Workspace } from '../../worktrees/workspace.ts';
import type { GitHub } from '../client.ts';
import type { HostSession } from '../connect.ts';
import { repositoryFacts } from '../operations.ts';
import { nameOf, sameRepository, type HostedRepository } from '../remoteUrl.ts';
import { pushRemoteOf } from '../remotes.ts';

/** Where the pull request of a branch is opened, and where its branch is. */
export interface Place {
  readonly github: GitHub;
  readonly headOwner: string;
  /** The branch as GitHub is told it. */
  readonly head: (branch: string) => string;
  /** The branch is in a fork of the repository that it is to be merged into. */
  readonly fork: boolean;
}

/**
 * Finds where pull requests go: the repository of the base remote; when that is a fork and nobody has said otherwise, the one that it was
 * forked from.
 */
export async function placeOf(
  { configuration }: Workspace,
  { github, remotes, chosen }: HostSession,
  branch: string,
  signal?: AbortSignal,
): Promise<Place> {
  const remote = pushRemoteOf(remotes, branch, configuration.stack.remote);
  const { pushedTo } = remote;
  if (!pushedTo) {
    throw new Problem('not-found', `${branch} is pushed to ${remote.name}, which is not on GitHub.`, {
      next: 'push it to a remote on GitHub: `git config remote.pushDefault <remote>`',
      outcome: 'incomplete',
    });
  }
  const { parent } = chosen ? { parent: undefined } : await repositoryFacts(github, signal);
  const [owner, repo] = parent?.split('/') ?? [];
  const base: HostedRepository = owner && repo ? { ...github.repository, owner, repo } : github.repository;
  const fork = !sameRepository(base, pushedTo);
  return {
    github: base === github.repository ? github : github.at(base),
    headOwner: pushedTo.owner,
    head: (name) => (fork ? `${pushedTo.owner}:${name}` : name),
    fork,
  };
}

/**
 * The base of a pull request must be in the repository that it is merged into.
 *
 * @throws Problem `unsupported` for a branch of a fork that stands on another one of the fork.
 */
export function requireReachableBase(place: Place, name: string, base: string, trunk: string | undefined): void {
  if (!place.fork || base === trunk) return;
  throw new Problem(
    'unsupported',
    `${name} got no pull request: it stands on ${base}, which is in your fork and not in ${nameOf(place.github.repository)}.`,
    {
      next:
        'wait until the one below is merged; or, with leave to push there, push the stack to that repository ' +
        '(`git config remote.pushDefault <remote>`)',
      outcome: 'incomplete',
    },
  );
}
