import { Problem } from '../base/problem.ts';
import { chosenPushRemote } from '../git/pushRemotes.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { kindOf } from './hosts.ts';
import { parseRemoteUrl, type HostedRepository } from './remoteUrl.ts';
import { hostBehind, sshProgramOf } from './sshAlias.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { githubMessages } from '../messages/github.ts';

/** A remote as it is configured, with the repository on a host that its address means. */
export interface Remote {
  readonly name: string;
  /** Where it is fetched from and pushed to, with git's `insteadOf` and `pushInsteadOf` applied. */
  readonly fetchUrl: string;
  /** Git pushes to each of them. */
  readonly pushUrls: readonly string[];
  /** `undefined` for a folder on disk and for what is on no host. */
  readonly fetchedFrom: HostedRepository | undefined;
  readonly pushedTo: HostedRepository | undefined;
}

/** The remotes of a repository and what its settings say about them. */
export interface Remotes {
  readonly byName: ReadonlyMap<string, Remote>;
  /** Git's settings below `remote.` and `branch.`, and of ssh, by lower-case section and key: `remote.origin.gh-resolved`. */
  readonly settings: ReadonlyMap<string, string>;
}

/**
 * Reads the remotes. Git applies its own rewriting of addresses, ssh its aliases.
 *
 * @param options.hosts tell which host each address means; without them only names and addresses are read, and ssh is not asked.
 */
export async function readRemotes(
  workspace: Workspace,
  options: { readonly hosts: boolean; readonly signal?: AbortSignal | undefined },
): Promise<Remotes> {
  const { environment, git, repository } = workspace;
  const { signal } = options;
  const at = { cwd: repository.commonDir, signal };
  const pattern =
    '^(remote|branch)\\..*\\.(url|pushurl|remote|pushremote|gh-resolved)$|^remote\\.pushdefault$|^core\\.sshcommand$';
  const answer = await git.in(repository.commonDir).run(['config', '-z', '--get-regexp', pattern], at);
  const settings = new Map<string, string>();
  const names = new Set<string>();
  for (const entry of fieldsOf(answer.stdout)) {
    const end = entry.indexOf('\n');
    if (end < 0) continue;
    const key = entry.slice(0, end);
    settings.set(key, entry.slice(end + 1));
    const name = /^remote\.(.+)\.(?:push)?url$/.exec(key)?.[1];
    if (name !== undefined) names.add(name);
  }
  const ssh = sshProgramOf(environment, settings);
  const aliases = new Map<string, Promise<string>>();
  const locateHost = async (url: string): Promise<HostedRepository | undefined> => {
    const found = parseRemoteUrl(url);
    if (!options.hosts || found?.protocol !== 'ssh' || kindOf(found.host) !== 'server') return found;
    const host = aliases.get(found.host) ?? hostBehind(workspace, found.host, ssh, at);
    aliases.set(found.host, host);
    return { ...found, host: await host };
  };
  const remotes = await Promise.all(
    [...names].map(async (name): Promise<Remote> => {
      const [fetchUrl = '', pushed = ''] = await Promise.all([
        git.in(repository.commonDir).line(['remote', 'get-url', name], at),
        git.in(repository.commonDir).line(['remote', 'get-url', '--push', '--all', name], at),
      ]);
      const pushUrls = pushed.split('\n').filter((url) => url !== '');
      const [fetchedFrom, pushedTo] = await Promise.all([locateHost(fetchUrl), locateHost(pushUrls[0] ?? '')]);
      return { name, fetchUrl, pushUrls, fetchedFrom, pushedTo };
    }),
  );
  return { byName: new Map(remotes.map((remote) => [remote.name, remote])), settings };
}

/** Whether a remote is pushed to another place than it is fetched from: what git has fetched of it says nothing of that place then. */
export function pushedElsewhere({ fetchUrl, pushUrls }: Remote): boolean {
  return pushUrls.some((url) => url !== fetchUrl);
}

/** The addresses that a remote is pushed to, without passwords, for messages and for arguments. */
export function pushPlaces({ pushUrls }: Remote): string[] {
  return pushUrls.map((url) => url.replace(/^(https?:\/\/)[^/@]*@/, '$1'));
}

/** The remote that git's settings choose for the pushes of a branch, see {@link chosenPushRemote}. */
export function chosenInGit({ settings }: Remotes, branch: string): string | undefined {
  return chosenPushRemote(settings, branch);
}

/**
 * The name of the remote that a branch is pushed to, as git chooses it: `branch.<name>.pushRemote`, `remote.pushDefault`,
 * `branch.<name>.remote`, else the configured one.
 *
 * @throws Problem `not-found` when there is no such remote.
 */
export function pushRemoteOf(remotes: Remotes, branch: string, configured: string): Remote {
  const { byName } = remotes;
  const chosen = chosenInGit(remotes, branch) ?? configured;
  const remote = byName.get(chosen) ?? (byName.size === 1 && chosen === 'origin' ? [...byName.values()][0] : undefined);
  if (remote) return remote;
  if (/[:/\\]/.test(chosen)) {
    throw new Problem('unsupported', githubMessages.branchPushedAddress({ branch }), {
      next: githubMessages.giveAddressName({ branch }),
    });
  }
  throw new Problem('not-found', githubMessages.noRemoteNamed({ chosen, branch }), {
    next: byName.size === 0 ? githubMessages.addRemote() : githubMessages.chooseOneStack(),
    items: [...byName.keys()],
    outcome: 'incomplete',
  });
}

/**
 * The remote whose repository pull requests are opened in: the one that `gh repo set-default` has marked, else `upstream`, else the
 * configured one.
 */
export function baseRemoteOf({ byName, settings }: Remotes, configured: string): Remote | undefined {
  const marked = [...byName.values()].find(({ name }) => settings.has(`remote.${name}.gh-resolved`));
  return marked ?? byName.get('upstream') ?? byName.get(configured) ?? [...byName.values()][0];
}

/** What `gh repo set-default` has noted for a remote: its own repository, or another one by name. */
export function resolvedByGh({ settings }: Remotes, remote: Remote): HostedRepository | undefined {
  const noted = settings.get(`remote.${remote.name}.gh-resolved`);
  if (noted === undefined || !remote.fetchedFrom) return undefined;
  if (noted === 'base') return remote.fetchedFrom;
  const [owner, repo] = noted.split('/').slice(-2);
  return owner && repo ? { ...remote.fetchedFrom, owner, repo } : undefined;
}
