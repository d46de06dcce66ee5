/** A pull request as GitHub describes it, without what nobody here looks at. */
export interface PullRequest {
  readonly number: number;
  /** Where people look at it. */
  readonly url: string;
  readonly nodeId: string;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  readonly head: { readonly branch: string; readonly oid: string; readonly repository: string | undefined };
  readonly base: { readonly branch: string; readonly oid: string };
  /** GitHub's own stack that it is in, where the repository has such. */
  readonly stack: NativePlace | undefined;
  /** It waits in a merge queue; `undefined` where that was not asked. */
  readonly queued?: boolean | undefined;
  /** Its reviews approve it; `undefined` where that was not asked. */
  readonly approved?: boolean | undefined;
  /** The branch that it is into is not there any more; `undefined` where that was not asked. */
  readonly baseGone?: boolean | undefined;
  /** Those who may push to what it is into may push to its branch in a fork; `undefined` where that was not asked. */
  readonly maintainerCanModify?: boolean | undefined;
  /** Who opened it; `undefined` where that was not asked, and where the account is gone. */
  readonly author?: string | undefined;
  /** The commit that it was merged as. */
  readonly mergeCommit?: string | undefined;
}

/** A pull request's place in a stack of GitHub's own. */
export interface NativePlace {
  readonly number: number;
  /** From 1, the bottom. */
  readonly position: number | undefined;
  readonly size: number | undefined;
}

/** The part of GitHub's answer that is read; the full one and the one in lists have it in common. */
export interface PullRequestAnswer {
  readonly number: number;
  readonly html_url: string;
  readonly node_id: string;
  readonly title: string;
  readonly body: string | null;
  readonly state: string;
  readonly draft?: boolean | undefined;
  readonly merged_at: string | null;
  readonly maintainer_can_modify?: boolean;
  readonly user: { readonly login: string } | null;
  readonly head: { readonly ref: string; readonly sha: string; readonly repo: { readonly full_name: string } | null };
  readonly base: { readonly ref: string; readonly sha: string };
}

/** Reads GitHub's answer. */
export function toPullRequest(answer: PullRequestAnswer): PullRequest {
  // The library's types are older than GitHub's stacks.
  const { stack } = answer as { stack?: { number?: number; position?: number; size?: number } | null };
  return {
    number: answer.number,
    url: answer.html_url,
    nodeId: answer.node_id,
    title: answer.title,
    body: answer.body ?? '',
    state: answer.merged_at ? 'merged' : answer.state === 'open' ? 'open' : 'closed',
    draft: answer.draft ?? false,
    head: { branch: answer.head.ref, oid: answer.head.sha, repository: answer.head.repo?.full_name },
    base: { branch: answer.base.ref, oid: answer.base.sha },
    author: answer.user?.login,
    ...(answer.maintainer_can_modify === undefined ? {} : { maintainerCanModify: answer.maintainer_can_modify }),
    stack:
      stack?.number === undefined ? undefined : { number: stack.number, position: stack.position, size: stack.size },
  };
}
