import type { Environment } from '../../base/environment.ts';
import { isoTime } from '../../base/isoTime.ts';
import { redact } from '../../base/redact.ts';
import type { ActiveRun } from '../../repository/activeRun.ts';
import { appendToLog } from '../decisionLog.ts';

/** What became of a worktree's workflow, as the log of the hooks names it. */
export type RunEvent = 'WorkflowBegin' | 'WorkflowTakeOver' | 'WorkflowEnd';

/** The worktree of a run. */
export interface RunWorktree {
  /** Its name, where the registry has it. */
  readonly name: string | undefined;
  readonly root: string;
}

/** Writes to the log of the hooks that a workflow began, was taken over or ended: that is where the database has it from. Never fails. */
export function logRun(
  environment: Environment,
  commonDir: string,
  event: RunEvent,
  { name, root }: RunWorktree,
  { run_id: run, work_id: work, session_id: session, program }: ActiveRun,
): void {
  appendToLog(commonDir, {
    at: isoTime(environment.now()),
    event,
    decision: 'none',
    session: session ?? undefined,
    agent: program ?? undefined,
    worktree: name,
    cwd: root,
    run: redact(run),
    words: work === null ? undefined : redact(work),
  });
}
