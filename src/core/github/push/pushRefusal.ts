import type { Message } from '../../messages/message.ts';
import { Problem, type ProblemDetails, type ProblemReason } from '../../base/problem.ts';

/**
 * Why a push was refused. `foreign`: the remote has commits of somebody else. `changed`: what was pushed was amended or reset. `approved`:
 * replacing commits can undo an approval. `anothers`: somebody else's branch would get other commits in place of those that it has.
 * `policy`: the team wants no rewrites. `merged`: the pull request is over. `queued`: it waits in the merge queue. `closed`: it could not
 * be reopened any more. `contained`: GitHub would take a pull request for merged, whatever the order. `raced`: somebody pushed at the same
 * moment. `rule`: a rule of the host protects the branch. `server-hook` and `hook`: a hook of the server, or of this repository.
 */
export type RefusalCause =
  | 'foreign'
  | 'changed'
  | 'approved'
  | 'anothers'
  | 'policy'
  | 'merged'
  | 'queued'
  | 'closed'
  | 'contained'
  | 'raced'
  | 'rule'
  | 'server-hook'
  | 'hook'
  | 'offline'
  | 'no-access'
  | 'other';

/** A push that was refused, with the cause as a word that a program can branch on. */
export class PushRefusal extends Problem {
  readonly refusal: RefusalCause;
  /** The worktree that it is about, where it is about one. */
  readonly worktree: string | undefined;

  constructor(
    refusal: RefusalCause,
    message: Message,
    details: ProblemDetails & { readonly reason?: ProblemReason; readonly worktree?: string },
  ) {
    super(details.reason ?? 'push-refused', message, { outcome: 'incomplete', ...details });
    this.refusal = refusal;
    this.worktree = details.worktree;
  }
}
