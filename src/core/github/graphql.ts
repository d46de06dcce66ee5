import type { GitHub } from './client.ts';
import { HostProblem } from './failure.ts';
import type { PartError } from './missingRights.ts';
import { githubMessages } from '../messages/github.ts';

/** An answer of GraphQL, with the errors of those parts that the rest can do without. */
export interface QueryAnswer {
  readonly data: Record<string, unknown>;
  readonly left: readonly PartError[];
}

/**
 * Sends a query about the repository.
 *
 * @param retries how often it is sent again after a failure of the server; default as every request.
 * @param isLeft whether the answer is right although there is an error; any other one fails the query.
 * @throws HostProblem as every request.
 */
export async function askQuery(
  github: GitHub,
  query: { readonly text: string; readonly variables: Readonly<Record<string, string | number>> },
  retries: 0 | undefined,
  isLeft: (error: PartError, repository: Record<string, unknown>) => boolean,
  signal: AbortSignal | undefined,
): Promise<QueryAnswer> {
  return github.ask(
    githubMessages.askPullRequests(),
    async (host, { owner, repo, request }) => {
      const answer = await host.request('POST /graphql', {
        query: query.text,
        variables: { ...query.variables, owner, repo },
        request: retries === undefined ? request : { ...request, retries },
      });
      const { headers } = answer;
      const { data, errors: left = [] } = answer.data as { data?: QueryAnswer['data'] | null; errors?: PartError[] };
      const repository = data?.['repository'] as Record<string, unknown> | null | undefined;
      if (data && repository && left.every((each) => isLeft(each, repository)))
        return { data: { data, left }, headers };
      const errors = left.length > 0 ? left : [{ message: 'no data' }];
      throw Object.assign(new Error('failed'), { status: 200, headers, errors });
    },
    signal,
  );
}

/** The host has no GraphQL, or an older one. */
export function hasNoSuchQuery(thrown: unknown): thrown is HostProblem {
  if (!(thrown instanceof HostProblem)) return false;
  return thrown.status === 404 || thrown.words.some((each) => /doesn't exist on type/.test(each));
}
