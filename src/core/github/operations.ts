import type { GitHub } from './client.ts';
import { HostProblem } from './failure.ts';
import { toPullRequest, type PullRequest } from './pullRequest.ts';
import { nameOf } from './remoteUrl.ts';
import { githubMessages } from '../messages/github.ts';

/** `owner/repo` of what the repository was forked from; `undefined` for one that is no fork. */
export async function forkedFrom(github: GitHub, signal?: AbortSignal): Promise<string | undefined> {
  const { owner, repo } = github.repository;
  const data = await github.ask(
    githubMessages.askRepository({ repository: `${owner}/${repo}` }),
    (host, at) => host.rest.repos.get(at),
    signal,
  );
  return data.fork ? data.parent?.full_name : undefined;
}

/** Whether the person may push to a repository; not, where they may not even see it. */
export async function mayPushTo(
  github: GitHub,
  { owner, repo }: { readonly owner: string; readonly repo: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const asked = github.ask(
    githubMessages.askRepository({ repository: `${owner}/${repo}` }),
    (host, { request }) => host.rest.repos.get({ owner, repo, request }),
    signal,
  );
  return (await orNone(asked, [403, 404]))?.permissions?.push === true;
}

/** One pull request; `undefined` when there is none of that number. */
export async function getPullRequest(
  github: GitHub,
  number: number,
  signal?: AbortSignal,
): Promise<PullRequest | undefined> {
  return orNone(
    github.ask(
      githubMessages.askPullRequest({ number }),
      (host, at) => host.rest.pulls.get({ ...at, pull_number: number }),
      signal,
    ),
  ).then((data) => data && toPullRequest(data));
}

/** The title of an issue; `undefined` when there is none of that number. A pull request is an issue as well. */
export async function getIssue(
  github: GitHub,
  number: number,
  signal?: AbortSignal,
): Promise<{ readonly title: string; readonly isPull: boolean } | undefined> {
  const asked = github.ask(
    githubMessages.askIssue({ number }),
    (host, at) => host.rest.issues.get({ ...at, issue_number: number }),
    signal,
  );
  // GitHub says 410 of an issue that was deleted, and of all where a repository has none.
  const data = await orNone(asked, [404, 410]);
  return data && { title: data.title, isPull: data.pull_request !== undefined };
}

/**
 * The pull requests of a branch in whatever state, the latest first.
 *
 * @param head.repo tells the repositories of one owner apart: GitHub itself asks for the owner only. A deleted one has no name any more.
 */
export async function pullRequestsFrom(
  github: GitHub,
  head: { readonly owner: string; readonly repo: string; readonly branch: string },
  signal?: AbortSignal,
): Promise<PullRequest[]> {
  const data = await github.ask(
    githubMessages.askPullRequestsOf({ branch: head.branch }),
    (host, at) =>
      host.rest.pulls.list({
        ...at,
        // Without the owner GitHub would ignore the filter and give all there are.
        head: `${head.owner}:${head.branch}`,
        state: 'all',
        sort: 'created',
        direction: 'desc',
      }),
    signal,
  );
  const isFrom = ({ branch, repository }: PullRequest['head']): boolean =>
    branch === head.branch && (repository === undefined || repository.toLowerCase() === nameOf(head).toLowerCase());
  return data.map(toPullRequest).filter((each) => isFrom(each.head));
}

/**
 * The open pull requests of a repository, the latest first.
 *
 * @param most so many pages of a hundred are asked for; default all.
 */
export async function openPullRequests(
  github: GitHub,
  signal?: AbortSignal,
  most = Infinity,
): Promise<{ readonly pulls: PullRequest[]; readonly whole: boolean }> {
  const pulls: PullRequest[] = [];
  for (let page = 1; page <= most; page++) {
    const asked = { state: 'open', sort: 'created', direction: 'desc', per_page: 100, page } as const;
    const data = await github.ask(
      githubMessages.askAllPullRequests(),
      (host, at) => host.rest.pulls.list({ ...at, ...asked }),
      signal,
    );
    pulls.push(...data.map(toPullRequest));
    if (data.length < asked.per_page) return { pulls, whole: true };
  }
  return { pulls, whole: false };
}

/** The open pull requests that are to be merged into a branch, all pages. */
export async function openPullRequestsInto(github: GitHub, base: string, signal?: AbortSignal): Promise<PullRequest[]> {
  const data = await github.ask(
    githubMessages.askPullRequestsInto({ base }),
    async (host, at) => ({
      data: await host.paginate(host.rest.pulls.list, { ...at, base, state: 'open', per_page: 100 }),
      headers: {},
    }),
    signal,
  );
  return data.map(toPullRequest).filter((each) => each.base.branch === base);
}

/** What a new pull request is made of. */
export interface NewPullRequest {
  readonly title: string;
  readonly body: string;
  /** The branch, with `owner:` before it when it is in another repository. */
  readonly head: string;
  /** The name of the fork, where it has the same owner: `owner:branch` does not tell the two apart. */
  readonly headRepo: string | undefined;
  readonly base: string;
  readonly draft: boolean;
}

/** Opens a pull request. Never tried again. */
export async function createPullRequest(
  github: GitHub,
  { headRepo, ...wanted }: NewPullRequest,
  signal?: AbortSignal,
): Promise<PullRequest> {
  const what = githubMessages.askOpen({ branch: wanted.head });
  const from = headRepo === undefined ? {} : { head_repo: headRepo };
  return toPullRequest(
    await github.write(what, (host, at) => host.rest.pulls.create({ ...at, ...wanted, ...from }), signal),
  );
}

/** Changes what is given of a pull request, and leaves everything else. */
export async function updatePullRequest(
  github: GitHub,
  number: number,
  change: {
    readonly title?: string;
    readonly body?: string;
    readonly base?: string;
    readonly state?: 'open' | 'closed';
  },
  signal?: AbortSignal,
): Promise<PullRequest> {
  const what = change.state === 'open' ? githubMessages.askReopen({ number }) : githubMessages.askChange({ number });
  return toPullRequest(
    await github.write(what, (host, at) => host.rest.pulls.update({ ...at, pull_number: number, ...change }), signal),
  );
}

/**
 * Rewrites the text of an open pull request, which people may be writing into: it is read when everything that is waited for is over, and
 * written with the next request. GitHub has no change on a condition; what somebody writes between these two requests is in its history of
 * edits only.
 *
 * @param bodyOf the new text from what is there at that moment; the same leaves it.
 * @returns the pull request as it is then; `undefined` when there is none of that number.
 */
export async function rewriteBody(
  github: GitHub,
  number: number,
  bodyOf: (now: PullRequest) => string,
  signal?: AbortSignal,
): Promise<PullRequest | undefined> {
  await github.turn(signal);
  const now = await getPullRequest(github, number, signal);
  if (now?.state !== 'open') return now;
  const body = bodyOf(now);
  if (body === now.body) return now;
  const answer = await github.ask(
    githubMessages.askChange({ number }),
    (host, at) => host.rest.pulls.update({ ...at, pull_number: number, body }),
    signal,
  );
  const updated = toPullRequest(answer);
  return { ...updated, stack: updated.stack ?? now.stack };
}

/** The last commit of a branch on GitHub; `undefined` when there is no such branch. */
export async function branchTip(github: GitHub, branch: string, signal?: AbortSignal): Promise<string | undefined> {
  const data = await orNone(
    github.ask(
      githubMessages.askTip({ branch }),
      (host, at) => host.rest.git.getRef({ ...at, ref: `heads/${branch}` }),
      signal,
    ),
  );
  return data?.object.sha;
}

/** Makes a branch at a commit that the repository has. */
export async function createBranch(github: GitHub, branch: string, oid: string, signal?: AbortSignal): Promise<void> {
  await github.write(
    githubMessages.askRestore({ branch }),
    (host, at) => host.rest.git.createRef({ ...at, ref: `refs/heads/${branch}`, sha: oid }),
    signal,
  );
}

/** Deletes a branch on GitHub. Whoever calls has seen to the pull requests into it before. */
export async function deleteBranch(github: GitHub, branch: string, signal?: AbortSignal): Promise<void> {
  await github.write(
    githubMessages.askDelete({ branch }),
    async (host, at) => {
      const { headers } = await host.rest.git.deleteRef({ ...at, ref: `heads/${branch}` });
      return { data: undefined, headers };
    },
    signal,
  );
}

/** The answer to a request for something that need not be there; `undefined` when it is not. */
export async function orNone<T>(asked: Promise<T>, none: readonly number[] = [404]): Promise<T | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof HostProblem && none.includes(thrown.status ?? 0)) return undefined;
    throw thrown;
  }
}
