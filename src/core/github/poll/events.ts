import type { PullRequestStatus } from '../status.ts';
import type { PolledState } from './pollState.ts';

/**
 * What became of the branch that a worktree is based on. `moved`: new commits; `merged`: its own pull request was merged; `gone`: the branch was
 * deleted; `retargeted`: somebody has put the pull request into another one on GitHub.
 */
export type BaseReason = 'moved' | 'merged' | 'gone' | 'retargeted';

/** Something that happened to a pull request and that its worker should know. */
export type PollEvent =
  | {
      readonly type: 'base_updated';
      readonly reason: BaseReason;
      readonly base: string;
      readonly commit: string | undefined;
      /** For `retargeted`: the branch that the pull request is into now. */
      readonly into?: string;
    }
  | { readonly type: 'ci_failure'; readonly failed: number; readonly pending: number; readonly commit: string }
  | { readonly type: 'ci_passed'; readonly passed: number; readonly commit: string }
  | {
      readonly type: 'review_comments';
      /** How many are new. */
      readonly count: number;
      readonly unresolved: number;
      readonly review: PullRequestStatus['review'];
    }
  | { readonly type: 'merged'; readonly commit: string | undefined }
  | { readonly type: 'closed' };

/** A pull request as it is now. */
export interface PolledPull {
  readonly status: PullRequestStatus;
  /** The base of the worktree's branch as the registry has it, and what GitHub has of it. */
  readonly base: string;
  readonly baseCommit: string | undefined;
  /** The pull request of that branch, if it has one. */
  readonly basePull: PullRequestStatus | undefined;
  /** What the pull request is into as it is recorded here: `wt` has set that, or was told of it. */
  readonly recordedInto?: string | undefined;
  /** For the first poll: the base's last commit is part of the branch. */
  readonly contained: boolean;
}

/** The part of it that is kept until the next poll. */
export function toPolledState({ status, base, baseCommit, basePull }: PolledPull): PolledState {
  return {
    pr: status.number,
    state: status.state,
    head: status.headCommit,
    checks: status.checks.state,
    remarks: status.remarks,
    base: `${base}${basePull?.state === 'merged' ? ' (merged)' : ''} ${status.baseBranch}`,
    baseCommit: baseCommit ?? null,
  };
}

/**
 * What happened between two polls. At the first one, what a worker has to act on counts as having just happened: failed and passed
 * checks, a base that its branch does not contain, remarks, the end of the pull request.
 */
export function eventsBetween(before: PolledState | undefined, sight: PolledPull): PollEvent[] {
  const { status } = sight;
  const events: PollEvent[] = [];
  const end = endOf(status);
  // After the end nothing else matters.
  if (end) return before?.state === status.state ? [] : [end];
  events.push(...baseEvents(before, sight));
  // The checks of another commit are another matter.
  const checks = before?.head === status.headCommit ? before.checks : 'pending';
  const { state, failed, passed, pending } = status.checks;
  if (state === 'failed' && checks !== 'failed')
    events.push({ type: 'ci_failure', failed, pending, commit: status.headCommit });
  if (state === 'passed' && checks !== 'passed') events.push({ type: 'ci_passed', passed, commit: status.headCommit });
  const remarks = status.remarks - (before?.remarks ?? 0);
  if (remarks > 0)
    events.push({ type: 'review_comments', count: remarks, unresolved: status.unresolved, review: status.review });
  return events;
}

/** The event of a pull request that is over; `undefined` for one that is not. */
export function endOf({ state, mergeCommit }: PullRequestStatus): PollEvent | undefined {
  if (state === 'merged') return { type: 'merged', commit: mergeCommit };
  return state === 'closed' ? { type: 'closed' } : undefined;
}

function baseEvents(before: PolledState | undefined, sight: PolledPull): PollEvent[] {
  const { base, baseCommit, basePull, status } = sight;
  const event = (reason: BaseReason) => ({ type: 'base_updated' as const, reason, base, commit: baseCommit });
  const reason = baseReason(before, sight);
  // Where its base was merged or is gone, GitHub has given it another one itself.
  if (basePull?.state === 'merged' || baseCommit === undefined || status.baseBranch === base)
    return reason ? [event(reason)] : [];
  const [stood, into] = before ? [before.base.split(' ')[0], before.base.split(' ').at(-1)] : [];
  // What is based on a branch whose own pull request is closed skips that one: `wt` has done that itself.
  const skips = basePull?.state === 'closed' && sight.recordedInto === status.baseBranch;
  const retargeted = stood === base && into !== status.baseBranch && !skips;
  return [
    ...(retargeted ? [{ ...event('retargeted'), into: status.baseBranch }] : []),
    ...(reason ? [event(reason)] : []),
  ];
}

/** What happened to its base. */
function baseReason(before: PolledState | undefined, sight: PolledPull): BaseReason | undefined {
  const { base, baseCommit, basePull, contained } = sight;
  const now = toPolledState(sight);
  if (before) {
    if (before.base === now.base && before.baseCommit === now.baseCommit) return undefined;
    // Rebasing onto another base is the worker's own doing.
    if (before.base.split(' ')[0] !== base) return contained || baseCommit === undefined ? undefined : 'moved';
  }
  if (basePull?.state === 'merged') return 'merged';
  // A base that was never there is not gone.
  if (baseCommit === undefined) return before?.baseCommit || basePull ? 'gone' : undefined;
  return contained || before?.baseCommit === baseCommit ? undefined : 'moved';
}
