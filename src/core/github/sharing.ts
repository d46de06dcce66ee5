import type { Workspace } from '../worktree/workspace.ts';
import { apiVariable, kindOf } from './hosts.ts';
import { baseRemoteOf, readRemotes } from './remotes.ts';

/** Where branches can be shared: as pull requests on GitHub, by a push to a remote, or nowhere. */
export type Sharing = 'pullRequests' | 'push' | 'nowhere';

/**
 * Finds out where the branches of a repository can be shared. Asks no server.
 *
 * @param enterprises the hosts that are known to be servers of GitHub, beside its own.
 */
export async function readSharing(
  workspace: Workspace,
  enterprises: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Sharing> {
  const remotes = await readRemotes(workspace, { hosts: true, signal });
  const base = baseRemoteOf(remotes, workspace.configuration.stack.remote);
  if (!base) return 'nowhere';
  const host = base.fetchedFrom?.host;
  if (host === undefined) return 'push';
  const replaced = Boolean(workspace.environment.variables[apiVariable]);
  return replaced || enterprises.has(host) || looksLikeGitHub(host) ? 'pullRequests' : 'push';
}

/** Whether a host is one of GitHub's own, or is called like a server of GitHub in a company: `github.example.com`. */
function looksLikeGitHub(host: string): boolean {
  return kindOf(host) !== 'server' || /(^|[.-])github([.-]|$)/.test(host);
}
