import { Problem } from '../base/problem.ts';
import type { Progress } from './model.ts';
import type { Workspace } from './workspace.ts';

/** What is known about the setup of a worktree before it runs. */
export interface SetupPlan {
  /** The team's configured commands, in order; empty when none are configured. */
  readonly commands: readonly string[];
  /** The user has approved exactly these commands in this repository. True when there are none. */
  readonly approved: boolean;
  /** Without configured commands: those that the repository's files suggest. They are never run by themselves. */
  readonly suggested: readonly string[];
}

/**
 * How the setup of a worktree went. `none`: nothing is configured; `done`: all commands ran; `unapproved`: they wait for
 * the user's approval; `skipped`: the caller did not want it. A command that fails is a problem, not an outcome.
 */
export interface SetupOutcome extends SetupPlan {
  readonly state: 'none' | 'done' | 'unapproved' | 'skipped';
  /** The command that a person runs to go on, such as `wt setup x --approve`; `undefined` when there is nothing to do. */
  readonly next: string | undefined;
}

/** How setup commands are run and watched. */
export interface SetupOptions {
  /** Approve the commands for this user first, as `wt setup --approve` does. */
  readonly approve?: boolean;
  /** Asked when the commands are not approved; giving true approves them. Without it they are not run. */
  readonly approveSetup?: ((commands: readonly string[]) => Promise<boolean>) | undefined;
  /** Gets what the commands print, as it comes. */
  readonly onSetupOutput?: ((text: string) => void) | undefined;
  readonly progress?: Progress | undefined;
  /** Ends the running command and everything that it has started. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the team's setup commands in a worktree that exists, if the user has approved them or does so now.
 *
 * @param worktree its name, for sentences, and its absolute path.
 * @throws Problem `setup-failed` (outcome incomplete) that names the command and quotes its last words; `cancelled`.
 */
export async function runSetup(
  _workspace: Workspace,
  worktree: { readonly name: string; readonly path: string },
  _options: SetupOptions = {},
): Promise<SetupOutcome> {
  throw new Problem('unsupported', `${worktree.name} cannot be set up yet.`);
}
