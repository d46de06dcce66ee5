import type { ActiveWorktree } from '../core/repository/stateFile.ts';

/** The active worktree as `--json` prints it: the fields of the state file under their own names. */
export function activeJson(active: ActiveWorktree): Record<string, unknown> {
  return {
    success: true,
    active_worktree: active.path,
    branch: active.branch,
    compose_project: active.composeProject ?? null,
    created: active.created,
  };
}
