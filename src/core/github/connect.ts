import { Problem } from '../base/problem.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { GitHub, type GitHubOptions } from './client.ts';
import { apiVariable } from './hosts.ts';
import type { HostedRepository } from './remoteUrl.ts';
import { baseRemoteOf, readRemotes, resolvedByGh, type Remotes } from './remotes.ts';
import { findToken, tokenVariables, type Token } from './tokens.ts';
import { githubMessages } from '../messages/github.ts';

/** A repository on GitHub, and the remotes here that lead to it. */
export interface HostSession {
  readonly github: GitHub;
  readonly remotes: Remotes;
  /** The person has said that pull requests belong in this repository, even if it is a fork. */
  readonly chosen: boolean;
}

/** How a session is opened. */
export interface SessionOptions extends Pick<GitHubOptions, 'clock' | 'spacing'> {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
  /** The token for a repository's host, for whoever knows better than {@link findToken} where to get it. */
  readonly token?: ((hosted: HostedRepository) => Promise<Token | undefined>) | undefined;
}

/** Hosts of which it is known that they are no GitHub. */
const others = /(?:^|\.)(?:gitlab\.com|bitbucket\.org|codeberg\.org|azure\.com|visualstudio\.com|sr\.ht|gitea\.com)$/;

/**
 * Finds the repository on GitHub that pull requests are opened in, and the token for it. Asks GitHub nothing yet.
 *
 * @throws Problem `not-found` (no remote on a host), `unsupported` (another host), `no-token`.
 */
export async function openSession(workspace: Workspace, options: SessionOptions = {}): Promise<HostSession> {
  const { environment, git, repository, configuration } = workspace;
  const { signal, progress, clock, spacing } = options;
  const remotes = await readRemotes(workspace, { hosts: true, signal });
  const remote = baseRemoteOf(remotes, configuration.stack.remote);
  const marked = remote && resolvedByGh(remotes, remote);
  const hosted = marked ?? remote?.fetchedFrom;
  if (!remote || !hosted) {
    throw new Problem(
      'not-found',
      remote ? githubMessages.remoteNotGithub({ remoteName: remote.name }) : githubMessages.repositoryNoRemote(),
      { next: githubMessages.addOneGithub(), outcome: 'incomplete' },
    );
  }
  if (others.test(hosted.host) && !environment.variables[apiVariable]) {
    throw new Problem('unsupported', githubMessages.notGithubPull({ host: hosted.host }), {
      next: githubMessages.everythingElseWorks(),
      outcome: 'incomplete',
    });
  }
  const token = await (options.token?.(hosted) ?? findToken(environment, git, hosted, repository.mainRoot, signal));
  if (!token) {
    throw new Problem('no-token', githubMessages.noToken({ host: hosted.host }), {
      next: githubMessages.signGhAuth({ host: hosted.host, tokenVariable: tokenVariables(hosted.host)[0] ?? '' }),
      outcome: 'incomplete',
    });
  }
  const github = new GitHub({
    environment,
    repository: hosted,
    token,
    progress,
    ...(clock ? { clock } : {}),
    ...(spacing === undefined ? {} : { spacing }),
  });
  return { github, remotes, chosen: marked !== undefined };
}

/**
 * The repository that a recorded pull request is in. One of a fork is in what was forked, which no remote here need lead to.
 *
 * @param github the repository that pull requests are opened in by what the remotes say.
 * @param url the address of the pull request; where it names no repository of the same host, the given one is meant.
 */
export function repositoryOf(github: GitHub, url: string | undefined): GitHub {
  const { owner: inOwner, repo: inRepo } = repositoryIn(github, url) ?? github.repository;
  const { owner, repo } = github.repository;
  const same = `${inOwner}/${inRepo}`.toLowerCase() === `${owner}/${repo}`.toLowerCase();
  return same ? github : github.at({ ...github.repository, owner: inOwner, repo: inRepo });
}

/** Whether the address of a pull request is one of the very repository. */
export function isInRepository(github: GitHub, url: string | undefined): boolean {
  return repositoryIn(github, url) !== undefined && repositoryOf(github, url) === github;
}

function repositoryIn({ repository }: GitHub, url = ''): { owner: string; repo: string } | undefined {
  const [, host, owner, repo] = /^https?:\/\/([^/]+)\/([^/]+)\/([^/]+)\/pull\/\d+$/.exec(url) ?? [];
  return host?.toLowerCase() === repository.host && owner && repo ? { owner, repo } : undefined;
}
