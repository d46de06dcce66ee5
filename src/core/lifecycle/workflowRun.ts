import { updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { syncTracking } from './tracking.ts';
import { hasEndedRun } from '../repository/standing.ts';

/** A run of a workflow in a worktree. */
export interface WorkflowRun {
  readonly runId: string;
  readonly workId?: string | undefined;
}

/**
 * Writes down in the registry and the tracking file that a run of a workflow works in a worktree now. Nothing for one that is not registered.
 *
 * @param name the worktree's.
 * @returns warnings about what could not be brought up to date.
 * @throws Problem as `updateRegistry`.
 */
export function recordRunBegan(workspace: Workspace, name: string, run: WorkflowRun): ReturnType<typeof syncTracking> {
  const now = workspace.environment.now().toISOString();
  return change(workspace, name, (entry) => {
    const { runId, workId = entry.workId } = run;
    // The same run that goes on has begun when it began first.
    if (entry.workflowRunId === runId && entry.workId === workId && !hasEndedRun(entry)) return entry;
    const next: { -readonly [key in keyof RegistryEntry]: RegistryEntry[key] } = {
      ...entry,
      ...(workId === undefined ? {} : { workId }),
      workflowRunId: runId,
      workflowBegan: now,
    };
    delete next.workflowEnded;
    return next;
  });
}

/** Writes down that the run has ended; nothing when another one works there by now. As {@link recordRunBegan} otherwise. */
export function recordRunEnded(
  workspace: Workspace,
  name: string,
  { runId }: WorkflowRun,
): ReturnType<typeof syncTracking> {
  const now = workspace.environment.now().toISOString();
  return change(workspace, name, (entry) =>
    (entry.workflowRunId ?? runId) === runId && !hasEndedRun(entry)
      ? { ...entry, workflowRunId: runId, workflowEnded: now }
      : entry,
  );
}

/** The tracking file is written also when the registry has it all already: whoever wrote that may have been killed in between. */
async function change(
  workspace: Workspace,
  name: string,
  edit: (entry: RegistryEntry) => RegistryEntry,
): ReturnType<typeof syncTracking> {
  await updateRegistry(workspace.environment, workspace.repository, ({ worktrees }) => {
    const entry = worktrees.get(name);
    if (entry) worktrees.set(name, edit(entry));
  });
  return syncTracking(workspace);
}
