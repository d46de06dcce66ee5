import { isObject } from '../base/jsonText.ts';
import { toChecks, type PullRequestStatus } from './status.ts';

/**
 * A pull request that is asked about: by its number, or as the latest one of a branch that is in one of some repositories (`owner/repo`).
 * Anybody's fork may have a branch of that name.
 */
export type Wanted = { readonly number: number } | { readonly branch: string; readonly heads: readonly string[] };

/** So many of the latest pull requests of branches with one name are looked through. */
const sameNamed = 20;

/** Whether a branch is in one of some repositories. GitHub does not tell names apart by case, and a deleted repository has none. */
export function isOneOf(heads: readonly string[], repository: string | undefined): boolean {
  return heads.some((each) => each.toLowerCase() === repository?.toLowerCase());
}

/** Counts of checks instead of the checks: whole lists of them time out. */
const fields = `fragment watched on PullRequest {
  number url title state isDraft isInMergeQueue headRefName headRefOid baseRefName mergeable reviewDecision
  headRepository { nameWithOwner }
  mergeCommit { oid }
  comments { totalCount }
  reviews { totalCount }
  reviewThreads(first: 50) { nodes { isResolved } }
  commits(last: 1) { nodes { commit { statusCheckRollup {
    state
    contexts(first: 1) { checkRunCountsByState { state count } statusContextCountsByState { state count } }
  } } } }
}`;

/** The query for up to fifty pull requests and some branches at once: its text and its variables. */
export function statusQuery(
  wanted: readonly Wanted[],
  branches: readonly string[],
): { readonly text: string; readonly variables: Readonly<Record<string, string | number>> } {
  const variables: Record<string, string | number> = {};
  const declared: string[] = [];
  const variable = (name: string, type: string, value: string | number): string => {
    variables[name] = value;
    declared.push(`$${name}: ${type}`);
    return `$${name}`;
  };
  const pulls = wanted.map((each, index) =>
    'number' in each
      ? `p${index}: pullRequest(number: ${variable(`n${index}`, 'Int!', each.number)}) { ...watched }`
      : `p${index}: pullRequests(headRefName: ${variable(`h${index}`, 'String!', each.branch)}, first: ${sameNamed}, ` +
        'orderBy: { field: CREATED_AT, direction: DESC }) { nodes { ...watched } }',
  );
  const refs = branches.map(
    (branch, index) =>
      `b${index}: ref(qualifiedName: ${variable(`r${index}`, 'String!', `refs/heads/${branch}`)}) { target { oid } }`,
  );
  const head = `query(${['$owner: String!', '$repo: String!', ...declared].join(', ')})`;
  const inside = ['id', ...pulls, ...refs].join('\n    ');
  const text = `${head} {
  rateLimit { cost limit remaining resetAt }
  repository(owner: $owner, name: $repo) {
    ${inside}
  }
}${pulls.length > 0 ? `\n${fields}` : ''}`;
  return { text, variables };
}

/** What the query gives, by the places of what was asked; `undefined` for what does not exist. */
export interface StatusAnswer {
  readonly pulls: readonly (PullRequestStatus | undefined)[];
  /** The last commits of the branches. */
  readonly branches: readonly (string | undefined)[];
  readonly rate:
    { readonly cost: number; readonly limit: number; readonly remaining: number; readonly resetAt: number } | undefined;
}

/** Reads the answer of GraphQL to what was asked. */
export function readStatusAnswer(data: unknown, wanted: readonly Wanted[], branches: number): StatusAnswer {
  const whole = isObject(data) ? data : {};
  const repository = isObject(whole['repository']) ? whole['repository'] : {};
  const rate = isObject(whole['rateLimit']) ? whole['rateLimit'] : undefined;
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  return {
    pulls: wanted.map((each, index) => toStatus(answerTo(each, repository[`p${index}`]))),
    branches: numbers(branches).map((index) => {
      const ref = repository[`b${index}`] as { target?: { oid?: string } | null } | null | undefined;
      return ref?.target?.oid;
    }),
    rate: rate && {
      cost: Number(rate['cost']),
      limit: Number(rate['limit']),
      remaining: Number(rate['remaining']),
      resetAt: Date.parse(String(rate['resetAt'])),
    },
  };
}

function answerTo(wanted: Wanted, value: unknown): Answered | undefined {
  if (!isObject(value)) return undefined;
  if ('number' in wanted) return value as unknown as Answered;
  const nodes = Array.isArray(value['nodes']) ? (value['nodes'] as (Answered | null)[]) : [];
  return nodes.find((node) => isOneOf(wanted.heads, node?.headRepository?.nameWithOwner)) ?? undefined;
}

interface Answered {
  readonly headRepository: { readonly nameWithOwner: string } | null;
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly state: 'OPEN' | 'CLOSED' | 'MERGED';
  readonly isDraft: boolean;
  readonly isInMergeQueue?: boolean;
  readonly headRefName: string;
  readonly headRefOid: string;
  readonly baseRefName: string;
  readonly mergeable: string;
  readonly reviewDecision: string | null;
  readonly mergeCommit: { readonly oid: string } | null;
  readonly comments: { readonly totalCount: number };
  readonly reviews: { readonly totalCount: number } | null;
  readonly reviewThreads: { readonly nodes: readonly ({ readonly isResolved: boolean } | null)[] | null };
  readonly commits: {
    readonly nodes: readonly ({ readonly commit: { readonly statusCheckRollup: Rollup | null } } | null)[] | null;
  };
}

interface Rollup {
  readonly state: string;
  readonly contexts: {
    readonly checkRunCountsByState: readonly { readonly state: string; readonly count: number }[] | null;
    readonly statusContextCountsByState: readonly { readonly state: string; readonly count: number }[] | null;
  };
}

const reviews: Readonly<Record<string, PullRequestStatus['review']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  REVIEW_REQUIRED: 'required',
};

function toStatus(answered: Answered | undefined): PullRequestStatus | undefined {
  if (!answered) return undefined;
  const rollup = answered.commits.nodes?.[0]?.commit.statusCheckRollup;
  const counts = [
    ...(rollup?.contexts.checkRunCountsByState ?? []),
    ...(rollup?.contexts.statusContextCountsByState ?? []),
  ];
  const states = { OPEN: answered.isInMergeQueue ? 'queued' : 'open', CLOSED: 'closed', MERGED: 'merged' } as const;
  return {
    number: answered.number,
    url: answered.url,
    title: answered.title,
    state: states[answered.state],
    draft: answered.isDraft,
    headBranch: answered.headRefName,
    headCommit: answered.headRefOid,
    baseBranch: answered.baseRefName,
    mergeCommit: answered.mergeCommit?.oid,
    mergeable:
      answered.mergeable === 'MERGEABLE' ? 'yes' : answered.mergeable === 'CONFLICTING' ? 'conflicts' : 'unknown',
    checks: toChecks(counts, rollup?.state),
    review: reviews[answered.reviewDecision ?? ''],
    remarks: answered.comments.totalCount + (answered.reviews?.totalCount ?? 0),
    unresolved: (answered.reviewThreads.nodes ?? []).filter((thread) => thread?.isResolved === false).length,
  };
}
