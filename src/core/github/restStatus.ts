import type { GitHub } from './client.ts';
import { HostProblem } from './failure.ts';
import { orNone, pullRequestsFrom } from './operations.ts';
import { toPullRequest } from './pullRequest.ts';
import { rightToChecks } from './missingRights.ts';
import { toChecks, unseenChecks, type Checks, type PullRequestStatus } from './status.ts';
import { isOneOf, type StatusQuestion } from './statusQuery.ts';
import { githubMessages } from '../messages/github.ts';

/**
 * The same as the query for statuses, asked one by one: for servers without GraphQL. Costs four requests for each pull request, and does
 * not know which threads are resolved.
 */
export async function restStatus(
  github: GitHub,
  wanted: StatusQuestion,
  signal?: AbortSignal,
): Promise<PullRequestStatus | undefined> {
  const number = 'number' in wanted ? wanted.number : await latestOf(github, wanted, signal);
  if (number === undefined) return undefined;
  const what = githubMessages.askPullRequest({ number });
  const found = await orNone(
    github.askForNews(
      `status ${number}`,
      what,
      (host, at) => host.rest.pulls.get({ ...at, pull_number: number }),
      signal,
    ),
  );
  if (!found) return undefined;
  const answer = found.data;
  const pull = toPullRequest(answer);
  const [{ data: reviews }, checks] = await Promise.all([
    github.askForNews(
      `reviews ${number}`,
      what,
      (host, at) => host.rest.pulls.listReviews({ ...at, pull_number: number, per_page: 100 }),
      signal,
    ),
    restChecks(github, pull.head.oid, signal),
  ]);
  const opinions = new Map(
    reviews.filter(({ state }) => state !== 'COMMENTED').map((each) => [each.user?.login, each.state]),
  );
  const review = [...opinions.values()].includes('CHANGES_REQUESTED')
    ? 'changes_requested'
    : [...opinions.values()].includes('APPROVED')
      ? 'approved'
      : undefined;
  return {
    number,
    url: pull.url,
    title: pull.title,
    state: pull.state,
    draft: pull.draft,
    headBranch: pull.head.branch,
    headCommit: pull.head.oid,
    baseBranch: pull.base.branch,
    mergeCommit: pull.state === 'merged' ? (answer.merge_commit_sha ?? undefined) : undefined,
    mergeable: answer.mergeable === null ? 'unknown' : answer.mergeable ? 'yes' : 'conflicts',
    checks,
    review,
    remarks: answer.comments + answer.review_comments + reviews.length,
    unresolved: 0,
    host: pull.stack ? { stack: pull.stack } : undefined,
    missing: checks === unseenChecks ? [rightToChecks] : [],
  };
}

/** The number of the latest pull request of a branch, in whichever of its repositories it is. */
async function latestOf(
  github: GitHub,
  { branch, heads }: Extract<StatusQuestion, { branch: string }>,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const numbers: number[] = [];
  for (const head of heads) {
    const [owner = '', repo = ''] = head.split('/');
    const all = await pullRequestsFrom(github, { owner, repo, branch }, signal);
    numbers.push(...all.filter(({ head: { repository } }) => isOneOf(heads, repository)).map(({ number }) => number));
  }
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

async function restChecks(github: GitHub, oid: string, signal?: AbortSignal): Promise<Checks> {
  const what = githubMessages.askChecks({ commit: oid.slice(0, 8) });
  const runs = orUnseen(
    github.askForNews(
      `checks ${oid}`,
      what,
      (host, at) => host.rest.checks.listForRef({ ...at, ref: oid, per_page: 100 }),
      signal,
    ),
  );
  const statuses = orUnseen(
    github.askForNews(
      `statuses ${oid}`,
      what,
      (host, at) => host.rest.repos.getCombinedStatusForRef({ ...at, ref: oid, per_page: 100 }),
      signal,
    ),
  );
  const [checkRuns, combined] = await Promise.all([runs, statuses]);
  // Half of them say nothing: what failed may be in the other half.
  if (checkRuns === 'forbidden' || combined === 'forbidden') return unseenChecks;
  const states = [
    ...(checkRuns?.check_runs ?? []).map(({ status, conclusion }) =>
      status === 'completed' ? (conclusion ?? 'pending') : 'pending',
    ),
    ...(combined?.statuses ?? []).map(({ state }) => state),
  ];
  return toChecks(
    states.map((state) => ({ state, count: 1 })),
    undefined,
  );
}

/** `undefined` where there is no such thing. */
async function orUnseen<T>(asked: Promise<{ readonly data: T }>): Promise<T | 'forbidden' | undefined> {
  try {
    return (await asked).data;
  } catch (thrown) {
    if (!(thrown instanceof HostProblem) || thrown.reason === 'rate-limited') throw thrown;
    if (thrown.status === 404) return undefined;
    if (thrown.status === 403) return 'forbidden';
    throw thrown;
  }
}
