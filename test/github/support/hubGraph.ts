import type { HubPull, HubRules, HubState } from './hubState.ts';

/** What GitHub answers for a part that a token may not see: the part is empty, the rest is there. */
function forbidden(): never {
  const message = 'Resource not accessible by personal access token';
  throw Object.assign(new Error(message), { type: 'FORBIDDEN' });
}

/** A repository as GraphQL is executed on it. */
export function repositoryNode(state: HubState): Record<string, unknown> {
  let read: ReadonlyMap<string, string> | undefined;
  // One process for the branches of a whole query.
  const tips: Tips = () => (read ??= state.refs.all());
  const refOf = (name: string): unknown => refNode(state, tips, name);
  return {
    id: 'R_1',
    nameWithOwner: `${state.owner}/${state.repo}`,
    isFork: state.parent !== undefined,
    parent: state.parent === undefined ? null : { nameWithOwner: state.parent },
    deleteBranchOnMerge: state.deletesMerged,
    defaultBranchRef: () => refOf(state.defaultBranch),
    pullRequest: ({ number }: { number: number }) => pullNode(state, tips, state.pulls.get(number), number),
    pullRequests: (wanted: Wanted) => connection(state, tips, wanted),
    ref: ({ qualifiedName }: { qualifiedName: string }) => refOf(qualifiedName.replace('refs/heads/', '')),
  };
}

/** The last commits of the branches. */
type Tips = () => ReadonlyMap<string, string>;

interface Wanted {
  readonly headRefName?: string;
  readonly baseRefName?: string;
  readonly states?: readonly string[];
  readonly first: number;
  readonly after?: string;
  readonly orderBy?: { readonly direction: string };
}

function connection(state: HubState, tips: Tips, wanted: Wanted): unknown {
  const { headRefName, baseRefName, states, first, after, orderBy } = wanted;
  if (!(first <= 100)) throw Object.assign(new Error('`first` is too large'), { type: 'EXCESSIVE_PAGINATION' });
  const all = [...state.pulls.values()].filter(
    (pull) =>
      (headRefName === undefined || pull.head === headRefName) &&
      (baseRefName === undefined || pull.base === baseRefName) &&
      (states === undefined || states.includes(stateOf(pull))),
  );
  if (orderBy?.direction !== 'ASC') all.reverse();
  const from = after === undefined ? 0 : Number(after);
  const some = all.slice(from, from + first);
  return {
    totalCount: all.length,
    nodes: some.map((pull) => pullNode(state, tips, pull, pull.number)),
    pageInfo: { hasNextPage: from + first < all.length, endCursor: String(from + some.length) },
  };
}

function refNode(state: HubState, tips: Tips, name: string): unknown {
  const oid = tips().get(name);
  if (oid === undefined) return null;
  const rules = state.rules.get(name);
  return {
    name,
    target: { __typename: 'Commit', oid },
    refUpdateRule: rules && rules.ruleset !== true ? protection(name, rules) : null,
    rules: () => ({ nodes: rules?.ruleset === true ? ruleset(rules) : [] }),
  };
}

function protection(pattern: string, { checks, approvals, push }: HubRules): unknown {
  return {
    pattern,
    allowsDeletions: false,
    allowsForcePushes: push === undefined,
    requiredApprovingReviewCount: approvals ?? null,
    requiredStatusCheckContexts: checks ?? null,
    viewerCanPush: push !== 'nobody',
  };
}

function ruleset({ checks, approvals, mergeQueue, push }: HubRules): unknown[] {
  const rule = (type: string, parameters: unknown = null): unknown => ({ id: type, type, parameters });
  return [
    ...(checks
      ? [
          rule('REQUIRED_STATUS_CHECKS', {
            __typename: 'RequiredStatusChecksParameters',
            strictRequiredStatusChecksPolicy: false,
            requiredStatusChecks: checks.map((context) => ({ context })),
          }),
        ]
      : []),
    ...(approvals === undefined
      ? []
      : [rule('PULL_REQUEST', { __typename: 'PullRequestParameters', requiredApprovingReviewCount: approvals })]),
    ...(mergeQueue ? [rule('MERGE_QUEUE')] : []),
    ...(push === 'forward' ? [rule('NON_FAST_FORWARD')] : push === 'nobody' ? [rule('UPDATE')] : []),
  ];
}

function stateOf(pull: HubPull): string {
  return pull.mergedAt ? 'MERGED' : pull.state.toUpperCase();
}

function pullNode(state: HubState, tips: Tips, pull: HubPull | undefined, number: number): unknown {
  if (!pull)
    throw Object.assign(new Error(`Could not resolve to a PullRequest with the number of ${number}.`), {
      type: 'NOT_FOUND',
    });
  const verdicts = pull.reviews.map(({ state: verdict }) => verdict);
  const required = state.rules.get(pull.base);
  return {
    id: `PR_${pull.number}`,
    number: pull.number,
    url: `${state.web}/${state.owner}/${state.repo}/pull/${pull.number}`,
    title: pull.title,
    body: pull.body,
    state: stateOf(pull),
    isDraft: pull.draft,
    author: { __typename: 'User', login: pull.author ?? 'octocat' },
    viewerDidAuthor: pull.author === undefined,
    isInMergeQueue: pull.queued,
    isMergeQueueEnabled: required?.mergeQueue === true,
    mergeQueueEntry: pull.queued ? { position: 1, state: 'QUEUED' } : null,
    mergeStateStatus: required && pull.checks.length === 0 ? 'BLOCKED' : 'UNKNOWN',
    headRefName: pull.head,
    headRepositoryOwner: { __typename: 'User', login: pull.headOwner },
    headRepository: { nameWithOwner: `${pull.headOwner}/${pull.headRepo}` },
    headRefOid: pull.headOid,
    baseRefName: pull.base,
    baseRefOid: pull.baseOid,
    baseRef: () => refNode(state, tips, pull.base),
    mergeable: 'UNKNOWN',
    mergeCommit: pull.mergeCommit === null ? null : { oid: pull.mergeCommit },
    reviewDecision: verdicts.includes('CHANGES_REQUESTED')
      ? 'CHANGES_REQUESTED'
      : verdicts.includes('APPROVED')
        ? 'APPROVED'
        : (required?.approvals ?? 0) > 0
          ? 'REVIEW_REQUIRED'
          : null,
    comments: { totalCount: pull.comments },
    reviews: { totalCount: pull.reviews.length },
    reviewThreads: { nodes: pull.threads.map(({ resolved }) => ({ isResolved: resolved })) },
    commits: {
      nodes: [
        { commit: { oid: pull.headOid, statusCheckRollup: () => (state.readsChecks ? rollup(pull) : forbidden()) } },
      ],
    },
  };
}

function rollup(pull: HubPull): unknown {
  if (pull.checks.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { status, conclusion } of pull.checks) {
    const word = (status === 'completed' ? (conclusion ?? 'success') : status).toUpperCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const any = (...words: string[]): boolean => words.some((word) => counts.has(word));
  const state = any('FAILURE', 'TIMED_OUT', 'CANCELLED')
    ? 'FAILURE'
    : any('QUEUED', 'IN_PROGRESS')
      ? 'PENDING'
      : 'SUCCESS';
  const checkRunCountsByState = [...counts].map(([word, count]) => ({ state: word, count }));
  return { state, contexts: { checkRunCountsByState, statusContextCountsByState: [] } };
}
