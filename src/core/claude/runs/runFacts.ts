import type { Environment } from '../../base/environment.ts';
import { messageOf } from '../../base/problem.ts';
import { readActiveRun, type ActiveRun } from '../../repository/activeRun.ts';
import { readWorkflow, type WorkflowProgress } from '../../repository/workflow.ts';
import { runStateOf, type RunState } from './runState.ts';

/** What there is to say of the run of a worktree. */
export interface RunFacts {
  readonly run: ActiveRun;
  readonly state: RunState;
  /** `undefined` where it cannot be read. */
  readonly progress: WorkflowProgress | undefined;
}

/**
 * The run that has claimed a worktree, and how far it is; `undefined` where none has. Never fails: whoever only shows it can show the
 * rest without.
 *
 * @param root the root of the worktree.
 */
export async function runFactsOf(
  environment: Environment,
  commonDir: string,
  root: string,
): Promise<RunFacts | undefined> {
  try {
    const run = await readActiveRun(root);
    if (!run) return undefined;
    const [state, progress] = await Promise.all([
      runStateOf(environment, commonDir, run),
      readWorkflow({ root, branch: '' }).catch(() => undefined),
    ]);
    return { run, state, progress };
  } catch (thrown) {
    environment.log.warn(`The run of ${root} could not be read: ${messageOf(thrown)}`);
    return undefined;
  }
}
