import { Problem } from '../base/problem.ts';
import { chosenPushRemote } from '../git/pushRemotes.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { kindOf } from './hosts.ts';
import { parseRemoteUrl, sameRepository, type HostedRepository } from './remoteUrl.ts';
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
  /** What branches are called there that have another name here. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The remotes of a repository and what its settings say about them. */
export interface Remotes {
  readonly byName: ReadonlyMap<string, Remote>;
  /** Places that branches are pushed to by their address alone, such as the fork of a pull request, by that address. */
  readonly addresses: ReadonlyMap<string, Remote>;
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
    '^(remote|branch)\\..*\\.(url|pushurl|remote|pushremote|merge|gh-resolved)$|^remote\\.pushdefault$|^core\\.sshcommand$';
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
  const byName = new Map(remotes.map((remote) => [remote.name, remote]));
  const addresses = new Map<string, Remote>();
  for (const [address, branches] of addressesIn(settings, byName)) {
    const url = withoutPassword(address);
    const pushedTo = await locateHost(address);
    const isKnown = remotes.some(
      (each) =>
        each.pushUrls.includes(address) || (each.pushedTo && pushedTo && sameRepository(each.pushedTo, pushedTo)),
    );
    // In a repository of ours a branch is what it is called here: what it follows there may be the trunk.
    const merges = (isKnown ? [] : branches).map((branch): [string, string] => [
      branch,
      settings.get(`branch.${branch}.merge`) ?? '',
    ]);
    addresses.set(address, {
      ...{ name: url, fetchUrl: '', pushUrls: [url], fetchedFrom: undefined, pushedTo },
      names: new Map(merges.flatMap(([branch, ref]) => (isHead(ref) ? [[branch, ref.slice(heads.length)]] : []))),
    });
  }
  return { byName, addresses, settings };
}

const heads = 'refs/heads/';
const isHead = (ref: string): boolean => ref.startsWith(heads) && ref.length > heads.length;

/** The addresses that take the place of a remote's name in the settings of branches, with those branches. */
function addressesIn(
  settings: ReadonlyMap<string, string>,
  byName: ReadonlyMap<string, Remote>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const key of settings.keys()) {
    const [, branch] = /^branch\.(.+)\.(?:push)?remote$/.exec(key) ?? [];
    const chosen = branch === undefined ? undefined : chosenPushRemote(settings, branch);
    if (branch === undefined || chosen === undefined || byName.has(chosen) || !/[:/\\]/.test(chosen)) continue;
    const those = found.get(chosen) ?? [];
    if (!those.includes(branch)) found.set(chosen, [...those, branch]);
  }
  return found;
}

/** What a branch of this repository is called on a remote. */
export function nameOn(remote: Remote, branch: string): string {
  return remote.names?.get(branch) ?? branch;
}

/** An address without the password that it may hold. */
export const withoutPassword = (url: string): string => url.replace(/^(https?:\/\/)[^/@]*@/, '$1');

/** Whether a remote is pushed to another place than it is fetched from: what git has fetched of it says nothing of that place then. */
export function pushedElsewhere({ fetchUrl, pushUrls }: Remote): boolean {
  return pushUrls.some((url) => url !== fetchUrl);
}

/** The addresses that a remote is pushed to, without passwords, for messages and for arguments. */
export function pushPlaces({ pushUrls }: Remote): string[] {
  return pushUrls.map(withoutPassword);
}

/** The remote that git's settings choose for the pushes of a branch, see {@link chosenPushRemote}. */
export function chosenInGit({ settings }: Remotes, branch: string): string | undefined {
  return chosenPushRemote(settings, branch);
}

/**
 * The remote that a branch is pushed to, as git chooses it: `branch.<name>.pushRemote`, `remote.pushDefault`, `branch.<name>.remote`, else
 * the configured one. Any of them may be an address, as of the fork of a pull request.
 *
 * @throws Problem `not-found` when there is no such remote.
 */
export function pushRemoteOf(remotes: Remotes, branch: string, configured: string): Remote {
  const { byName, addresses } = remotes;
  const chosen = chosenInGit(remotes, branch) ?? configured;
  const only = byName.size === 1 && chosen === 'origin' ? [...byName.values()][0] : undefined;
  const remote = byName.get(chosen) ?? addresses.get(chosen) ?? only;
  if (remote) return remote;
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
