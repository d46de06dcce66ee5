import { join } from 'node:path';
import { rm } from '../../base/heldFiles.ts';
import { writeAtomically } from '../../base/atomicFile.ts';
import { withFileLock } from '../../base/fileLock.ts';
import { identityOf, type ProcessIdentity } from '../../base/processes.ts';
import { Problem } from '../../base/problem.ts';
import { markerName, readMarker } from '../../claude/pollMarker.ts';
import { readRegistry } from '../../repository/registry.ts';
import type { Worktree } from '../../worktree/model.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { githubMessages } from '../../messages/github.ts';

/** The age of a heartbeat, in milliseconds, at which it is renewed. */
const heartbeat = 60_000;

/** A marker that this process has put into a worktree. */
export interface Marker {
  /** Says that the poll is alive; `false` when the marker is gone, with its worktree or by hand: then it is not put back. */
  beat(): Promise<boolean>;
  /** Takes it away, unless another poll's is there now. Never fails. */
  remove(): Promise<void>;
}

/**
 * Marks a worktree as watched. The marker of a process that is dead is replaced: nobody could remove it. The new one is written anew every
 * minute, also while the poll waits for longer.
 *
 * @throws Problem `in-use` (incomplete) when a live poll watches it already.
 */
export async function markWatched({ environment, repository }: Workspace, worktree: Worktree): Promise<Marker> {
  const { path, name, slug } = worktree;
  const file = join(path, markerName);
  const own = await identityOf(environment);
  const started = environment.now().toISOString();
  let last = 0;
  const write = async (): Promise<void> => {
    const now = environment.now();
    await writeAtomically(file, `${JSON.stringify({ ...own, started, heartbeat: now.toISOString() })}\n`);
    last = now.getTime();
  };
  const isOurs = async (): Promise<boolean> => {
    const { owner } = await readMarker(environment, path);
    return owner !== undefined && isSame(owner, own);
  };
  // Two polls that start at once must not both find the place free.
  const lock = join(repository.commonDir, 'worktree-stacks', `poll-${slug}`);
  await withFileLock(environment, lock, async () => {
    const { state, owner } = await readMarker(environment, path);
    if (state === 'live') throw watchedAlready(name, file, owner);
    await write();
  });
  let beating: Promise<unknown> = Promise.resolve();
  // Nobody else may find it stale while this poll waits for an hour's requests to be full again.
  const timer = setInterval(() => {
    beating = beating.then(async () => (await isOurs()) && write()).catch(() => undefined);
  }, heartbeat);
  timer.unref();
  return {
    beat: async () => {
      if (!(await isOurs())) return false;
      if (environment.now().getTime() - last >= heartbeat) await write();
      return true;
    },
    remove: async () => {
      clearInterval(timer);
      await beating;
      if (await isOurs()) await rm(file, { force: true }).catch(() => undefined);
    },
  };
}

function watchedAlready(name: string, file: string, owner: ProcessIdentity | undefined): Problem {
  const by = owner ? githubMessages.byProcess({ pid: owner.pid, host: owner.host }) : githubMessages.byUnknownProcess();
  return new Problem('in-use', githubMessages.watchedAlready({ name, by }), {
    file,
    next: owner ? githubMessages.letOneTell() : githubMessages.letOneTellNone({ file }),
    outcome: 'incomplete',
  });
}

/** How many other polls of the repository are alive: they spend of the same hour of the same token. */
export async function countOtherPolls({ environment, repository }: Workspace): Promise<number> {
  const [{ worktrees }, own] = await Promise.all([readRegistry(repository), identityOf(environment)]);
  const owners = new Set<string>();
  for (const { path } of worktrees.values()) {
    const { state, owner } = await readMarker(environment, path);
    // A marker that names no process is nobody's, here.
    if (state === 'live' && owner && !isSame(owner, own)) owners.add(`${owner.pid} ${owner.host} ${owner.born}`);
  }
  return owners.size;
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.host === other.host && one.born === other.born;
}
