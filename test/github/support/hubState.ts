import { exampleOf } from './contract.ts';
import type { Refs } from './refs.ts';

/** A pull request on the stand-in for GitHub. */
export interface HubPull {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  mergedAt: string | null;
  mergeCommit: string | null;
  draft: boolean;
  /** The branch, and the owner of the repository that it is in: this one, or a fork of it. */
  readonly head: string;
  readonly headOwner: string;
  /** The last commit that was seen of its branch. */
  headOid: string;
  base: string;
  baseOid: string;
  comments: number;
  reviews: { readonly login: string; readonly state: string }[];
  threads: { resolved: boolean }[];
  checks: { readonly name: string; readonly status: string; readonly conclusion: string | null }[];
  queued: boolean;
  stack: number | undefined;
}

/** The state behind the stand-in for GitHub: pull requests and stacks, with the branches of a repository. */
export class HubState {
  readonly owner: string;
  readonly repo: string;
  readonly refs: Refs;
  /** The branches of its forks, by owner. */
  readonly forks = new Map<string, Refs>();
  /** Where people look at it. */
  web = 'https://github.example.com';
  readonly pulls = new Map<number, HubPull>();
  readonly stacks = new Map<number, number[]>();
  /** The plan knows drafts. */
  drafts = true;
  /** The repository that this one was forked from. */
  parent: string | undefined;

  constructor(refs: Refs, owner = 'octo', repo = 'demo') {
    this.refs = refs;
    this.owner = owner;
    this.repo = repo;
  }

  /** The last commit of a branch, here or in the fork of an owner. */
  tipOf(head: string, owner = this.owner): string | undefined {
    return (owner === this.owner ? this.refs : this.forks.get(owner))?.get(head);
  }

  /** Opens a pull request without asking. */
  add(head: string, base: string, more: Partial<HubPull> = {}): HubPull {
    const number = this.pulls.size + 1;
    const pull: HubPull = {
      ...{ number, title: head, body: '', state: 'open', mergedAt: null, mergeCommit: null, draft: true, head, base },
      headOwner: this.owner,
      headOid: this.tipOf(head, more.headOwner) ?? '0'.repeat(40),
      baseOid: this.refs.get(base) ?? '0'.repeat(40),
      ...{ comments: 0, reviews: [], threads: [], checks: [], queued: false, stack: undefined },
      ...more,
    };
    this.pulls.set(number, pull);
    return pull;
  }

  /** What GitHub does by itself after branches have changed: heads follow, and pull requests without a branch are closed. */
  settle(): void {
    for (const pull of this.pulls.values()) {
      if (pull.state !== 'open') continue;
      const head = this.tipOf(pull.head, pull.headOwner);
      const base = this.refs.get(pull.base);
      if (head === undefined || base === undefined) pull.state = 'closed';
      pull.headOid = head ?? pull.headOid;
      pull.baseOid = base ?? pull.baseOid;
    }
  }

  /** A pull request as the REST interface shows it. */
  rest(pull: HubPull, whole: boolean): Record<string, unknown> {
    const { repo } = this;
    const template = whole
      ? exampleOf('GET /repos/{owner}/{repo}/pulls/{pull_number}')
      : (exampleOf('GET /repos/{owner}/{repo}/pulls') as unknown as Record<string, unknown>[])[0];
    const side = (was: unknown, owner: string, ref: string, sha: string): object => {
      const old = was as { repo: object };
      return {
        ...old,
        ref,
        sha,
        label: `${owner}:${ref}`,
        repo: { ...old.repo, full_name: `${owner}/${repo}`, name: repo },
      };
    };
    const place = pull.stack === undefined ? undefined : (this.stacks.get(pull.stack) ?? []);
    const counts = whole ? { comments: pull.comments, review_comments: pull.threads.length, mergeable: null } : {};
    return {
      ...template,
      // GitHub's example has a team that does not fit its own description.
      requested_teams: [],
      ...counts,
      ...{ number: pull.number, title: pull.title, body: pull.body, state: pull.state, draft: pull.draft },
      node_id: `PR_${pull.number}`,
      html_url: `${this.web}/${this.owner}/${repo}/pull/${pull.number}`,
      merged_at: pull.mergedAt,
      merge_commit_sha: pull.mergeCommit,
      ...(whole ? { merged: pull.mergedAt !== null } : {}),
      head: side(template?.['head'], pull.headOwner, pull.head, pull.headOid),
      base: side(template?.['base'], this.owner, pull.base, pull.baseOid),
      ...(place
        ? {
            stack: {
              number: pull.stack,
              id: pull.stack,
              position: place.indexOf(pull.number) + 1,
              size: place.length,
              base: { ref: 'main', sha: pull.baseOid },
            },
          }
        : {}),
    };
  }

  /** A stack as the REST interface lists it. */
  restStack(number: number, whole: boolean): Record<string, unknown> {
    const template = exampleOf('GET /repos/{owner}/{repo}/stacks/{stack_number}') as { pull_requests: object[] };
    const members = (this.stacks.get(number) ?? []).flatMap((each) => this.pulls.get(each) ?? []);
    const pulls = members.map((pull) => {
      const short = { number: pull.number, state: pull.state, draft: pull.draft, merged_at: pull.mergedAt };
      const [example] = template.pull_requests as Record<string, object>[];
      const head = { ...example?.['head'], ref: pull.head, sha: pull.headOid };
      return whole ? { ...example, ...short, head } : { ...short, head: { ref: pull.head, sha: pull.headOid } };
    });
    return {
      ...template,
      number,
      id: number,
      pull_requests: pulls,
      open: members.some(({ state }) => state === 'open'),
    };
  }

  /** The repository as GraphQL is executed on it. */
  graph(): Record<string, unknown> {
    return {
      id: 'R_1',
      pullRequest: ({ number }: { number: number }) => this.#node(this.pulls.get(number), number),
      pullRequests: ({ headRefName, first }: { headRefName: string; first: number }) => ({
        nodes: [...this.pulls.values()]
          .reverse()
          .filter(({ head }) => head === headRefName)
          .slice(0, first)
          .map((pull) => this.#node(pull, pull.number)),
      }),
      ref: ({ qualifiedName }: { qualifiedName: string }) => {
        const oid = this.refs.get(qualifiedName.replace('refs/heads/', ''));
        return oid === undefined ? null : { target: { __typename: 'Commit', oid } };
      },
    };
  }

  /** Whether this is the repository of a request. */
  is(owner: string | undefined, repo: string | undefined): boolean {
    return owner === this.owner && repo === this.repo;
  }

  #node(pull: HubPull | undefined, number: number): unknown {
    if (!pull)
      throw Object.assign(new Error(`Could not resolve to a PullRequest with the number of ${number}.`), {
        type: 'NOT_FOUND',
      });
    const count = (of: (check: HubPull['checks'][number]) => string): { state: string; count: number }[] => {
      const counts = new Map<string, number>();
      for (const check of pull.checks) counts.set(of(check), (counts.get(of(check)) ?? 0) + 1);
      return [...counts].map(([state, each]) => ({ state, count: each }));
    };
    const states = count(({ status, conclusion }) =>
      (status === 'completed' ? (conclusion ?? 'success') : status).toUpperCase(),
    );
    const bad = states.some(({ state }) => ['FAILURE', 'TIMED_OUT', 'CANCELLED'].includes(state));
    const open = states.some(({ state }) => ['QUEUED', 'IN_PROGRESS'].includes(state));
    const verdicts = pull.reviews.map(({ state }) => state);
    return {
      number: pull.number,
      url: `${this.web}/${this.owner}/${this.repo}/pull/${pull.number}`,
      title: pull.title,
      state: pull.mergedAt ? 'MERGED' : pull.state.toUpperCase(),
      isDraft: pull.draft,
      isInMergeQueue: pull.queued,
      headRefName: pull.head,
      headRepositoryOwner: { __typename: 'User', login: pull.headOwner },
      headRefOid: pull.headOid,
      baseRefName: pull.base,
      mergeable: 'UNKNOWN',
      mergeCommit: pull.mergeCommit === null ? null : { oid: pull.mergeCommit },
      reviewDecision: verdicts.includes('CHANGES_REQUESTED')
        ? 'CHANGES_REQUESTED'
        : verdicts.includes('APPROVED')
          ? 'APPROVED'
          : null,
      comments: { totalCount: pull.comments },
      reviews: { totalCount: pull.reviews.length },
      reviewThreads: { nodes: pull.threads.map(({ resolved }) => ({ isResolved: resolved })) },
      commits: {
        nodes: [
          {
            commit: {
              statusCheckRollup:
                pull.checks.length === 0
                  ? null
                  : {
                      state: bad ? 'FAILURE' : open ? 'PENDING' : 'SUCCESS',
                      contexts: { checkRunCountsByState: states, statusContextCountsByState: [] },
                    },
            },
          },
        ],
      },
    };
  }
}
