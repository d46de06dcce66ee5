import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import { stateDir, worktreeId } from './context.ts';
import { ensureStateDirectory } from './stateDirectory.ts';
import type { Message } from '../messages/message.ts';
import { repositoryMessages } from '../messages/repository.ts';
import { baseMessages } from '../messages/base.ts';

/** Seed 004's WorkflowProgress, field by field, as it stands in `workflow.json` and as `wt state progress --json` prints it. */
export interface WorkflowProgress {
  readonly worktree_id: string;
  /** The branch; `HEAD` when detached. */
  readonly feature_branch: string;
  /** Steps count from 1. */
  readonly current_step: number;
  /** Without repetition, in ascending order. */
  readonly steps_completed: readonly number[];
  /** Files by what they are; relative to the worktree, with forward slashes. */
  readonly artifacts: Readonly<Record<string, string>>;
  /** ISO 8601; `null` before the first update. */
  readonly last_updated: string | null;
  /** The session that made the last update; `null` when none has said so. */
  readonly session_id: string | null;
  /** What other tools keep there stays. */
  readonly [other: string]: unknown;
}

/** A change of the progress. What is left out stays as it is. */
export interface WorkflowUpdate {
  /** The step that is worked on, or that is complete. */
  readonly step?: number | undefined;
  /** The step is complete: the one named, or the current one; the next one is worked on then. */
  readonly complete?: boolean;
  /** Files by what they are, relative to the worktree; an empty path takes one away. */
  readonly artifacts?: Readonly<Record<string, string>>;
  readonly sessionId?: string | undefined;
  /** The run that it is part of, and its work, where a run has claimed the worktree. */
  readonly run?: { readonly run_id: string; readonly work_id: string | null } | undefined;
}

/** Whose progress it is. */
export interface WorkflowOwner {
  /** The root of the worktree. */
  readonly root: string;
  readonly branch: string;
}

/** The file of a worktree's progress. */
export function workflowFile(root: string): string {
  return join(stateDir(root), 'workflow.json');
}

/**
 * Reads the progress of a worktree; one that is at its first step where there is no file yet.
 *
 * @throws Problem `unreadable-file` that names the line or the field.
 */
export async function readWorkflow(owner: WorkflowOwner): Promise<WorkflowProgress> {
  const file = workflowFile(owner.root);
  return toProgress((await readJsonObject(file)) ?? {}, owner, file);
}

/**
 * Changes the progress of a worktree, under a lock and atomically: two agents that report at once both count. Makes the state folder
 * where it is missing.
 *
 * @throws Problem as {@link readWorkflow} (the file stays as it is), `usage` for a step that is no step, `not-writable`.
 */
export async function updateWorkflow(
  environment: Environment,
  owner: WorkflowOwner,
  update: WorkflowUpdate,
): Promise<WorkflowProgress> {
  if (update.step !== undefined && !isStep(update.step)) {
    throw new Problem('usage', repositoryMessages.noStep({ step: String(update.step) }), {
      next: repositoryMessages.stepsWholeNumbers(),
    });
  }
  await ensureStateDirectory(owner.root);
  const file = workflowFile(owner.root);
  return withFileLock(environment, file, async () => {
    const next = applied(await readWorkflow(owner), update, environment.now());
    await writeAtomically(file, `${JSON.stringify(next, null, 2)}\n`);
    return next;
  });
}

function applied(before: WorkflowProgress, update: WorkflowUpdate, now: Date): WorkflowProgress {
  const step = update.step ?? before.current_step;
  const done = update.complete
    ? [...new Set([...before.steps_completed, step])].sort((one, other) => one - other)
    : before.steps_completed;
  const current = update.complete ? Math.max(before.current_step, step + 1) : step;
  const artifacts = Object.entries({ ...before.artifacts, ...update.artifacts }).filter(([, path]) => path !== '');
  return {
    ...before,
    current_step: current,
    steps_completed: done,
    artifacts: Object.fromEntries(artifacts),
    last_updated: now.toISOString(),
    session_id: update.sessionId ?? before.session_id,
    ...(update.run ? { run_id: update.run.run_id, work_id: update.run.work_id } : {}),
  };
}

function toProgress(whole: Record<string, unknown>, owner: WorkflowOwner, file: string): WorkflowProgress {
  const wrong = (field: string, what: Message): Problem =>
    new Problem('unreadable-file', repositoryMessages.fieldNotLeft({ file, field, what }), {
      file,
      next: baseMessages.correctMoveFile(),
    });
  const {
    current_step: current = 1,
    steps_completed: done = [],
    artifacts = {},
    last_updated: updated = null,
    session_id: session = null,
  } = whole;
  if (!isStep(current)) throw wrong('current_step', repositoryMessages.aStep());
  if (!Array.isArray(done) || !done.every(isStep)) throw wrong('steps_completed', repositoryMessages.someSteps());
  if (!isObject(artifacts) || !Object.values(artifacts).every((path) => typeof path === 'string')) {
    throw wrong('artifacts', repositoryMessages.pathsByName());
  }
  return {
    ...whole,
    // The worktree may have been moved, and its branch renamed, since this was written.
    worktree_id: worktreeId(owner.root),
    feature_branch: owner.branch,
    current_step: current,
    steps_completed: done,
    artifacts: artifacts as Record<string, string>,
    last_updated: typeof updated === 'string' ? updated : null,
    session_id: typeof session === 'string' ? session : null,
  };
}

function isStep(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
