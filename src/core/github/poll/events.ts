import type { PullRequestStatus } from '../status.ts';
import type { Seen } from './seen.ts';

/** Something that happened to a pull request and that its worker should know. */
export type PollEvent =
  | {
      readonly type: 'base_updated';
      /** `moved`: new commits; `merged`: its own pull request was merged; `gone`: the branch was deleted; `retargeted`: it is another one now. */
      readonly reason: 'moved' | 'merged' | 'gone' | 'retargeted';
      readonly base: string;
      readonly commit: string | undefined;
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

/** What is looked at now. */
export interface Sight {
  readonly status: PullRequestStatus;
  /** The branch that the worktree stands on as the registry has it, and what GitHub has of it. */
  readonly base: string;
  readonly baseCommit: string | undefined;
  /** The pull request of that branch, if it has one. */
  readonly basePull: PullRequestStatus | undefined;
  /** For the first sight: the base's last commit is part of the branch. */
  readonly contained: boolean;
}

/** What is remembered of a sight. */
export function toSeen({ status, base, baseCommit, basePull }: Sight): Seen {
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
 * What happened between two looks. At the first one, what a worker has to act on counts as having just happened: failed and passed
 * checks, a base that its branch does not contain, remarks, the end of the pull request.
 */
export function eventsBetween(before: Seen | undefined, sight: Sight): PollEvent[] {
  const { status } = sight;
  const events: PollEvent[] = [];
  const end = endOf(status);
  // After the end nothing else matters.
  if (end) return before?.state === status.state ? [] : [end];
  const base = baseEvent(before, sight);
  if (base) events.push(base);
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

function baseEvent(before: Seen | undefined, sight: Sight): PollEvent | undefined {
  const { base, baseCommit, basePull, status, contained } = sight;
  const event = (reason: Extract<PollEvent, { type: 'base_updated' }>['reason']): PollEvent => ({
    ...{ type: 'base_updated', reason, base, commit: baseCommit },
  });
  const now = toSeen(sight);
  if (before) {
    if (before.base === now.base && before.baseCommit === now.baseCommit) return undefined;
    // Rebasing onto another base is the worker's own doing.
    if (before.base.split(' ')[0] !== base) return contained || baseCommit === undefined ? undefined : event('moved');
  }
  if (basePull?.state === 'merged') return event('merged');
  // A base that was never there is not gone.
  if (baseCommit === undefined) return before?.baseCommit || basePull ? event('gone') : undefined;
  if (before && before.baseCommit !== baseCommit) return contained ? undefined : event('moved');
  if (before) return status.baseBranch === base ? undefined : event('retargeted');
  return contained ? undefined : event('moved');
}
