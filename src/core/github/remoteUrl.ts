/** A repository on a host, as the address of a remote names it. */
export interface HostedRepository {
  /** The host in lower case, with its port where it is not the protocol's own and the protocol is the web's. */
  readonly host: string;
  /** `http` only where the address says so: a server inside a test or a company. */
  readonly protocol: 'http' | 'https' | 'ssh' | 'git';
  readonly owner: string;
  readonly repo: string;
}

/**
 * Reads the address of a remote: `git@host:owner/repo.git`, `ssh://git@host:22/owner/repo`, `https://name@host/owner/repo.git/`,
 * `git://host/owner/repo`. GitHub's `ssh.github.com:443` is `github.com`.
 *
 * @returns `undefined` for a path on disk, a Windows drive, and anything that does not end in an owner and a repository.
 */
export function parseRemoteUrl(url: string): HostedRepository | undefined {
  const text = url.trim();
  const whole = /^([a-z][a-z0-9+.-]*):\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?\/(.+)$/i.exec(text);
  if (whole) {
    const [, scheme = '', host = '', port, path = ''] = whole;
    const protocol = protocols[scheme.toLowerCase()];
    return protocol && toRepository(protocol, host, port, path);
  }
  if (text.includes('://')) return undefined;
  const scp = /^(?:[^@/:\\]+@)?(\[[^\]]+\]|[^:/\\]+):(?!\\)\/?(.+)$/.exec(text);
  if (!scp) return undefined;
  const [, host = '', path = ''] = scp;
  // `C:/code/repo` is a folder of Windows, not a host of one letter.
  if (/^[a-z]$/i.test(host)) return undefined;
  return toRepository('ssh', host, undefined, path);
}

const protocols: Readonly<Record<string, HostedRepository['protocol']>> = {
  http: 'http',
  https: 'https',
  ssh: 'ssh',
  'git+ssh': 'ssh',
  'ssh+git': 'ssh',
  git: 'git',
};

const usualPorts = { http: '80', https: '443', ssh: '22', git: '9418' } as const;

function toRepository(
  protocol: HostedRepository['protocol'],
  rawHost: string,
  port: string | undefined,
  path: string,
): HostedRepository | undefined {
  const parts = path
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .split('/')
    .filter((part) => part !== '');
  const [owner, repo] = parts.slice(-2);
  if (parts.length < 2 || !owner || !repo || owner.startsWith('~')) return undefined;
  const host = webHostOf(rawHost);
  // The port of another protocol says nothing about where the web interface listens.
  const web = (protocol === 'http' || protocol === 'https') && port !== undefined && port !== usualPorts[protocol];
  return { host: web ? `${host}:${port}` : host, protocol, owner: decode(owner), repo: decode(repo) };
}

/** The host in lower case; GitHub answers ssh on a name of its own as well, for networks that let only the port 443 pass. */
export function webHostOf(host: string): string {
  const name = host.toLowerCase();
  return /^ssh\.(github\.com|[\w-]+\.ghe\.com)$/.exec(name)?.[1] ?? name;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether two addresses mean the same repository; names on GitHub do not differ by case. */
export function sameRepository(one: HostedRepository, other: HostedRepository): boolean {
  return one.host === other.host && nameOf(one).toLowerCase() === nameOf(other).toLowerCase();
}

/** `owner/repo`. */
export function nameOf({ owner, repo }: Pick<HostedRepository, 'owner' | 'repo'>): string {
  return `${owner}/${repo}`;
}
