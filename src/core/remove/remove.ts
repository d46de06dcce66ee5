import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../base/diskSpace.ts';
import { Problem } from '../base/problem.ts';
import { readRegistry } from '../repository/registry.ts';
import { backupPrefix } from './backup.ts';
import { finishRemoval, removeKind } from './commit.ts';
import type { RemoveData } from './removeData.ts';
import { runOperation } from '../operations/runner.ts';
import { reserve } from '../operations/store.ts';
import { keptAdminDir } from '../operations/backups.ts';
import { keptId } from '../operations/keptFolder.ts';
import { changed, stageDeletion, type StagedRemoval } from './stageDeletion.ts';
import { describeRemoved, type Removed } from './removed.ts';
import { newRemovalId, removalOperation } from './undoRecord.ts';
import { withRoom } from './roomForRemoval.ts';
import { openTasksOf } from '../tasks/unassign.ts';
import { quoted } from '../base/quoted.ts';
import { outOfSight } from './outOfSight.ts';
import type { Removal, Inspected, RemovalObstacle } from './inspect.ts';
import type { RemoveOptions } from './removeOptions.ts';
import { newTrash, stagedPath, trashEntry } from '../trash/trashEntry.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { removeMessages } from '../messages/remove.ts';
import { textOf, type Message } from '../messages/message.ts';

export type { Removed } from './removed.ts';

/**
 * Removes a worktree that {@link inspectRemoval} inspected: stages its folder for deletion, makes sure that nothing was written to it
 * since, and only then removes git's admin directory, the branch if its work is elsewhere, and all that the product keeps of it.
 * The folder is deleted afterwards, in the background.
 *
 * @throws Problem `would-lose-work` or `in-use` (outcome incomplete) that names each obstacle, or that something has changed
 *   since; `unreadable-file` for a registry that cannot be read; `cancelled`. The worktree is then as it was.
 */
export async function removeWorktree(workspace: Workspace, removal: Removal, options: RemoveOptions): Promise<Removed> {
  const { repository } = workspace;
  const { path } = removal.worktree;
  const inspected = admit(removal, options);
  // What the last step will write must be readable before the first one.
  await readRegistry(repository);
  const prefix = backupPrefix(workspace.environment.now(), removal.worktree.slug);
  const log = options.remember === false && !removal.adminDirOnly ? undefined : newRemovalId(workspace);
  const plan = async (): Promise<RemoveData> => ({
    ...(await begin(workspace, removal, inspected, { prefix, log })),
    log,
    kept: keptId(prefix),
  });
  let staged: StagedRemoval | undefined;
  const done = await runOperation(
    workspace,
    removeKind,
    () => reserve(workspace, removeKind.name, removal.worktree.slug, plan),
    {
      prepare: async ({ data: begun }) =>
        void (staged = await stageDeletion(workspace, removal, inspected, { ...options, begun, prefix })),
      async commit(reservation) {
        const now = stagedOf(staged);
        const was = { inspected, staged: now, prefix, group: options.group };
        const operation = log === undefined ? undefined : await removalOperation(workspace, log, removal, was);
        await reservation.note({ ...now.decided, operation });
      },
      finish: (decided) => finishRemoval(workspace, decided),
      attempt: (phase, steps) => {
        const decided = phase === 'commit' ? undefined : stagedOf(staged).decided;
        const folder = decided && !decided.inPlace ? decided.aside : path;
        return withRoom(workspace, removal, steps, folder).catch((thrown: unknown) => {
          throw isDiskFull(thrown) ? (decided ? halfWritten : diskFull)(removal, thrown) : thrown;
        });
      },
    },
  );
  options.deleteLater(trashEntry(repository, stagedOf(staged).decided.bin).folder);
  return describeRemoved(removal, inspected, stagedOf(staged), done);
}

function stagedOf(staged: StagedRemoval | undefined): StagedRemoval {
  if (!staged) throw new Error('nothing was staged for deletion');
  return staged;
}

function diskFull({ worktree }: Removal, cause: unknown): Problem {
  return new Problem('not-writable', removeMessages.notRemovedDisk({ name: worktree.name }), {
    next: removeMessages.freeSomeSpace(),
    outcome: 'incomplete',
    cause,
  });
}

function halfWritten({ worktree }: Removal, cause: unknown): Problem {
  return new Problem('not-writable', removeMessages.removedButDiskFull({ name: worktree.name }), {
    next: removeMessages.freeSomeSpaceNext(),
    outcome: 'incomplete',
    cause,
  });
}

/**
 * What was found in a worktree that may go.
 *
 * @param how.force it may go although something speaks against it.
 * @throws Problem that names each obstacle, or says that the folder is out of sight.
 */
export function admit(
  removal: Removal,
  { force = false, drop = false }: Pick<RemoveOptions, 'force' | 'drop'>,
): Inspected {
  const { worktree, obstacles, inspected } = removal;
  const stopping = force ? obstacles.filter((each) => !each.forceable) : obstacles;
  if (removal.adminDirOnly && inspected && !(force && drop)) throw outOfSight(removal, inspected.pathState);
  if (stopping.length === 0 && inspected) return inspected;
  const isWork = stopping.some(
    (each) => !['locked', 'queued', 'current-directory', 'live-session', 'main'].includes(each.kind),
  );

  throw new Problem(
    isWork ? 'would-lose-work' : 'in-use',
    removeMessages.notRemoved({
      name: worktree.name,
      stopping: stopping.map((each) => textOf(each.message)).join('; '),
    }),
    {
      next: nextStep(worktree, stopping),
      items: stopping.flatMap((each) => each.items).slice(0, 50),
      outcome: 'incomplete',
    },
  );
}

function nextStep({ name }: Worktree, stopping: readonly RemovalObstacle[]): Message {
  const final = stopping.filter((each) => !each.forceable);
  if (final.length === 0) return removeMessages.dealKeepsBackup({ name: quoted(name) });
  return final.every(({ kind }) => kind === 'locked')
    ? removeMessages.unlockFirst({ name: quoted(name) })
    : removeMessages.dealFirstForce();
}

async function begin(
  workspace: Workspace,
  removal: Removal,
  inspected: Inspected,
  { prefix, log }: { readonly prefix: string; readonly log: string | undefined },
): Promise<RemoveData> {
  const { repository } = workspace;
  const { worktree, branch, newBase, adminDirOnly } = removal;
  const { name, slug, path } = worktree;
  const bin = newTrash(repository);
  const pointer = await readFile(join(inspected.gitDir, 'gitdir'), 'utf8').catch(() => undefined);
  if (pointer === undefined) throw changed(removal, removeMessages.noRecordAnyMore());
  const open = await openTasksOf(workspace, worktree);
  return {
    step: 'begun',
    name,
    slug,
    path,
    gitDir: inspected.gitDir,
    pointer,
    bin: bin.id,
    aside: adminDirOnly ? undefined : stagedPath(path, slug, bin),
    keep: adminDirOnly && log !== undefined ? keptAdminDir(repository, log) : undefined,
    inPlace: undefined,
    branch:
      branch?.decision === 'delete'
        ? {
            name: branch.name,
            oid: branch.oid,
            backup: branch.integration === 'ancestor' && !adminDirOnly ? undefined : `${prefix}/branch`,
          }
        : undefined,
    entryPath: worktree.entry?.path,
    repoint:
      newBase !== undefined && worktree.branch !== undefined ? { from: worktree.branch, to: newBase } : undefined,
    tasks: { merged: branch?.decision === 'delete' && branch.integration !== 'session', open },
  };
}
