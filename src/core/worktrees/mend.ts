import type { Problem } from '../base/problem.ts';
import { createKind } from './create/createJournal.ts';
import { cleanupKind } from './remove/finishRemoval.ts';
import { deleteForgottenFiles } from './forgottenFiles.ts';
import { mendRecords } from './journal.ts';
import { mendCleanup } from './remove/mendCleanup.ts';
import { mendCreate } from './create/mendCreate.ts';
import { deleteForgottenTrash } from './remove/trash.ts';
import type { Workspace } from './workspace.ts';

/**
 * Completes or takes back whatever operations of dead processes have left, and deletes folders that they had put aside.
 *
 * @returns the problems of those that could not be mended, and of folders that hold work that came too late.
 */
export async function mendInterrupted(workspace: Workspace): Promise<Problem[]> {
  const problems = await mendRecords(workspace, async (record) => {
    if (record.kind === cleanupKind) await mendCleanup(workspace, record);
    else if (record.kind === createKind) await mendCreate(workspace, record);
  });
  const now = workspace.environment.now();
  const { git, repository } = workspace;
  const [kept] = await Promise.all([deleteForgottenTrash(git, repository, now), deleteForgottenFiles(workspace, now)]);
  return [...problems, ...kept];
}
