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
