import { Problem } from '../../base/problem.ts';
import type { GitHub } from '../client.ts';
import { askQuery } from '../graphql.ts';
import type { PullRequest } from '../pullRequest.ts';

const text = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { viewerDidAuthor } }
}`;

/**
 * Who opened a pull request, where that is somebody else than the person who asks. Where the host does not tell, its author counts as somebody
 * else: to name somebody's own branch to them does less harm than to take another's for theirs.
 */
export async function authorIfAnother(
  github: GitHub,
  { number, author }: PullRequest,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (author === undefined) return undefined;
  try {
    const { data } = await askQuery(github, { text, variables: { number } }, 0, () => true, signal);
    const { pullRequest } = data['repository'] as { pullRequest?: { viewerDidAuthor?: boolean } | null };
    return pullRequest?.viewerDidAuthor === true ? undefined : author;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return author;
  }
}
