import type { RunFacts } from '../core/claude/runs/runFacts.ts';

/** The run of a worktree as `--json` prints it: the fields of `.active-run-id`, and how far it is. `null` where there is none. */
export function runJson(facts: RunFacts | undefined): Record<string, unknown> | null {
  if (!facts) return null;
  const { run, state, progress } = facts;
  return {
    run_id: run.run_id,
    work_id: run.work_id,
    session_id: run.session_id,
    pid: run.pid,
    process_started: run.process_started,
    host: run.host,
    program: run.program,
    started_at: run.started_at,
    state,
    step: progress?.current_step ?? null,
    steps_completed: progress?.steps_completed ?? [],
    last_updated: progress?.last_updated ?? null,
  };
}
