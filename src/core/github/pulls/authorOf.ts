import { Problem } from '../../base/problem.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import type { GitHub } from '../client.ts';
import { askQuery } from '../graphql.ts';
import type { PullRequest } from '../pullRequest.ts';

/**
 * Who opened each of some pull requests, by its number, where that is somebody else than the person who asks. One query. Where the host does
 * not tell, an author counts as somebody else: to name somebody's own branch to them does less harm than to take another's for theirs.
 *
 * @throws Problem `cancelled`.
 */
async function authorsIfOthers(
  github: GitHub,
  pulls: readonly PullRequest[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  if (pulls.length === 0) return new Map();
  const isOwn = await ownPulls(github, pulls, signal);
  return new Map(
    pulls.flatMap((pull) => (pull.author === undefined || isOwn(pull) ? [] : [[pull.number, pull.author]])),
  );
}

/** The same for one; `undefined` where it is the person's own. */
export async function authorIfAnother(
  github: GitHub,
  pull: PullRequest,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return (await authorsIfOthers(github, [pull], signal)).get(pull.number);
}

/**
 * The authors of the open pull requests of branches, by branch, where these are somebody else's. Of one that is recorded the record knows
 * it, so that GitHub is asked about no pull request twice.
 */
export async function authorsOf(
  github: GitHub,
  members: readonly StackedWorktree[],
  found: ReadonlyMap<string, PullRequest>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const open = members.flatMap(({ branch, worktree: { entry } }) => {
    const pull = found.get(branch);
    if (pull?.state !== 'open') return [];
    const recorded = entry?.branch === branch && entry.pr?.number === pull.number ? entry.pr : undefined;
    return [{ branch, pull, recorded }];
  });
  const unknown = open.filter(({ recorded }) => !recorded).map(({ pull }) => pull);
  const asked = await authorsIfOthers(github, unknown, signal);
  return new Map(
    open.flatMap(({ branch, pull, recorded }) => {
      const author = recorded ? recorded.author : asked.get(pull.number);
      return author === undefined ? [] : [[branch, author]];
    }),
  );
}

async function ownPulls(
  github: GitHub,
  pulls: readonly PullRequest[],
  signal: AbortSignal | undefined,
): Promise<(pull: PullRequest) => boolean> {
  const parts = pulls.map(({ number }) => `p${number}: pullRequest(number: ${number}) { viewerDidAuthor }`);
  const text = `query ($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) { ${parts.join(' ')} }
}`;
  try {
    const { data } = await askQuery(github, { text, variables: {} }, 0, () => true, signal);
    const told = data['repository'] as Readonly<Record<string, { viewerDidAuthor?: boolean } | null>>;
    return ({ number }) => told[`p${number}`]?.viewerDidAuthor === true;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return () => false;
  }
}
