import { Problem } from '../base/problem.ts';
import { cleanupDataOf, finishRemoval, takeBack } from './commit.ts';
import type { JournalRecord } from '../operations/journal.ts';
import { binOf, deleteTrash } from './trash.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Completes a removal whose process died after it was decided, or takes it back: then the worktree is as it was before.
 *
 * @throws Problem as `takeBack`, or when a file that has to be written cannot be.
 */
export async function mendCleanup(workspace: Workspace, record: JournalRecord): Promise<void> {
  const data = cleanupDataOf(record);
  if (data.step === 'begun') return takeBack(workspace, data);
  await finishRemoval(workspace, data);
  await deleteTrash(workspace.git, binOf(workspace.repository, data.bin).folder).catch((thrown: unknown) => {
    // The bin goes on telling of work in it; the removal itself is complete.
    if (!Problem.is(thrown, 'would-lose-work')) throw thrown;
  });
}
