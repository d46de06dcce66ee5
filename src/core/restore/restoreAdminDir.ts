import { rename, rm } from '../base/heldFiles.ts';
import type { Message } from '../messages/message.ts';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { samePlace } from '../base/paths.ts';
import { isThere } from '../base/isThere.ts';
import { Problem, errorCode, messageOf } from '../base/problem.ts';
import { writeAgent } from '../claude/agentFiles.ts';
import { deleteMadeBranch, makeBranch, type MadeBranch } from '../create/madeBranch.ts';
import type { RemoveOperation, RemovedWorktree, ReverseOperation } from '../operations/operation.ts';
import type { KeptAdminDir } from '../operations/backups.ts';
import { runOperation, type OperationKind } from '../operations/runner.ts';
import { reserve } from '../operations/store.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readAround, refuseUndone, type RestorePlan } from './restorePlan.ts';
import { restoreRecords, restoreSettings, type RestoredWorktree } from './restoreSteps.ts';
import { restoreTasks } from './restoreTasks.ts';
import { restoreMessages } from '../messages/restore.ts';

/** All that is needed to finish it or to roll it back, without the process that began it. */
export interface RestoreAdminData extends RestorePlan {
  readonly operation: ReverseOperation;
  /** The first entry in the log of a branch that was made again. */
  readonly note: string;
}

/**
 * Checks whether a worktree can be restored of which only git's admin directory was dropped: that as it was, with its branch.
 *
 * @throws Problem `taken`, `in-use` or `not-found` (outcome incomplete) with what is in the way and what to do.
 */
export async function planRestoreAdmin(
  workspace: Workspace,
  { title, removal }: RemoveOperation,
  signal?: AbortSignal,
): Promise<RestorePlan> {
  const { removed, admin } = adminOf(removal);
  const { name, branch, head } = removed;
  const id = basename(admin.gitDir);
  const refused = (reason: 'taken' | 'in-use' | 'not-found', why: Message, next: Message): Problem =>
    new Problem(reason, restoreMessages.cannotUndoneBecause({ why, title }), { next, outcome: 'incomplete' });
  const { worktrees, namesake, branches, registry, repointed } = await readAround(workspace, removed, signal);
  if (!(await isThere(join(admin.folder, 'HEAD'))))
    throw refused('not-found', restoreMessages.keptGone({ folder: admin.folder }), restoreMessages.seeWhetherCopy());
  const holder = worktrees.find(({ gitDir }) => gitDir !== undefined && basename(gitDir) === id);
  if (await isThere(admin.gitDir)) {
    const whose = holder === undefined ? admin.gitDir : `the worktree at ${holder.path}`;
    throw refused('taken', restoreMessages.idTaken({ id, whose }), restoreMessages.removeWorktreeFirst());
  }
  const entry = registry.worktrees.get(name);
  if (namesake || (entry && entry.branch !== removed.entry?.branch)) {
    const next = restoreMessages.renameMakesRoom({ name: quoted(name) });
    throw refused('taken', restoreMessages.anotherWorktreeNow({ name }), next);
  }
  const deleted = admin.branch;
  const wanted = deleted?.name ?? branch;
  const there = wanted === undefined ? undefined : branches.local.get(wanted);
  if (wanted !== undefined) {
    const other = worktrees.find((each) => each.branch === wanted);
    if (other)
      throw refused(
        'in-use',
        restoreMessages.checkedOutElsewhere({ wanted, otherPath: other.path }),
        restoreMessages.checkOutAnother(),
      );
    const was = deleted?.oid ?? head;
    if (there && was !== '' && there.oid !== was) {
      const next = restoreMessages.gitBranchF({ wanted: quoted(wanted), was });
      throw refused('in-use', restoreMessages.branchMovedSince({ wanted, was: was.slice(0, 12) }), next);
    }
  }
  return {
    removal: removed,
    makesBranch: wanted !== undefined && !there && (deleted?.oid ?? head) !== '',
    repointed,
    // Its logs are in git's admin directory, and its ignored files never went.
    hasKept: false,
  };
}

/** `wt undo` of a removal that dropped the admin directory alone: the rename of that directory is the commit point. */
export const restoreAdminKind: OperationKind<RestoreAdminData, RestoredWorktree> = {
  name: 'restore-record',
  describe: ({ removal: { name } }) => restoreMessages.restoring({ name }),
  async isCommitted(_, { removal }) {
    const { admin } = adminOf(removal);
    return !(await isThere(admin.folder)) && (await isThere(admin.gitDir));
  },
  finish: complete,
  async rollBack(workspace, data) {
    const branch = branchToMake(data);
    // Whoever has moved it meanwhile keeps it.
    if (branch) await deleteMadeBranch(workspace, branch);
  },
};

/**
 * Restores a worktree of which only git's admin directory was dropped. Its folder is not touched, wherever it is.
 *
 * @param of the removal.
 * @param operation the undo, to be remembered when it is done.
 * @throws Problem as {@link planRestoreAdmin}.
 */
export async function restoreAdmin(
  workspace: Workspace,
  of: RemoveOperation,
  operation: ReverseOperation,
  signal?: AbortSignal,
): Promise<ReverseOperation> {
  const plan = async (): Promise<RestoreAdminData> => {
    await refuseUndone(workspace, of);
    const found = await planRestoreAdmin(workspace, of, signal);
    return { ...found, operation, note: `wt ${operation.title} (${operation.id})` };
  };
  const done = await runOperation(
    workspace,
    restoreAdminKind,
    () => reserve(workspace, restoreAdminKind.name, of.removal.slug, plan),
    {
      async prepare({ data }) {
        const branch = branchToMake(data);
        if (branch) await makeBranch(workspace, branch);
      },
      commit: ({ data }) => putBack(data),
    },
  );
  return done.operation;
}

/** One rename: the admin directory is there as a whole, or not at all. */
async function putBack({ removal }: RestoreAdminData): Promise<void> {
  const { admin } = adminOf(removal);
  await mkdir(dirname(admin.gitDir), { recursive: true });
  await rename(admin.folder, admin.gitDir).catch((thrown: unknown) => {
    const isTaken = ['ENOTEMPTY', 'EEXIST'].includes(errorCode(thrown) ?? '');
    throw new Problem(
      isTaken ? 'taken' : 'not-writable',
      restoreMessages.adminDirNotPutBack({ gitDir: admin.gitDir, reason: messageOf(thrown) }),
      {
        file: admin.gitDir,
        next: restoreMessages.lookThenAgain(),
        outcome: 'incomplete',
        cause: thrown,
      },
    );
  });
}

function branchToMake({ makesBranch, removal, note }: RestoreAdminData): MadeBranch | undefined {
  const { branch, head, admin } = removal;
  const made = admin?.branch ?? (branch === undefined ? undefined : { name: branch, oid: head });
  return makesBranch && made ? { ...made, note } : undefined;
}

/** Everything after the admin directory is back; doing it twice is harmless. */
async function complete(workspace: Workspace, data: RestoreAdminData): Promise<RestoredWorktree> {
  const { removal, operation } = data;
  const { name, slug, path, branch, hadAgent } = removal;
  const { admin } = adminOf(removal);
  await restoreSettings(workspace, data);
  const notes = [...(await restoreRecords(workspace, data, admin.gitDir)), ...(await restoreTasks(workspace, removal))];
  if (hadAgent && branch !== undefined)
    notes.push(...(await writeAgent(workspace, { name, slug, path, branch })).notes);
  if (!(await leadsBack(path, admin.gitDir))) notes.push(restoreMessages.folderNotFound({ path }));
  await rm(dirname(admin.folder), { recursive: true, force: true });
  return { operation: { ...operation, state: 'done', restored: [{ name, path }], notes } };
}

async function leadsBack(path: string, gitDir: string): Promise<boolean> {
  const text = await readFile(join(path, '.git'), 'utf8').catch(() => '');
  return text.startsWith('gitdir: ') && samePlace(resolve(path, text.slice('gitdir: '.length).trimEnd()), gitDir);
}

function adminOf(removal: RemovedWorktree): { removed: RemovedWorktree; admin: KeptAdminDir } {
  if (!removal.admin) throw new Error('no record of a worktree was kept');
  return { removed: removal, admin: removal.admin };
}
