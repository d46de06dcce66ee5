import { Problem } from '../base/problem.ts';
import { runInShell } from '../base/shell.ts';
import { withVariables } from '../worktree/variables.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { KeptOutput, keepRun, type KeptRun, type RunState } from './keptRuns.ts';
import type { HookOptions } from './plan.ts';

/** How a run of a command ended. */
export interface RunEnd {
  readonly state: Exclude<RunState, 'running' | 'killed'>;
  /** `undefined` when a signal ended it, or it could not be started. */
  readonly exitCode: number | undefined;
  /** The last lines that it printed. */
  readonly lastLines: readonly string[];
  /** Why it could not be started. */
  readonly trouble?: Problem;
}

/**
 * Runs a command that was written down as a run, and keeps what it prints and how it ends. Never throws what the command does: a time that
 * runs out and a cancel are ends, too.
 */
export async function runOne(
  workspace: Workspace,
  run: KeptRun,
  options: Pick<HookOptions, 'onHookOutput' | 'signal'>,
): Promise<RunEnd> {
  const { environment, repository } = workspace;
  const output = await KeptOutput.open(repository, run.id);
  const limit = AbortSignal.timeout(run.timeout);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  const onOutput = (text: string): void => {
    output.write(text);
    options.onHookOutput?.(text);
  };
  let end: RunEnd;
  try {
    const told = withVariables(environment, run.variables);
    const { exitCode, lastLines } = await runInShell(told, run.run, { cwd: run.folder, signal, onOutput });
    end = { state: exitCode === 0 ? 'passed' : 'failed', exitCode, lastLines };
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    const none = { exitCode: undefined, lastLines: [] };
    if (thrown.reason !== 'cancelled') end = { ...none, state: 'failed', trouble: thrown };
    else end = { ...none, state: options.signal?.aborted ? 'cancelled' : 'timed-out' };
  } finally {
    await output.close();
  }
  const { state, exitCode } = end;
  // What cannot be written down now has happened all the same.
  await keepRun(repository, { ...run, state, exitCode, ended: environment.now().toISOString() }).catch(() => undefined);
  return end;
}
