import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../../base/atomicFile.ts';
import { withFileLock } from '../../base/fileLock.ts';
import { isObject } from '../../base/jsonText.ts';
import { identityOf, mayBeAlive, type ProcessIdentity } from '../../base/processes.ts';
import { Problem } from '../../base/problem.ts';
import { readRegistry } from '../../repository/registry.ts';
import type { Worktree } from '../../worktrees/model.ts';
import type { Workspace } from '../../worktrees/workspace.ts';

/** The file in a worktree that says that its pull request is watched. */
export const markerName = '.poll-active';

/** So old a heartbeat gets, in milliseconds, before there is a new one. */
const heartbeat = 60_000;

/** A marker that this process has put into a worktree. */
export interface Marker {
  /** Says that the poll is alive; `false` when the marker is gone, with its worktree or by hand: then it is not put back. */
  beat(): Promise<boolean>;
  /** Takes it away, unless another poll's is there now. Never fails. */
  remove(): Promise<void>;
}

/**
 * Marks a worktree as watched. The marker of a process that is dead is replaced: nobody could remove it.
 *
 * @throws Problem `in-use` (incomplete) when a live poll watches it already.
 */
export async function markWatched({ environment, repository }: Workspace, worktree: Worktree): Promise<Marker> {
  const file = join(worktree.path, markerName);
  const own = await identityOf(environment);
  const started = environment.now().toISOString();
  let last = 0;
  const write = async (): Promise<void> => {
    const now = environment.now();
    await writeAtomically(file, `${JSON.stringify({ ...own, started, heartbeat: now.toISOString() })}\n`);
    last = now.getTime();
  };
  // Two polls that start at once must not both find the place free.
  const lock = join(repository.commonDir, 'worktree-stacks', `poll-${worktree.slug}`);
  await withFileLock(environment, lock, async () => {
    const other = await readOwner(file);
    if (other && (await mayBeAlive(environment, other))) {
      throw new Problem('in-use', `${worktree.name} is watched already, by process ${other.pid} on ${other.host}.`, {
        file,
        next: 'let that one tell you; or end it, and run the command again',
        outcome: 'incomplete',
      });
    }
    await write();
  });
  return {
    beat: async () => {
      const owner = await readOwner(file);
      if (!owner || !isSame(owner, own)) return false;
      if (environment.now().getTime() - last >= heartbeat) await write();
      return true;
    },
    remove: async () => {
      const owner = await readOwner(file).catch(() => undefined);
      if (owner && isSame(owner, own)) await rm(file, { force: true }).catch(() => undefined);
    },
  };
}

/** How many other polls of the repository are alive: they spend of the same hour of the same token. */
export async function countOtherPolls({ environment, repository }: Workspace): Promise<number> {
  const [{ worktrees }, own] = await Promise.all([readRegistry(repository), identityOf(environment)]);
  const owners = new Map<string, ProcessIdentity>();
  for (const { path } of worktrees.values()) {
    // Whatever cannot be read is nobody's, here.
    const owner = await readOwner(join(path, markerName)).catch(() => undefined);
    if (owner && !isSame(owner, own)) owners.set(`${owner.pid} ${owner.host} ${owner.born}`, owner);
  }
  const alive = await Promise.all([...owners.values()].map((owner) => mayBeAlive(environment, owner)));
  return alive.filter(Boolean).length;
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.host === other.host && one.born === other.born;
}

async function readOwner(file: string): Promise<ProcessIdentity | undefined> {
  const text = await readTextIfThere(file);
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (!isObject(value) || typeof value['pid'] !== 'number' || typeof value['host'] !== 'string') return undefined;
    const born = value['born'];
    return { pid: value['pid'], host: value['host'], ...(typeof born === 'string' ? { born } : {}) };
  } catch {
    return undefined;
  }
}
