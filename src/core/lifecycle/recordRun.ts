import { updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { advanceLifecycle } from '../repository/lifecycle.ts';
import { hasEndedRun } from '../repository/standing.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { syncTracking } from './tracking.ts';

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
): ReturnType<typeof syncTracking> {
  const { environment, repository } = workspace;
  const now = environment.now().toISOString();
  await change(workspace, name, (entry) => {
    // A run that goes on has begun when it began first.
    if (entry.workflowRunId === runId && !hasEndedRun(entry) && (entry.workId !== undefined || workId === null))
      return entry;
    const next: { -readonly [key in keyof RegistryEntry]: RegistryEntry[key] } = {
      ...entry,
      workflowRunId: runId,
      workflowBegan: now,
      ...(entry.workId === undefined && workId !== null ? { workId } : {}),
    };
    delete next.workflowEnded;
    return next;
  });
  await advanceLifecycle(environment, repository, name, 'active');
  return syncTracking(workspace);
}

/** Writes down that a run has ended, unless another one works there by now. Gives what {@link recordRun} gives. */
export async function recordRunEnded(
  workspace: Workspace,
  name: string,
  { run_id: runId }: Pick<RecordedRun, 'run_id'>,
): ReturnType<typeof syncTracking> {
  const now = workspace.environment.now().toISOString();
  await change(workspace, name, (entry) =>
    (entry.workflowRunId ?? runId) === runId && !hasEndedRun(entry)
      ? { ...entry, workflowRunId: runId, workflowEnded: now }
      : entry,
  );
  return syncTracking(workspace);
}

/** The tracking file is written also when the registry has it all already: whoever wrote that may have been killed in between. */
function change(
  { environment, repository }: Workspace,
  name: string,
  edit: (entry: RegistryEntry) => RegistryEntry,
): Promise<void> {
  return updateRegistry(environment, repository, ({ worktrees }) => {
    const entry = worktrees.get(name);
    if (entry) worktrees.set(name, edit(entry));
  });
}
