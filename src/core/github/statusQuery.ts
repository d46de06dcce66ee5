import { isObject } from '../base/jsonText.ts';
import type { Demands, HostFacts } from '../repository/hostFacts.ts';
import { distinctRights, rightFor, rightToChecks, type MissingRight, type PartError } from './missingRights.ts';
import { toChecks, unseenChecks, type PullRequestStatus } from './status.ts';

/**
 * A pull request that is asked about: by its number, or as the latest one of a branch that is in one of some repositories (`owner/repo`).
 * Anybody's fork may have a branch of that name.
 */
export type StatusQuestion =
  { readonly number: number } | { readonly branch: string; readonly heads: readonly string[] };

/** How many of the latest pull requests of branches with one name are read. */
const sameNamed = 20;

/** Whether a branch is in one of some repositories. GitHub does not tell names apart by case, and a deleted repository has none. */
export function isOneOf(heads: readonly string[], repository: string | undefined): boolean {
  return heads.some((each) => each.toLowerCase() === repository?.toLowerCase());
}

/** What only younger servers know, or only some tokens may see: the rules of the base, and its queue. */
const rules = `mergeStateStatus isMergeQueueEnabled
  baseRef {
    refUpdateRule { requiredApprovingReviewCount requiredStatusCheckContexts }
    rules(first: 50) { nodes { type parameters {
      ... on RequiredStatusChecksParameters { requiredStatusChecks { context } }
      ... on PullRequestParameters { requiredApprovingReviewCount }
    } } }
  }`;

/** Counts of checks instead of the checks: whole lists of them time out. */
const fields = (withRules: boolean): string => `fragment watched on PullRequest {
  number url title state isDraft ${withRules ? 'isInMergeQueue' : ''} headRefName headRefOid baseRefName mergeable reviewDecision
  headRepository { nameWithOwner }
  mergeCommit { oid }
  ${withRules ? rules : ''}
  comments { totalCount }
  reviews { totalCount }
  reviewThreads(first: 50) { nodes { isResolved } }
  commits(last: 1) { nodes { commit { statusCheckRollup {
    state
    contexts(first: 1) { checkRunCountsByState { state count } statusContextCountsByState { state count } }
  } } } }
}`;

/**
 * The query for up to fifty pull requests and some branches at once: its text and its variables.
 *
 * @param withRules ask for what older servers do not know as well.
 */
export function statusQuery(
  wanted: readonly StatusQuestion[],
  branches: readonly string[],
  withRules = true,
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
}${pulls.length > 0 ? `\n${fields(withRules)}` : ''}`;
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

/**
 * Reads the answer of GraphQL to what was asked.
 *
 * @param forbidden says which parts the token may not see.
 */
export function readStatusAnswer(
  data: unknown,
  wanted: readonly StatusQuestion[],
  branches: number,
  forbidden: readonly PartError[] = [],
): StatusAnswer {
  const whole = isObject(data) ? data : {};
  const repository = isObject(whole['repository']) ? whole['repository'] : {};
  const rate = isObject(whole['rateLimit']) ? whole['rateLimit'] : undefined;
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  return {
    pulls: wanted.map((each, index) =>
      toStatus(
        answerTo(each, repository[`p${index}`]),
        distinctRights(forbidden.filter(({ path }) => path?.[1] === `p${index}`).map(rightFor)),
      ),
    ),
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

function answerTo(wanted: StatusQuestion, value: unknown): Answered | undefined {
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
  readonly isMergeQueueEnabled?: boolean;
  readonly mergeStateStatus?: string;
  readonly baseRef?: BaseRef | null;
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

interface BaseRef {
  readonly refUpdateRule: {
    readonly requiredApprovingReviewCount: number | null;
    readonly requiredStatusCheckContexts: readonly (string | null)[] | null;
  } | null;
  readonly rules: {
    readonly nodes: readonly ({ readonly parameters: RuleParameters | null } | null)[] | null;
  } | null;
}

interface RuleParameters {
  readonly requiredStatusChecks?: readonly { readonly context: string }[];
  readonly requiredApprovingReviewCount?: number;
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

/** What a base demands, by its older protection and by rulesets together; `undefined` where that is nothing. */
function demandsOf({ baseRef, isMergeQueueEnabled }: Answered): Demands | undefined {
  const old = baseRef?.refUpdateRule;
  const parameters = (baseRef?.rules?.nodes ?? []).flatMap((rule) => rule?.parameters ?? []);
  const checks = [
    ...(old?.requiredStatusCheckContexts ?? []),
    ...parameters.flatMap(({ requiredStatusChecks }) => (requiredStatusChecks ?? []).map(({ context }) => context)),
  ].filter((each) => each !== null);
  const reviews = [old, ...parameters].map((each) => each?.requiredApprovingReviewCount ?? 0);
  const demands = { checks: [...new Set(checks)], reviews: Math.max(...reviews), queue: isMergeQueueEnabled === true };
  return demands.checks.length > 0 || demands.reviews > 0 || demands.queue ? demands : undefined;
}

function hostFacts(answered: Answered): HostFacts | undefined {
  const demands = demandsOf(answered);
  const blocked = answered.mergeStateStatus === 'BLOCKED' && (demands !== undefined || !answered.isDraft);
  if (!demands && !blocked) return undefined;
  return { ...(demands ? { demands } : {}), ...(blocked ? { blocked } : {}) };
}

function toStatus(answered: Answered | undefined, missing: readonly MissingRight[]): PullRequestStatus | undefined {
  if (!answered) return undefined;
  const hidden = missing.some(({ what }) => what === rightToChecks.what);
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
    checks: hidden ? unseenChecks : toChecks(counts, rollup?.state),
    review: reviews[answered.reviewDecision ?? ''],
    remarks: answered.comments.totalCount + (answered.reviews?.totalCount ?? 0),
    unresolved: (answered.reviewThreads.nodes ?? []).filter((thread) => thread?.isResolved === false).length,
    host: hostFacts(answered),
    missing,
  };
}
