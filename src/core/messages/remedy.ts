/**
 * What helps after a failure, as data: the terminal prints it as a command within the next step, VS Code makes a button of it, `--json` has
 * it as it is. A `worktree` is a name, a branch or an absolute path.
 */
export type Remedy =
  /** Make the worktree `name` for a branch that exists. */
  | { readonly kind: 'useBranch'; readonly name: string; readonly branch: string }
  /** Go on in a worktree that exists. */
  | { readonly kind: 'openWorktree'; readonly worktree: string }
  /** See what is not committed in a worktree. */
  | { readonly kind: 'openChanges'; readonly worktree: string }
  /** Stash what is not committed in the worktree at this path, do the same again, and bring it back. */
  | { readonly kind: 'stashAndRetry'; readonly worktree: string }
  /** Do the same again. */
  | { readonly kind: 'retry' }
  /** Do the same again without the team's and the user's hooks. */
  | { readonly kind: 'withoutHooks' }
  /** Commit the session files that are in the way, and merge. */
  | { readonly kind: 'commitNotes' }
  | { readonly kind: 'addRemote' }
  /** Open the repository's `.worktrees.yml`. */
  | { readonly kind: 'openSettings' }
  | { readonly kind: 'openFile'; readonly file: string }
  /** Tell git where a worktree that was moved is now, or where its record is lost. */
  | { readonly kind: 'repair'; readonly worktree: string }
  | { readonly kind: 'runDoctor' }
  /** Continue, or abort, what is under way in a worktree: `rebase`, `merge`, `cherry-pick`, `revert` or `am`. */
  | { readonly kind: 'continueOperation'; readonly operation: string; readonly worktree: string }
  | { readonly kind: 'abortOperation'; readonly operation: string; readonly worktree: string }
  | { readonly kind: 'signIn' }
  | { readonly kind: 'createPullRequest'; readonly worktree: string }
  /** Force-push with a lease. */
  | { readonly kind: 'forcePush'; readonly worktree: string }
  | { readonly kind: 'rebase'; readonly worktree: string }
  /** Give a branch another base. */
  | { readonly kind: 'moveOnto'; readonly worktree: string }
  /** Record the base of a worktree that another program has made. */
  | { readonly kind: 'adopt'; readonly worktree: string }
  | { readonly kind: 'removeWorktree'; readonly worktree: string }
  | { readonly kind: 'unlock'; readonly worktree: string }
  /** Make one; what is not given is asked for. A `branch` that does not exist is made at the base. */
  | { readonly kind: 'createWorktree'; readonly name?: string; readonly branch?: string; readonly base?: string }
  | { readonly kind: 'undo' }
  /** A terminal in the worktree, for what only git itself can do. */
  | { readonly kind: 'openTerminal'; readonly worktree: string }
  | { readonly kind: 'openUrl'; readonly url: string }
  /** Let git trust the folder, although it belongs to another user. */
  | { readonly kind: 'trustFolder'; readonly folder: string };

/** The remedies, each once, in their order. */
export function distinctRemedies(all: readonly Remedy[]): Remedy[] {
  const seen = new Map(all.map((each) => [JSON.stringify(each), each]));
  return [...seen.values()];
}
