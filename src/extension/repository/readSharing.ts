import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { workspace as settings } from 'vscode';
import { readSharing, type Sharing } from '../../core/github/sharing.ts';
import type { Snapshot } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';

/** Reads where the branches of a repository can be shared, and again only when its git configuration, or what is known of hosts, has changed. */
export class SharingReader {
  #read: string | undefined;

  /** @returns `undefined` while what was read last still holds. */
  async readAgain(workspace: Workspace, snapshot: Snapshot, signal: AbortSignal): Promise<Sharing | undefined> {
    const { mtimeMs = 0, size = 0 } =
      (await stat(join(workspace.repository.commonDir, 'config')).catch(() => undefined)) ?? {};
    const enterprises = knownEnterprises(workspace, snapshot);
    const { remote } = workspace.configuration.stack;
    const now = [mtimeMs, size, remote, ...enterprises].join('\n');
    if (now === this.#read) return undefined;
    const sharing = await readSharing(workspace, enterprises, signal);
    this.#read = now;
    return sharing;
  }
}

/** The hosts that a person or the registry has named as servers of GitHub. */
function knownEnterprises({ environment }: Workspace, { worktrees }: Snapshot): ReadonlySet<string> {
  const configured = settings.getConfiguration('github-enterprise');
  const several: unknown = configured.inspect('uris')?.globalValue;
  const addresses: unknown[] = [
    ...(Array.isArray(several) ? (several as unknown[]) : []),
    configured.inspect('uri')?.globalValue,
    environment.variables['GH_HOST'],
    ...worktrees.map(({ entry }) => entry?.pr?.url),
  ];
  return new Set(addresses.map(hostOf).filter((host) => host !== ''));
}

function hostOf(address: unknown): string {
  if (typeof address !== 'string') return '';
  const text = address.trim();
  return (URL.canParse(text) ? new URL(text).host : text.replace(/\/.*$/, '')).toLowerCase();
}
