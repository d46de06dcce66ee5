import type { HostFacts } from '../repository/hostFacts.ts';
import type { MissingRight } from './missingRights.ts';

/** What the checks of a commit say together. As long as one has not ended they have not passed. */
export interface Checks {
  /** `unknown`: the token may not see them. */
  readonly state: 'none' | 'pending' | 'passed' | 'failed' | 'unknown';
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
}

/** A pull request with everything that is watched of it. */
export interface PullRequestStatus {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** `queued`: it waits to be merged, and is not merged yet. */
  readonly state: 'open' | 'queued' | 'merged' | 'closed';
  readonly draft: boolean;
  readonly headBranch: string;
  readonly headCommit: string;
  readonly baseBranch: string;
  /** The commit that it was merged as. */
  readonly mergeCommit: string | undefined;
  /** Whether GitHub could merge it; `unknown` until it has tried. */
  readonly mergeable: 'yes' | 'conflicts' | 'unknown';
  readonly checks: Checks;
  readonly review: 'approved' | 'changes_requested' | 'required' | undefined;
  /** Everything that people wrote: comments and reviews. Replies in a thread count as reviews. */
  readonly remarks: number;
  /** Threads of the review that nobody has resolved. */
  readonly unresolved: number;
  /** What its base demands, and its place in a stack of GitHub's own, as far as the token may see that. */
  readonly host?: HostFacts | undefined;
  /** What the token may not see of it. */
  readonly missing?: readonly MissingRight[] | undefined;
}

/** The checks of a commit that the token may not see. */
export const unseenChecks: Checks = { state: 'unknown', passed: 0, failed: 0, pending: 0 };

const passing = new Set(['SUCCESS', 'NEUTRAL', 'SKIPPED']);
const failing = new Set(['FAILURE', 'ERROR', 'TIMED_OUT', 'STARTUP_FAILURE', 'ACTION_REQUIRED', 'CANCELLED', 'STALE']);

/**
 * Adds up the checks of a commit by their states, in GitHub's words. A word that is not known counts as not ended.
 *
 * @param overall what GitHub itself makes of them; `EXPECTED` are checks that have not even been reported.
 */
export function toChecks(
  counts: Iterable<{ readonly state: string; readonly count: number }>,
  overall: string | undefined,
): Checks {
  const sums = { passed: 0, failed: 0, pending: 0 };
  for (const { state, count } of counts) {
    const word = state.toUpperCase();
    sums[passing.has(word) ? 'passed' : failing.has(word) ? 'failed' : 'pending'] += count;
  }
  const state =
    sums.failed > 0 || overall === 'FAILURE' || overall === 'ERROR'
      ? 'failed'
      : sums.pending > 0 || overall === 'PENDING' || overall === 'EXPECTED'
        ? 'pending'
        : sums.passed > 0 || overall === 'SUCCESS'
          ? 'passed'
          : 'none';
  return { state, ...sums };
}

/** What is recorded of a pull request beside its state: `none` where GitHub has nothing; `undefined` where the token may not see it. */
export function hostFactsToRecord({ host, missing }: PullRequestStatus): HostFacts | 'none' | undefined {
  return host ?? (missing && missing.length > 0 ? undefined : 'none');
}
