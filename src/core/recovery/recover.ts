import type { Problem } from '../base/problem.ts';
import { recoverDead, type KindLoaders } from '../operations/recovery.ts';
import { deleteForgottenFiles } from '../operations/staleFiles.ts';
import { forgetOldKept } from '../remove/keptFolder.ts';
import { deleteForgottenTrash } from '../remove/trash.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** Every kind of operation that can be interrupted. A new kind is listed here, and in the tests that kill each of them. */
export const operationKinds = {
  create: async () => (await import('../create/recoverCreate.ts')).createKind,
  cleanup: async () => (await import('../remove/commit.ts')).removeKind,
  restore: async () => (await import('../restore/restore.ts')).restoreKind,
  'restore-record': async () => (await import('../restore/restoreAdminDir.ts')).restoreAdminKind,
  restack: async () => (await import('../restack/apply.ts')).restackKind,
  rename: async () => (await import('../restack/rename.ts')).renameKind,
  merge: async () => (await import('../merge/mergeKind.ts')).mergeKind,
  stack: async () => (await import('../restack/earlierJournal.ts')).earlierStackKind,
} satisfies KindLoaders;

/**
 * Finishes or rolls back whatever operations of dead processes have left, and deletes trash and files that nobody needs any more. Every
 * command begins with it.
 *
 * @returns the problems of operations that could not be recovered, and of folders that hold work that came too late.
 */
export async function recoverInterrupted(workspace: Workspace): Promise<Problem[]> {
  const problems = await recoverDead(workspace, operationKinds);
  const now = workspace.environment.now();
  const { git, repository } = workspace;
  const [kept] = await Promise.all([
    deleteForgottenTrash(git, repository, now),
    deleteForgottenFiles(workspace, now),
    forgetOldKept(repository, now),
  ]);
  return [...problems, ...kept];
}
