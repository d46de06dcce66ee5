import type { Problem } from '../base/problem.ts';
import { forgetOldKept } from '../operations/keptFolder.ts';
import { recoverDead } from '../operations/recovery.ts';
import { deleteForgottenFiles } from '../operations/staleFiles.ts';
import { adoptEarlierTrash } from '../trash/earlierTrash.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { operationKinds } from './kinds.ts';

/**
 * Finishes or rolls back whatever operations of dead processes have left, and deletes files that nobody needs any more. Every command
 * begins with it.
 *
 * @returns the problems of operations that could not be recovered, and of folders that hold work that came too late.
 */
export async function recoverInterrupted(workspace: Workspace): Promise<Problem[]> {
  const { environment, repository } = workspace;
  await adoptEarlierTrash(repository);
  const problems = await recoverDead(workspace, operationKinds);
  const now = environment.now();
  await Promise.all([deleteForgottenFiles(workspace, now), forgetOldKept(repository, now)]);
  return problems;
}
