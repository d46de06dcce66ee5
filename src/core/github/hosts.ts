import type { Environment } from '../base/environment.ts';
import { Problem } from '../base/problem.ts';
import type { HostedRepository } from './remoteUrl.ts';
import { githubMessages } from '../messages/github.ts';

/** What kind of GitHub a host is: each takes its token from other variables. */
export type HostKind = 'github.com' | 'ghe.com' | 'server';

/** The variable that replaces the address of every host's interface: for a proxy, and for tests. */
export const apiVariable = 'WORKTREE_STACKS_GITHUB_API';

/** Which kind of GitHub a host is; every name but GitHub's own may be that of an enterprise's server. */
export function kindOf(host: string): HostKind {
  if (host === 'github.com') return 'github.com';
  return host.endsWith('.ghe.com') ? 'ghe.com' : 'server';
}

/**
 * The address of a host's REST interface, without a slash at its end. GraphQL follows from it: `/graphql` below it, and for a server
 * beside its `/v3`.
 *
 * @throws Problem `usage` when the variable {@link apiVariable} holds no address.
 */
export function apiOf(
  environment: Environment,
  { host, protocol }: Pick<HostedRepository, 'host' | 'protocol'>,
): string {
  const replaced = environment.variables[apiVariable];
  if (replaced) {
    if (/^https?:\/\/[^\s@]+$/.test(replaced)) return replaced.replace(/\/+$/, '');
    throw new Problem('usage', githubMessages.notAddressSuch({ apiVariable }), {
      next: githubMessages.correctUnset({ apiVariable }),
    });
  }
  switch (kindOf(host)) {
    case 'github.com':
      return 'https://api.github.com';
    case 'ghe.com':
      return `https://api.${host}`;
    case 'server':
      return `${protocol === 'http' ? 'http' : 'https'}://${host}/api/v3`;
  }
}
