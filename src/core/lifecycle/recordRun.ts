import { updateRegistry } from '../repository/registry.ts';
import { advanceLifecycle } from '../repository/lifecycle.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { syncTracking } from './tracking.ts';
import type { Message } from '../messages/message.ts';

/** A run that has claimed a worktree, as far as the registry has it. */
interface RecordedRun {
  readonly run_id: string;
  readonly work_id: string | null;
}

/**
 * Writes down of a registered worktree which workflow runs in it, and that it is worked in; the tracking file follows.
 *
 * @returns warnings, as `syncTracking`.
 * @throws Problem as `updateRegistry`.
 */
export async function recordRun(
  workspace: Workspace,
  name: string,
  { run_id: runId, work_id: workId }: RecordedRun,
): Promise<Message[]> {
  const { environment, repository } = workspace;
  const changed = await updateRegistry(environment, repository, ({ worktrees }) => {
    const entry = worktrees.get(name);
    if (!entry || (entry.workflowRunId === runId && (entry.workId !== undefined || workId === null))) return false;
    worktrees.set(name, {
      ...entry,
      workflowRunId: runId,
      ...(entry.workId === undefined && workId !== null ? { workId } : {}),
    });
    return true;
  });
  const advanced = await advanceLifecycle(environment, repository, name, 'active');
  return changed || advanced ? syncTracking(workspace) : [];
}
