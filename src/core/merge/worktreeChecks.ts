import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { mayCheck, runChecks } from './checks.ts';

/** How the team's checks ended. */
export type WorktreeChecks =
  /** None are configured. */
  | { readonly state: 'none' }
  /** The user has not approved them, so they were not run; `trouble`: why it could not be found out whether they are approved. */
  | { readonly state: 'unapproved'; readonly command: string; readonly trouble?: string }
  | { readonly state: 'passed'; readonly command: string }
  | {
      readonly state: 'failed';
      readonly command: string;
      /** `undefined` when a signal ended them. */
      readonly exitCode: number | undefined;
      /** The last lines that they printed. */
      readonly lastLines: readonly string[];
    }
  /** The time that they were given ran out, and they were ended. */
  | { readonly state: 'unfinished'; readonly command: string };

/** How checks are approved and watched. */
export interface ChecksOptions {
  /** Approve the command for this user first, as `wt checks --approve` does. */
  readonly approve?: boolean;
  /** Asked when the command is not approved; giving true approves it. Without it it is not run. */
  readonly approveChecks?: ((command: string) => Promise<boolean>) | undefined;
  /** Gets what they print, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined;
  /** Ends them and everything that they have started. */
  readonly signal?: AbortSignal | undefined;
  /** How long they may take, in milliseconds; default as long as they like. */
  readonly limit?: number;
}

/**
 * Runs the command that the team has configured as its checks, through the user's shell. Like setup commands it comes with the
 * repository, so it runs only after the user has approved exactly this command.
 *
 * @param folder the root of the worktree to check.
 * @throws Problem `cancelled`; `checks-failed` when the shell cannot be started; `unreadable-file` or `not-writable` when an approval
 * cannot be kept.
 */
export async function checkWorktree(
  workspace: Workspace,
  folder: string,
  options: ChecksOptions = {},
): Promise<WorktreeChecks> {
  const command = workspace.configuration.checks;
  if (command === undefined) return { state: 'none' };
  const plan = { command, configured: true };
  try {
    if (!(await mayCheck(workspace, plan, options))) return { state: 'unapproved', command };
  } catch (thrown) {
    if (options.approve || !Problem.is(thrown, 'unreadable-file')) throw thrown;
    return { state: 'unapproved', command, trouble: thrown.message };
  }
  const limit = options.limit === undefined ? [] : [AbortSignal.timeout(options.limit)];
  const signal = AbortSignal.any([...(options.signal ? [options.signal] : []), ...limit]);
  try {
    const answer = await runChecks(workspace, folder, plan, { signal, onOutput: options.onOutput });
    const { exitCode, lastLines } = answer;
    return exitCode === 0 ? { state: 'passed', command } : { state: 'failed', command, exitCode, lastLines };
  } catch (thrown) {
    if (!Problem.is(thrown, 'cancelled') || options.signal?.aborted || !signal.aborted) throw thrown;
    return { state: 'unfinished', command };
  }
}
