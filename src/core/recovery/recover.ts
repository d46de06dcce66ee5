import type { Problem } from '../base/problem.ts';
import { createKind } from '../create/createJournal.ts';
import { cleanupKind } from '../remove/commit.ts';
import { deleteForgottenFiles } from '../operations/staleFiles.ts';
import { stackKind } from '../operations/operationLog.ts';
import { mendRecords, type JournalRecord } from '../operations/journal.ts';
import { mendCleanup } from '../remove/recoverRemoval.ts';
import { mendCreate } from '../create/recoverCreate.ts';
import { forgetOldKept } from '../remove/keptFolder.ts';
import { restoreAdminKind, restoreKind } from '../restore/restoreData.ts';
import { deleteForgottenTrash } from '../remove/trash.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** Completes or takes back one operation whose process has died. */
type Mender = (workspace: Workspace, record: JournalRecord) => Promise<void>;

/** Who recovers each kind of operation. What is rare is loaded only when it is needed: every command comes here. */
const menders: Readonly<Record<string, Mender>> = {
  [cleanupKind]: mendCleanup,
  [createKind]: mendCreate,
  [restoreKind]: async (at, record) => (await import('../restore/recoverRestore.ts')).mendRestore(at, record),
  [restoreAdminKind]: async (at, record) =>
    (await import('../restore/restoreAdminDir.ts')).mendRestoreAdmin(at, record),
  [stackKind]: async (at, record) => (await import('../stack/recoverStack.ts')).mendStack(at, record),
};

/**
 * Completes or rolls back the operations that dead processes have left, and deletes folders that they had staged for deletion.
 * Operations of a kind that this version does not know are left alone.
 *
 * @returns the problems of those that could not be recovered, and of folders that hold work that came too late.
 */
export async function mendInterrupted(workspace: Workspace): Promise<Problem[]> {
  const problems = await mendRecords(
    workspace,
    async (record) => menders[record.kind]?.(workspace, record),
    (kind) => Object.hasOwn(menders, kind),
  );
  const now = workspace.environment.now();
  const { git, repository } = workspace;
  const [kept] = await Promise.all([
    deleteForgottenTrash(git, repository, now),
    deleteForgottenFiles(workspace, now),
    forgetOldKept(repository, now),
  ]);
  return [...problems, ...kept];
}
