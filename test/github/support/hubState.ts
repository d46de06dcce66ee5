import { exampleOf } from './contract.ts';
import { settlePulls } from './hubRules.ts';
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
  head: string;
  readonly headOwner: string;
  readonly headRepo: string;
  /** The last commit that was seen of its branch. */
  headOid: string;
  base: string;
  baseOid: string;
  /** Who opened it; by default the person whose token is used. */
  author?: string;
  comments: number;
  reviews: { readonly login: string; readonly state: string }[];
  threads: { resolved: boolean }[];
  checks: { readonly name: string; readonly status: string; readonly conclusion: string | null }[];
  /** Whether maintainers may push to its branch in a fork. */
  maintainerEdits?: boolean;
  /** The repository that it came from is gone. */
  forkGone?: boolean;
  queued: boolean;
  stack: number | undefined;
  /** Of which base and head it was judged last whether it is merged. */
  judged?: string;
}

/** What a repository demands of whoever changes a branch. */
export interface HubRules {
  readonly checks?: readonly string[];
  readonly approvals?: number;
  readonly mergeQueue?: boolean;
  /** By a ruleset; else by the older protection of branches. */
  readonly ruleset?: boolean;
  /** Nobody may push, or nobody may replace commits. */
  readonly push?: 'nobody' | 'forward';
}

/** The state behind the stand-in for GitHub: pull requests and stacks, with the branches of a repository. */
export class HubState {
  readonly owner: string;
  readonly repo: string;
  readonly refs: Refs;
  /** The branches of its forks, by `owner/repo`. */
  readonly forks = new Map<string, Refs>();
  /** Where people look at it. */
  web = 'https://github.example.com';
  readonly pulls = new Map<number, HubPull>();
  readonly stacks = new Map<number, number[]>();
  /** The titles of issues. */
  readonly issues = new Map<number, string>();
  /** The plan knows drafts. */
  drafts = true;
  defaultBranch = 'main';
  /** The setting "automatically delete head branches". */
  deletesMerged = false;
  /** The token may read the checks of commits. A fine-grained one may lack that. */
  readsChecks = true;
  /** The rules of branches, by name. */
  readonly rules = new Map<string, HubRules>();
  /** A repository without stacks of GitHub's own has no such addresses. */
  nativeStacks = true;
  /** The repository that this one was forked from. */
  parent: string | undefined;

  constructor(refs: Refs, owner = 'octo', repo = 'demo') {
    this.refs = refs;
    this.owner = owner;
    this.repo = repo;
  }

  /** The last commit of a branch, here or in a fork. */
  tipOf(head: string, owner = this.owner, repo = this.repoOf(owner)): string | undefined {
    return (this.is(owner, repo) ? this.refs : this.forks.get(`${owner}/${repo}`))?.get(head);
  }

  /** The name of this repository at an owner: GitHub knows it, except that it takes its own owner for itself. */
  repoOf(owner: string): string {
    const fork = [...this.forks.keys()].find((name) => name.startsWith(`${owner}/`));
    return owner === this.owner ? this.repo : (fork?.slice(owner.length + 1) ?? this.repo);
  }

  /** Opens a pull request without asking. */
  add(head: string, base: string, more: Partial<HubPull> = {}): HubPull {
    const number = this.pulls.size + 1;
    const pull: HubPull = {
      ...{ number, title: head, body: '', state: 'open', mergedAt: null, mergeCommit: null, draft: true, head, base },
      headOwner: this.owner,
      headRepo: this.repoOf(more.headOwner ?? this.owner),
      headOid: this.tipOf(head, more.headOwner, more.headRepo) ?? '0'.repeat(40),
      baseOid: this.refs.get(base) ?? '0'.repeat(40),
      ...{ comments: 0, reviews: [], threads: [], checks: [], queued: false, stack: undefined },
      ...more,
    };
    // Whoever sets a scene may begin with one that GitHub would not have opened.
    pull.judged = `${base} ${pull.baseOid} ${pull.headOid}`;
    this.pulls.set(number, pull);
    return pull;
  }

  /** What GitHub does by itself after something has changed. */
  settle(): void {
    settlePulls(this);
  }

  /** A pull request as the REST interface shows it. */
  rest(pull: HubPull, whole: boolean): Record<string, unknown> {
    const { repo } = this;
    const template = whole
      ? exampleOf('GET /repos/{owner}/{repo}/pulls/{pull_number}')
      : (exampleOf('GET /repos/{owner}/{repo}/pulls') as unknown as Record<string, unknown>[])[0];
    const side = (was: unknown, [owner, name]: [string, string], ref: string, sha: string): object => {
      const old = was as { repo: object };
      return {
        ...old,
        ref,
        sha,
        label: `${owner}:${ref}`,
        repo: { ...old.repo, full_name: `${owner}/${name}`, name },
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
      ...(pull.author === undefined ? {} : { user: { ...(template?.['user'] as object), login: pull.author } }),
      html_url: `${this.web}/${this.owner}/${repo}/pull/${pull.number}`,
      merged_at: pull.mergedAt,
      merge_commit_sha: pull.mergeCommit,
      ...(whole ? { merged: pull.mergedAt !== null, maintainer_can_modify: pull.maintainerEdits ?? true } : {}),
      head: {
        ...side(template?.['head'], [pull.headOwner, pull.headRepo], pull.head, pull.headOid),
        ...(pull.forkGone ? { repo: null } : {}),
      },
      base: side(template?.['base'], [this.owner, repo], pull.base, pull.baseOid),
      ...(place
        ? {
            stack: {
              number: pull.stack,
              id: pull.stack,
              position: place.indexOf(pull.number) + 1,
              size: place.length,
              base: { ref: this.defaultBranch, sha: pull.baseOid },
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

  /** Whether this is the repository of a request. */
  is(owner: string | undefined, repo: string | undefined): boolean {
    return owner === this.owner && repo === this.repo;
  }
}
