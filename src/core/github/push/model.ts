import type { Problem } from '../../base/problem.ts';
import type { Progress, Worktree } from '../../worktree/model.ts';
import type { HostSession } from '../connect.ts';
import type { Message } from '../../messages/message.ts';

/** How a push is done. */
export interface PushOptions {
  /** The person allows to replace what was pushed, whatever the team has configured. */
  readonly rewrite?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
  /** Gets what hooks and the server said, as it is. */
  readonly onWords?: (text: string) => void;
  /** Gets a sentence about where it is pushed, where that is not what a person would expect. */
  readonly onNote?: ((note: Message) => void) | undefined;
  /** Takes a branch out of the merge queue that waits in it. */
  readonly force?: boolean;
  /**
   * Opens GitHub, where the pull requests are: they get their bases together with the pushes, so that none is taken for merged. That it
   * cannot be asked is no obstacle, as long as that is certain without it.
   */
  readonly host?: (() => Promise<HostSession>) | undefined;
  /** Gets what was left as it is although everything else was done. Without it, that fails the push when the rest is done. */
  readonly onLeft?: ((worktree: Worktree, problem: Problem) => void) | undefined;
  /** Those that are closed get another one, so that nobody needs to be able to reopen them. */
  readonly replaces?: boolean;
  /** What becomes of pull requests is not told: whoever calls does that. */
  readonly quiet?: boolean;
  /** The command to name as a next step; default `wt push <name>`. */
  readonly command?: string;
}

/** What a push would do with one branch. */
export interface PlannedPush {
  readonly name: string;
  readonly branch: string;
  readonly remote: string;
  readonly how: Pushed['how'];
  /** The last commit here, and the one that the remote has. */
  readonly oid: string;
  readonly before: string | undefined;
  /** Whose branch it is, where it is somebody else's. */
  readonly author: string | undefined;
}

/** A branch that is where it belongs now. */
export interface Pushed {
  readonly name: string;
  readonly branch: string;
  readonly remote: string;
  readonly oid: string;
  /** What the remote had before. */
  readonly before: string | undefined;
  readonly how: 'created' | 'forwarded' | 'rewritten' | 'joined' | 'unchanged';
}
