import type { Problem } from '../base/problem.ts';
import { mendRecords } from './journal.ts';
import { mendCleanup } from './mendCleanup.ts';
import type { Workspace } from './workspace.ts';

/**
 * Completes or undoes whatever operations of dead processes have left, and deletes folders that they had put aside.
 *
 * @returns the problems of those that could not be mended.
 */
export async function mendInterrupted(workspace: Workspace): Promise<Problem[]> {
  return mendRecords(workspace, async (record) => {
    if (record.kind === 'cleanup') await mendCleanup(workspace, record);
  });
}
