import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { rename, rm, rmdir } from '../base/heldFiles.ts';
import { isDiskFull } from '../base/diskSpace.ts';
import { isThere } from '../base/isThere.ts';
import { relativeTo, samePath, samePlace } from '../base/paths.ts';
import { Problem, errorCode, messageOf } from '../base/problem.ts';
import { makeFolders } from '../base/sharing.ts';
import { removeAgent } from '../claude/agentFiles.ts';
import { gitFileTarget } from '../git/gitFile.ts';
import type { Repository } from '../repository/identity.ts';
import { quoted } from '../base/quoted.ts';
import { planToRestore, restoreWorktree } from '../restore/restore.ts';
import { updateRegistry } from '../repository/registry.ts';
import { clearActive, readActive } from '../repository/stateFile.ts';
import { untrack } from '../repository/trackingFile.ts';
import { temporaryIndex } from '../worktree/indexCopy.ts';
import { dropKept } from '../operations/keptFolder.ts';
import { deleteBranch } from './deleteBranch.ts';
import type { RemoveOperation } from '../operations/operation.ts';
import type { OperationKind, Outcome, Reversed } from '../operations/runner.ts';
import { forgetOperation } from '../operations/store.ts';
import { notInSight, sightOf } from '../worktree/pathVisibility.ts';
import { putBackFolder } from './stageFolder.ts';
import { unassignTasks, type UnassignedTask } from '../tasks/unassign.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import { deleteTrash } from '../trash/trash.ts';
import { stageTrash, stagedAdminDir, trashEntry } from '../trash/trashEntry.ts';
import type { RemoveData } from './removeData.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { removeMessages } from '../messages/remove.ts';
import type { Message } from '../messages/message.ts';
import { tasksMessages } from '../messages/tasks.ts';

/** `wt cleanup`: the decision is the commit point. */
export const removeKind: OperationKind<RemoveData, Finished> = {
  name: 'cleanup',
  describe: ({ name }) => removeMessages.removing({ name }),
  isCommitted: (_, { step }) => Promise.resolve(step === 'decided'),
  async finish(workspace, data) {
    const done = await finishRemoval(workspace, data);
    await deleteTrash(workspace.git, trashEntry(workspace.repository, data.bin).folder).catch((thrown: unknown) => {
      // The trash entry says what keeps it; the removal itself is finished.
      if (!Problem.is(thrown)) throw thrown;
    });
    return done;
  },
  rollBack: rollBackRemoval,
  async inverse(workspace, { kind, of }: Reversed<RemoveOperation>, signal) {
    if (kind === 'redo') {
      throw new Problem('unsupported', removeMessages.removalNotDone({ title: of.title }), {
        next: removeMessages.cleanupLooksFirst({ name: quoted(of.removal.name) }),
        outcome: 'incomplete',
      });
    }
    return {
      restore: await planToRestore(workspace, of, signal),
      run: (now, operation, options) => restoreWorktree(now, of, operation, options),
    };
  },
};

/**
 * Rolls a removal back that was not decided yet: the worktree is as it was before. Does nothing when it never began.
 *
 * @throws Problem `taken` when the folder cannot go back to its place, since something else is there now.
 */
async function rollBackRemoval(workspace: Workspace, data: RemoveData): Promise<void> {
  const { name, path, aside, gitDir, log, kept } = data;
  if (log !== undefined) await forgetOperation(workspace, log);
  await dropKept(workspace.repository, kept);
  await rm(join(gitDir, temporaryIndex), { force: true });
  if (aside === undefined) return;
  if (!(await isThere(aside))) {
    // Neither here nor there: it would be forgotten under the name that it was staged with.
    if (!(await isThere(path)) && (await sightOf(aside, workspace.repository)) === 'unknown')
      throw notInSight(removeMessages.removing({ name }), aside);
    return;
  }
  const isBack = await putBackFolder(aside, path).catch((thrown: unknown) => {
    throw new Problem('not-writable', removeMessages.notPutBack({ aside, path, reason: messageOf(thrown) }), {
      file: aside,
      next: removeMessages.closeUsesFolder(),
      cause: thrown,
    });
  });
  if (isBack) return;
  throw new Problem('taken', removeMessages.worktreeWhereInterrupted({ name, aside, path }), {
    file: aside,
    next: removeMessages.moveAwayThenRecover({ path }),
    outcome: 'incomplete',
  });
}

/** What {@link finishRemoval} did. */
export interface Finished extends Outcome {
  readonly branchDeleted: boolean;
  /** Why a branch that was to go is still there. */
  readonly branchKept: Message | undefined;
  readonly dependents: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  readonly clearedActive: boolean;
  /** The tasks that left the worktree tasks of the session file. */
  readonly tasks: readonly UnassignedTask[];
  readonly notes: readonly Message[];
}

const nothing: Finished = {
  operation: undefined,
  branchDeleted: false,
  branchKept: undefined,
  dependents: [],
  clearedActive: false,
  tasks: [],
  notes: [],
};

/**
 * Does all that is left of a removal once it is decided: git's admin directory, the branch, the registry, the state file, the agent, the
 * session file, the tracking file. Each step checks first whether it has been done already, so it can be run again after a process has died
 * anywhere in it. In the end the trash entry may be deleted.
 */
export async function finishRemoval(workspace: Workspace, data: RemoveData): Promise<Finished> {
  const { repository } = workspace;
  const notes: Message[] = [];
  if (data.inPlace) notes.push(...(await deleteInPlace(data.path, data.inPlace.gitFile)));
  if (!(await stageAdminDir(workspace, data))) {
    await freeTrash(repository, data);
    if (data.log !== undefined) await forgetOperation(workspace, data.log);
    return { ...nothing, notes: [removeMessages.anotherWorktreeThere({ path: data.path })] };
  }
  const [branchKept, dependents, clearedActive, tasks] = await Promise.all([
    data.branch && deleteBranch(workspace, data.branch),
    dropEntry(workspace, data),
    clearActiveState(workspace, data.path, notes),
    unassign(workspace, data, notes),
    removeAgent(repository, data.slug),
    markTracking(workspace, data.path, notes),
  ]);
  await freeTrash(repository, data);
  return {
    operation: data.operation,
    branchDeleted: data.branch !== undefined && branchKept === undefined,
    branchKept,
    dependents,
    clearedActive,
    tasks,
    notes,
  };
}

/** From now on what was staged may be deleted. */
async function freeTrash(repository: Repository, { bin, aside, keep, path, look, left }: RemoveData): Promise<void> {
  // Nothing is staged where only git's admin directory goes, which is kept.
  if (keep !== undefined) return;
  const staged = { tree: aside, was: path, look, ...(left && { left: path }) };
  await stageTrash(repository, trashEntry(repository, bin), staged);
}

/**
 * Stages git's admin directory of the worktree in one step, and exactly this one. Git's own `worktree remove` deletes it file by
 * file, and one that is killed half-way leaves an admin directory that nobody can read any more.
 *
 * @returns false when the admin directory is that of another worktree by now: somebody has made one at the same path since.
 */
async function stageAdminDir(
  { repository }: Workspace,
  { gitDir, pointer, path, bin, keep }: RemoveData,
): Promise<boolean> {
  const now = await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => undefined);
  // A repository that was moved since has its pointers elsewhere, once somebody has repaired them.
  if (now === undefined) return true;
  if (now !== pointer && !samePath(resolve(gitDir, now.trimEnd()), join(path, '.git'))) return true;
  const gitFile = await readFile(join(path, '.git'), 'utf8').catch(() => '');
  const target = gitFileTarget(gitFile);
  if (target !== undefined && (await samePlace(resolve(path, target), gitDir))) return false;
  const kept = keep ?? stagedAdminDir(trashEntry(repository, bin).folder);
  try {
    await makeFolders(dirname(kept));
    await rename(gitDir, kept);
    return true;
  } catch (thrown) {
    // A folder that could not be made is not there either.
    if (errorCode(thrown) === 'ENOENT' && !(await isThere(gitDir))) return true;
    throw new Problem('not-writable', removeMessages.adminDirNotRemoved({ path, reason: messageOf(thrown) }), {
      file: gitDir,
      next: removeMessages.closeThenCleanup(),
      outcome: 'incomplete',
      cause: thrown,
    });
  }
}

/** Whatever cannot be deleted is no worktree any more and may be deleted by hand. */
async function deleteInPlace(path: string, gitFile: string): Promise<Message[]> {
  const proof = join(path, '.git');
  try {
    if ((await readFile(proof, 'utf8').catch(() => undefined)) === gitFile) {
      // The proof of what it is goes last, so that a process that dies here can be followed by another.
      await deleteFolder(path, ['.git']);
      await rm(proof, { force: true });
    }
    await rmdir(path);
    return [];
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return [];
    const reason = messageOf(thrown).replace(/\.$/, '');
    const next = Problem.is(thrown) ? thrown.nextStep : undefined;
    return [
      next === undefined
        ? removeMessages.notDeletedCompletely({ path, reason })
        : removeMessages.notDeletedCompletelyNext({ path, reason, next }),
    ];
  }
}

async function dropEntry({ environment, repository }: Workspace, data: RemoveData): Promise<Finished['dependents']> {
  const { path, gitDir, entryPath, repoint } = data;
  return updateRegistry(environment, repository, ({ worktrees, ports }) => {
    ports.delete(basename(gitDir));
    const dependents: { name: string; from: string; to: string }[] = [];
    const entries = [...worktrees];
    const own = entries.filter(
      ([, { path: at }]) => at === entryPath || samePath(resolve(repository.mainRoot, at), path),
    );
    for (const [name] of own) worktrees.delete(name);
    if (!repoint) return dependents;
    const { from } = repoint;
    // Its own base may have been removed since it was inspected.
    const to = own.map(([, entry]) => entry).find((entry) => entry.branch === from)?.base ?? repoint.to;
    for (const [name, entry] of worktrees) {
      if (entry.base !== from || entry.branch === to) continue;
      worktrees.set(name, { ...entry, base: to });
      dependents.push({ name, from, to });
    }
    return dependents;
  });
}

async function clearActiveState(
  { environment, repository }: Workspace,
  path: string,
  notes: Message[],
): Promise<boolean> {
  try {
    if ((await readActive(repository)) === undefined) return false;
    return await clearActive(environment, repository, path);
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    notes.push(thrown.what);
    return false;
  }
}

/** A session file that cannot be read or written keeps nobody from removing a worktree. */
async function unassign(workspace: Workspace, data: RemoveData, notes: Message[]): Promise<readonly UnassignedTask[]> {
  try {
    return await unassignTasks(workspace, data.slug, data.tasks ?? { merged: false, open: [] });
  } catch (thrown) {
    if (!Problem.is(thrown) || isDiskFull(thrown)) throw thrown;
    notes.push(tasksMessages.sessionFileLeft({ reason: thrown.what }));
    return [];
  }
}

async function markTracking(workspace: Workspace, path: string, notes: Message[]): Promise<void> {
  const { environment, repository, configuration } = workspace;
  try {
    await untrack(environment, repository, configuration, relativeTo(repository.mainRoot, path));
  } catch (thrown) {
    if (!Problem.is(thrown) || isDiskFull(thrown)) throw thrown;
    notes.push(thrown.what);
  }
}
