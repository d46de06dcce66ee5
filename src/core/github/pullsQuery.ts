import { isObject } from '../base/jsonText.ts';
import type { GitHub } from './client.ts';
import { HostProblem } from './failure.ts';
import { openPullRequests } from './operations.ts';
import type { PullRequest } from './pullRequest.ts';
import { nameOf } from './remoteUrl.ts';

/** So many branches go into one query. */
const batchSize = 100;
/** So many of the latest pull requests of a branch, and into one, are looked at. */
const latest = 10;
const mostInto = 30;

/** The pull requests of a repository that are about some branches. */
export interface PullsAnswer {
  /** Of branches of these names, whatever their repository, the latest first. */
  readonly from: ReadonlyMap<string, readonly PullRequest[]>;
  /** Those that are open, by what they are into. */
  readonly into: ReadonlyMap<string, readonly PullRequest[]>;
  /** `from` has those that were merged or closed, too. */
  readonly whole: boolean;
}

const fields = `fragment told on PullRequest {
  id number url title body state isDraft isInMergeQueue reviewDecision
  headRefName headRefOid headRepository { nameWithOwner } baseRefName baseRefOid baseRef { name } mergeCommit { oid }
}`;

/**
 * Asks for the pull requests of branches and into branches: one request where a repository has at most a hundred open ones; else one query
 * for a hundred branches; where the host has no GraphQL, all pages.
 *
 * @throws HostProblem as every request.
 */
export async function askPulls(
  github: GitHub,
  branches: readonly string[],
  bases: readonly string[],
  signal?: AbortSignal,
): Promise<PullsAnswer> {
  const first = await openPullRequests(github, signal, 1);
  if (first.whole) return grouped(first.pulls, branches, bases);
  const from = new Map<string, PullRequest[]>();
  const into = new Map<string, PullRequest[]>();
  try {
    for (let start = 0; start < Math.max(branches.length, bases.length); start += batchSize) {
      const some = { heads: branches.slice(start, start + batchSize), bases: bases.slice(start, start + batchSize) };
      const repository = await askSome(github, some, signal);
      for (const [at, branch] of some.heads.entries()) from.set(branch, pullsIn(repository[`h${at}`]));
      for (const [at, base] of some.bases.entries()) into.set(base, pullsIn(repository[`b${at}`]));
    }
  } catch (thrown) {
    if (!(thrown instanceof HostProblem) || !hasNoSuchQuery(thrown)) throw thrown;
    return grouped((await openPullRequests(github, signal)).pulls, branches, bases);
  }
  return { from, into, whole: true };
}

function grouped(pulls: readonly PullRequest[], branches: readonly string[], bases: readonly string[]): PullsAnswer {
  const by = (names: readonly string[], of: (pull: PullRequest) => string): Map<string, PullRequest[]> =>
    new Map(names.map((name) => [name, pulls.filter((pull) => of(pull) === name)]));
  return { from: by(branches, ({ head }) => head.branch), into: by(bases, ({ base }) => base.branch), whole: false };
}

async function askSome(
  github: GitHub,
  { heads, bases }: { readonly heads: readonly string[]; readonly bases: readonly string[] },
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  const variables: Record<string, string> = {};
  for (const [at, head] of heads.entries()) variables[`h${at}`] = head;
  for (const [at, base] of bases.entries()) variables[`b${at}`] = base;
  const declared = ['$owner: String!', '$repo: String!', ...Object.keys(variables).map((name) => `$${name}: String!`)];
  const order = 'orderBy: { field: CREATED_AT, direction: DESC }';
  const parts = [
    ...heads.map(
      (_, at) => `h${at}: pullRequests(headRefName: $h${at}, first: ${latest}, ${order}) { nodes { ...told } }`,
    ),
    ...bases.map(
      (_, at) =>
        `b${at}: pullRequests(baseRefName: $b${at}, states: [OPEN], first: ${mostInto}, ${order}) { nodes { ...told } }`,
    ),
  ];
  const query = `query(${declared.join(', ')}) {
  repository(owner: $owner, name: $repo) {
    id
    ${parts.join('\n    ')}
  }
}${parts.length > 0 ? `\n${fields}` : ''}`;
  return github.ask(
    'tell about the pull requests',
    async (host, { owner, repo, request }) => {
      const answer = await host.request('POST /graphql', { query, variables: { ...variables, owner, repo }, request });
      const { data, errors } = answer.data as {
        data?: { repository?: Record<string, unknown> | null } | null;
        errors?: readonly { message?: string }[];
      };
      const found = data?.repository;
      if (found) return { data: found, headers: answer.headers };
      const told = errors ?? [{ message: 'an answer without data' }];
      throw Object.assign(new Error('the query failed'), { status: 200, headers: answer.headers, errors: told });
    },
    signal,
  );
}

/** There is no GraphQL, or it does not know what every REST interface does: that one has the last word. */
function hasNoSuchQuery({ status, words, reason }: HostProblem): boolean {
  const unknown = words.some((each) => /doesn't exist on type/.test(each));
  return status === 404 || reason === 'not-found' || unknown;
}

interface Told {
  readonly id: string;
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string | null;
  readonly state: 'OPEN' | 'CLOSED' | 'MERGED';
  readonly isDraft: boolean;
  readonly isInMergeQueue?: boolean;
  readonly reviewDecision: string | null;
  readonly headRefName: string;
  readonly headRefOid: string;
  readonly headRepository: { readonly nameWithOwner: string } | null;
  readonly baseRefName: string;
  readonly baseRefOid: string;
  readonly baseRef: { readonly name: string } | null;
  readonly mergeCommit: { readonly oid: string } | null;
}

function pullsIn(value: unknown): PullRequest[] {
  const nodes = isObject(value) && Array.isArray(value['nodes']) ? (value['nodes'] as (Told | null)[]) : [];
  return nodes.flatMap((node) => (node ? [toPull(node)] : []));
}

const states = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const;

function toPull(told: Told): PullRequest {
  return {
    ...{ number: told.number, url: told.url, nodeId: told.id, title: told.title, body: told.body ?? '' },
    ...{ state: states[told.state], draft: told.isDraft },
    head: { branch: told.headRefName, oid: told.headRefOid, repository: told.headRepository?.nameWithOwner },
    base: { branch: told.baseRefName, oid: told.baseRefOid },
    stack: undefined,
    queued: told.isInMergeQueue === true,
    approved: told.reviewDecision === 'APPROVED',
    baseGone: told.baseRef === null,
    mergeCommit: told.mergeCommit?.oid,
  };
}

/** Whether a pull request's branch is in a repository. A deleted repository has no name any more. */
export function isIn(
  { head: { repository } }: PullRequest,
  home: { readonly owner: string; readonly repo: string } | undefined,
): boolean {
  return home !== undefined && (repository === undefined || repository.toLowerCase() === nameOf(home).toLowerCase());
}
