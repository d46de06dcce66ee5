import type { GitHub } from './client.ts';
import { HostProblem } from './failure.ts';
import { getPullRequest, pullRequestsFrom } from './operations.ts';
import { toChecks, type Checks, type PullRequestStatus } from './status.ts';
import { isOneOf, type Wanted } from './statusQuery.ts';

/**
 * The same as the query for statuses, asked one by one: for servers without GraphQL. Costs four requests for each pull request, and does
 * not know which threads are resolved.
 */
export async function restStatus(
  github: GitHub,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<PullRequestStatus | undefined> {
  const number = 'number' in wanted ? wanted.number : await latestOf(github, wanted, signal);
  const pull = number === undefined ? undefined : await getPullRequest(github, number, signal);
  if (!pull || number === undefined) return undefined;
  const what = `show pull request #${number}`;
  const [answer, reviews, checks] = await Promise.all([
    github.ask(what, (host, at) => host.rest.pulls.get({ ...at, pull_number: number }), signal),
    github.ask(what, (host, at) => host.rest.pulls.listReviews({ ...at, pull_number: number, per_page: 100 }), signal),
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
  };
}

/** The number of the latest pull request of a branch, in whichever of its repositories it is. */
async function latestOf(
  github: GitHub,
  { branch, heads }: Extract<Wanted, { branch: string }>,
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
  const what = `show the checks of ${oid.slice(0, 8)}`;
  const runs = github.ask(what, (host, at) => host.rest.checks.listForRef({ ...at, ref: oid, per_page: 100 }), signal);
  const statuses = github
    .ask(what, (host, at) => host.rest.repos.getCombinedStatusForRef({ ...at, ref: oid, per_page: 100 }), signal)
    .catch((thrown: unknown) => {
      if (thrown instanceof HostProblem && thrown.status === 404) return { statuses: [] };
      throw thrown;
    });
  const [checkRuns, combined] = await Promise.all([runs, statuses]);
  const states = [
    ...checkRuns.check_runs.map(({ status, conclusion }) =>
      status === 'completed' ? (conclusion ?? 'pending') : 'pending',
    ),
    ...combined.statuses.map(({ state }) => state),
  ];
  return toChecks(
    states.map((state) => ({ state, count: 1 })),
    undefined,
  );
}
