import type { Configuration } from '../repository/configuration.ts';
import { portNumbers, type PortBlock } from '../repository/portBlock.ts';

/** A page that a worktree serves, as the team has named it. */
export interface WorktreeUrl {
  readonly name: string;
  /** `undefined` while the worktree lacks what the address needs: ports, which it gets when they are first asked for, or a branch. */
  readonly url: string | undefined;
}

/** A worktree as far as its addresses depend on it. */
export interface Served {
  readonly name: string;
  readonly slug: string;
  readonly branch?: string | undefined;
  readonly main: boolean;
  readonly ports?: PortBlock | undefined;
}

/** The team's addresses (`urls`) filled in for a worktree; none of the main working tree, which has no ports. */
export function urlsOf(
  { urls }: Pick<Configuration, 'urls'>,
  { name, slug, branch, ports, main }: Served,
): WorktreeUrl[] {
  if (main) return [];
  const values = new Map<string, string | undefined>([
    ['name', encodeURIComponent(name)],
    ['slug', slug],
    ['branch', branch && encodeURIComponent(branch)],
    ...portsOf(ports),
  ]);
  return Object.entries(urls).map(([each, pattern]) => {
    let isWhole = true;
    const url = pattern.replace(/\{([^{}]*)\}/g, (_, placeholder: string) => {
      const value = values.get(placeholder);
      isWhole &&= value !== undefined;
      return value ?? '';
    });
    return { name: each, url: isWhole ? url : undefined };
  });
}

function portsOf(ports: PortBlock | undefined): [string, string][] {
  return (ports ? portNumbers(ports) : []).map((port, index) => [
    index === 0 ? 'port' : `port_${index + 1}`,
    String(port),
  ]);
}
