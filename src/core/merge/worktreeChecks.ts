import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { mayCheck, planChecks, runChecks, type ChecksPlan } from './checks.ts';

/** How the checks of a worktree ended. */
export type WorktreeChecks =
  /** None are configured, and no file suggests any. */
  | { readonly state: 'none' }
  /** The user has not approved them, so they were not run; `trouble`: why it could not be found out whether they are approved. */
  | (ChecksPlan & { readonly state: 'unapproved'; readonly trouble?: string })
  | (ChecksPlan & { readonly state: 'passed' })
  | (ChecksPlan & {
      readonly state: 'failed';
      /** `undefined` when a signal ended them. */
      readonly exitCode: number | undefined;
      /** The last lines that they printed. */
      readonly lastLines: readonly string[];
    })
  /** The time that they were given ran out, and they were ended. */
  | (ChecksPlan & { readonly state: 'unfinished' });

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
 * Runs the checks of a worktree, configured or suggested ({@link planChecks}), through the user's shell. Like setup commands they come
 * with the repository, so they run only after the user has approved exactly this command.
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
  const plan = await planChecks(workspace, folder);
  if (plan === undefined) return { state: 'none' };
  try {
    if (!(await mayCheck(workspace, plan, options))) return { state: 'unapproved', ...plan };
  } catch (thrown) {
    if (options.approve || !Problem.is(thrown, 'unreadable-file')) throw thrown;
    return { state: 'unapproved', ...plan, trouble: thrown.message };
  }
  const limit = options.limit === undefined ? [] : [AbortSignal.timeout(options.limit)];
  const signal = AbortSignal.any([...(options.signal ? [options.signal] : []), ...limit]);
  try {
    const answer = await runChecks(workspace, folder, plan, { signal, onOutput: options.onOutput });
    const { exitCode, lastLines } = answer;
    return exitCode === 0 ? { state: 'passed', ...plan } : { state: 'failed', ...plan, exitCode, lastLines };
  } catch (thrown) {
    if (!Problem.is(thrown, 'cancelled') || options.signal?.aborted || !signal.aborted) throw thrown;
    return { state: 'unfinished', ...plan };
  }
}
