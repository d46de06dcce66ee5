import type { Problem } from '../base/problem.ts';
import { createKind } from '../create/createJournal.ts';
import { cleanupKind } from '../remove/commit.ts';
import { deleteForgottenFiles } from './staleFiles.ts';
import { mendRecords, type JournalRecord } from './journal.ts';
import { mendCleanup } from '../remove/recoverRemoval.ts';
import { mendCreate } from '../create/recoverCreate.ts';
import { forgetOldKept } from '../remove/keptFolder.ts';
import { restoreAdminKind, restoreKind } from '../restore/restoreData.ts';
import { deleteForgottenTrash } from '../remove/trash.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** Completes or takes back one operation whose process has died. */
export type Mender = (workspace: Workspace, record: JournalRecord) => Promise<void>;

/**
 * Completes or takes back whatever operations of dead processes have left, and deletes folders that they had put aside.
 *
 * @param others who mends the operations of layers that stand on this one, by kind. Kinds that nobody knows are left alone.
 * @returns the problems of those that could not be mended, and of folders that hold work that came too late.
 */
export async function mendInterrupted(
  workspace: Workspace,
  others: Readonly<Record<string, Mender>> = {},
): Promise<Problem[]> {
  const menders = new Map<string, Mender>([
    [cleanupKind, mendCleanup],
    [createKind, mendCreate],
    // Rare, and every command comes here.
    [restoreKind, async (at, record) => (await import('../restore/recoverRestore.ts')).mendRestore(at, record)],
    [
      restoreAdminKind,
      async (at, record) => (await import('../restore/restoreAdminDir.ts')).mendRestoreAdmin(at, record),
    ],
    ...Object.entries(others),
  ]);
  const problems = await mendRecords(
    workspace,
    async (record) => menders.get(record.kind)?.(workspace, record),
    (kind) => menders.has(kind),
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
