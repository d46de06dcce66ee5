import { isObject } from '../base/jsonText.ts';
import type { GitHub } from './client.ts';
import { HostProblem } from './failure.ts';
import { askQuery, hasNoSuchQuery } from './graphql.ts';
import { askInParts } from './inParts.ts';
import { isForbidden, type PartError } from './missingRights.ts';
import { openPullRequests } from './operations.ts';
import type { PullRequest } from './pullRequest.ts';
import { nameOf } from './remoteUrl.ts';

/** The most branches in one query. */
const mostInQuery = 500;
/** The most pull requests on one page of the REST interface; of more branches not all can be on it. */
const pageSize = 100;
/** How many of the latest pull requests of a branch are read. */
const latest = 10;

/** The pull requests of some branches. */
export interface PullsAnswer {
  /** By branch, whatever repository the branch is in, the latest first. */
  readonly from: ReadonlyMap<string, readonly PullRequest[]>;
  /** `from` includes those that were merged or closed. */
  readonly whole: boolean;
}

const fields = `fragment told on PullRequest {
  id number url title body state isDraft isInMergeQueue reviewDecision
  headRefName headRefOid headRepository { nameWithOwner } baseRefName baseRefOid baseRef { name } mergeCommit { oid }
  author { login }
}`;

/**
 * Reads the pull requests of branches: one request where a repository has fewer than a hundred open ones, else one query for up to five
 * hundred branches. A host without GraphQL is asked for all pages of its open ones.
 *
 * @throws HostProblem as every request; also when GitHub answers only a part, since a missing pull request would be opened again.
 */
export async function askPulls(
  github: GitHub,
  branches: readonly string[],
  signal?: AbortSignal,
): Promise<PullsAnswer> {
  if (branches.length <= pageSize) {
    const first = await openPullRequests(github, signal, 1);
    if (first.whole) return grouped(first.pulls, branches);
  }
  try {
    const found = await askInParts(github, branches, {
      ...{ kind: 'pull requests of branches', most: mostInQuery },
      ask: (some, retries) => askSome(github, some, retries, signal),
    });
    return { from: new Map(branches.map((branch, at) => [branch, found[at] ?? []])), whole: true };
  } catch (thrown) {
    // A repository that is not found has no pull requests for GraphQL either.
    if (!hasNoSuchQuery(thrown) && !(thrown instanceof HostProblem && thrown.reason === 'not-found')) throw thrown;
    return grouped((await openPullRequests(github, signal)).pulls, branches);
  }
}

function grouped(pulls: readonly PullRequest[], branches: readonly string[]): PullsAnswer {
  const from = new Map(branches.map((branch): [string, PullRequest[]] => [branch, []]));
  for (const pull of pulls) from.get(pull.head.branch)?.push(pull);
  return { from, whole: false };
}

async function askSome(
  github: GitHub,
  heads: readonly string[],
  retries: 0 | undefined,
  signal: AbortSignal | undefined,
): Promise<PullRequest[][]> {
  const variables = Object.fromEntries(heads.map((head, at) => [`h${at}`, head]));
  const declared = ['$owner: String!', '$repo: String!', ...heads.map((_, at) => `$h${at}: String!`)];
  const order = 'orderBy: { field: CREATED_AT, direction: DESC }';
  const parts = heads.map(
    (_, at) => `h${at}: pullRequests(headRefName: $h${at}, first: ${latest}, ${order}) { nodes { ...told } }`,
  );
  const text = `query(${declared.join(', ')}) {
  repository(owner: $owner, name: $repo) {
    id
    ${parts.join('\n    ')}
  }
}${parts.length > 0 ? `\n${fields}` : ''}`;
  // Details that the token may not see may be missing, pull requests may not.
  const isLeft = (error: PartError, repository: Record<string, unknown>): boolean =>
    isForbidden(error) && isObject(nodeAt(repository, error));
  const { data } = await askQuery(github, { text, variables }, retries, isLeft, signal);
  const repository = data['repository'] as Record<string, unknown>;
  return heads.map((_, at) => pullsIn(repository[`h${at}`]));
}

/** The pull request that an error is about, as it is in the answer. */
function nodeAt(repository: Record<string, unknown>, { path = [] }: PartError): unknown {
  const [, alias = '', , at = 0] = path;
  const connection = repository[alias];
  return isObject(connection) && Array.isArray(connection['nodes']) ? connection['nodes'][Number(at)] : undefined;
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
  readonly author?: { readonly login: string } | null;
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
    author: told.author?.login,
  };
}

/** Whether a pull request's branch is in a repository. A deleted repository has no name any more. */
export function isIn(
  { head: { repository } }: PullRequest,
  home: { readonly owner: string; readonly repo: string } | undefined,
): boolean {
  return home !== undefined && (repository === undefined || repository.toLowerCase() === nameOf(home).toLowerCase());
}
