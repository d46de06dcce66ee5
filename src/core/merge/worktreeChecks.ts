import { Problem } from '../base/problem.ts';
import { runInShell } from '../base/shell.ts';
import { approve, isApproved } from '../repository/approvals.ts';
import type { Workspace } from '../worktrees/workspace.ts';

/** How the team's checks ended. */
export type ChecksOutcome =
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
 * @throws Problem `cancelled`; `setup-failed` when the shell cannot be started; `unreadable-file` or `not-writable` when an approval
 * cannot be kept.
 */
export async function runChecks(
  workspace: Workspace,
  folder: string,
  options: ChecksOptions = {},
): Promise<ChecksOutcome> {
  const command = workspace.configuration.checks;
  if (command === undefined) return { state: 'none' };
  const refused = await refusedBy(workspace, command, options);
  if (refused) return refused;
  const limit = options.limit === undefined ? [] : [AbortSignal.timeout(options.limit)];
  const signal = AbortSignal.any([...(options.signal ? [options.signal] : []), ...limit]);
  try {
    const { environment } = workspace;
    const { exitCode, lastLines } = await runInShell(environment, command, {
      cwd: folder,
      signal,
      onOutput: options.onOutput,
    });
    return exitCode === 0 ? { state: 'passed', command } : { state: 'failed', command, exitCode, lastLines };
  } catch (thrown) {
    if (!Problem.is(thrown, 'cancelled') || options.signal?.aborted || !signal.aborted) throw thrown;
    return { state: 'unfinished', command };
  }
}

/** Whether the command may run: because it is approved, or because the user approves it now. */
async function refusedBy(
  { environment, repository }: Workspace,
  command: string,
  options: ChecksOptions,
): Promise<ChecksOutcome | undefined> {
  let trouble: { trouble: string } | undefined;
  try {
    if (await isApproved(environment, repository, [command])) return undefined;
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    trouble = { trouble: thrown.message };
  }
  if (!options.approve && !(await options.approveChecks?.(command)))
    return { state: 'unapproved', command, ...trouble };
  await approve(environment, repository, [command]);
  return undefined;
}

/** How failed checks ended, such as `failed with exit code 1`. */
export function checksEnded({ exitCode }: { readonly exitCode: number | undefined }): string {
  return exitCode === undefined ? 'were ended by a signal' : `failed with exit code ${exitCode}`;
}
