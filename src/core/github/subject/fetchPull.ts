import { Problem } from '../../base/problem.ts';
import type { CreateRequest, PullToContinue } from '../../create/request.ts';
import type { Tracking } from '../../create/createData.ts';
import type { Message } from '../../messages/message.ts';
import { factMessages } from '../../messages/facts.ts';
import { githubMessages } from '../../messages/github.ts';
import { authorIfAnother } from '../pulls/authorOf.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { GitHub } from '../client.ts';
import type { PullRequest } from '../pullRequest.ts';
import { nameOf, sameRepository, type HostedRepository } from '../remoteUrl.ts';
import { withoutPassword, type Remote, type Remotes } from '../remotes.ts';

/** Where a pull request is, and how it is reached from here. */
export interface PullLocation {
  readonly github: GitHub;
  readonly remotes: Remotes;
}

/**
 * Fetches the commits of a pull request and of its base, and says what a worktree of it continues. The branch is fetched from where it
 * is, where a remote here leads there; of a fork, and where the branch is gone, GitHub keeps the commits as `refs/pull/<number>/head`.
 *
 * A branch of a fork follows it by its address, as `gh pr checkout` has it: no remote is added, and a push goes to the author's branch.
 *
 * @throws Problem `git-failed` when the commits cannot be had.
 */
export async function fetchPull(
  workspace: Workspace,
  { github, remotes }: PullLocation,
  pull: PullRequest,
  signal?: AbortSignal,
): Promise<CreateRequest['pull']> {
  const { number, url, head, base } = pull;
  const into = github.repository;
  const baseRemote = remoteTo(remotes, into);
  const from = head.repository === undefined ? undefined : hosted(into, head.repository);
  const isFork = from === undefined || !sameRepository(from, into);
  const headRemote = from && remoteTo(remotes, from);
  const place = baseRemote?.name ?? addressOf(remotes, into);
  const bases = baseRemote ? [trackingRef(baseRemote, base.branch)] : [];
  const fetch = (at: string, refspecs: readonly string[]): Promise<string | undefined> =>
    fetchRefs(workspace, at, refspecs, signal);
  // The branch itself first: its commits, and what it follows. One that is gone fails here.
  const ownRefs = headRemote ? [trackingRef(headRemote, head.branch)] : [];
  let words = headRemote ? await fetch(headRemote.name, ownRefs) : undefined;
  const isBranchThere = headRemote !== undefined && words === undefined;
  if (!(await hasCommit(workspace, head.oid, signal))) words = await fetch(place, [`refs/pull/${number}/head`]);
  if (!(await hasCommit(workspace, head.oid, signal))) throw notFetched(number, place, words);
  if (bases.length > 0) await fetch(place, bases);
  const fork = isFork ? forkName(into, head.repository) : undefined;
  const tracking = await trackingOf(workspace, pull, { isFork, from, headRemote, isBranchThere, remotes }, signal);
  const known = await hasBranch(workspace, `refs/heads/${base.branch}`, signal);
  const author = await authorIfAnother(github, pull, signal);
  const state = pull.state === 'merged' ? factMessages.mergedHere() : factMessages.closed();
  const warnings: Message[] = [
    ...(pull.state === 'open' ? [] : [githubMessages.pullIsOver({ number, state })]),
    ...(from === undefined ? [githubMessages.forkGone({ number })] : []),
    ...(from && tracking === undefined ? [githubMessages.branchOfPullGone({ number, repository: nameOf(from) })] : []),
    ...(from && isFork && tracking && pull.maintainerCanModify === false
      ? [githubMessages.noEditsByOthers({ number, fork: nameOf(from) })]
      : tracking && author !== undefined
        ? [githubMessages.branchOfAnother({ branch: head.branch, author })]
        : []),
  ];
  return {
    ...{ number, url, commit: head.oid, branch: head.branch, fork, author, tracking, warnings },
    base: known || !baseRemote ? base.branch : `${baseRemote.name}/${base.branch}`,
  } satisfies PullToContinue;
}

/** What is known of where the branch of a pull request is. */
interface HeadLocation {
  readonly isFork: boolean;
  readonly from: HostedRepository | undefined;
  readonly headRemote: Remote | undefined;
  /** It was fetched by its name. */
  readonly isBranchThere: boolean;
  readonly remotes: Remotes;
}

async function trackingOf(
  workspace: Workspace,
  { head, state }: PullRequest,
  { isFork, from, headRemote, isBranchThere, remotes }: HeadLocation,
  signal: AbortSignal | undefined,
): Promise<Tracking | undefined> {
  const ref = `refs/heads/${head.branch}`;
  if (!from) return undefined;
  if (headRemote && !isFork) return isBranchThere ? { remote: headRemote.name, ref } : undefined;
  const remote = addressOf(remotes, from);
  // Of an open one the branch is there; of another one it may be gone, which only its repository knows.
  if (state === 'open') return { remote, ref };
  const { git, repository } = workspace;
  const there = await git.in(repository.commonDir).run(['ls-remote', '--exit-code', '--', remote, ref], { signal });
  return there.exitCode === 0 ? { remote, ref } : undefined;
}

/** Fetches; git's words where that failed. */
async function fetchRefs(
  { git, repository }: Workspace,
  place: string,
  refspecs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const options = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--quiet'];
  const args = ['fetch', ...options, '--', place, ...refspecs];
  const answer = await git.in(repository.commonDir).run(args, { writes: true, signal });
  return answer.exitCode === 0 ? undefined : answer.stderr;
}

async function hasCommit(workspace: Workspace, oid: string, signal: AbortSignal | undefined): Promise<boolean> {
  const { git, repository } = workspace;
  const answer = await git.in(repository.commonDir).run(['cat-file', '-e', `${oid}^{commit}`], { signal });
  return answer.exitCode === 0;
}

async function hasBranch(workspace: Workspace, ref: string, signal: AbortSignal | undefined): Promise<boolean> {
  const { git, repository } = workspace;
  const answer = await git.in(repository.commonDir).run(['rev-parse', '--verify', '--quiet', ref], { signal });
  return answer.exitCode === 0;
}

function notFetched(number: number, place: string, words: string | undefined): Problem {
  return new Problem('git-failed', githubMessages.pullNotFetched({ number, place }), {
    next: githubMessages.fetchByHand({ number, place }),
    items: (words ?? '').split('\n').filter((line) => line !== ''),
    outcome: 'incomplete',
  });
}

const trackingRef = (remote: Remote, branch: string): string =>
  `+refs/heads/${branch}:refs/remotes/${remote.name}/${branch}`;

/** The remote here that leads to a repository, whatever protocol it is reached by. */
function remoteTo({ byName }: Remotes, to: HostedRepository): Remote | undefined {
  return [...byName.values()].find(({ fetchedFrom }) => fetchedFrom && sameRepository(fetchedFrom, to));
}

function hosted(like: HostedRepository, fullName: string): HostedRepository {
  const [owner = '', repo = ''] = fullName.split('/');
  return { ...like, owner, repo };
}

/** What tells a fork's branch from ours: its owner, or its name where the owner is the same. */
function forkName(into: HostedRepository, fullName: string | undefined): string {
  const [owner = 'ghost', repo = ''] = fullName?.split('/') ?? [];
  return owner.toLowerCase() === into.owner.toLowerCase() ? repo : owner;
}

/** The address of a repository, in the form of a remote of the same host: by ssh where that is, and without a password. */
function addressOf({ byName }: Remotes, { host, protocol, owner, repo }: HostedRepository): string {
  for (const { fetchUrl, fetchedFrom } of byName.values()) {
    if (fetchedFrom?.host !== host) continue;
    const end = /[^/:]+\/[^/]+?(\.git)?\/*$/.exec(fetchUrl);
    if (end) return withoutPassword(`${fetchUrl.slice(0, end.index)}${owner}/${repo}${end[1] ?? ''}`);
  }
  return `${protocol === 'http' ? 'http' : 'https'}://${host}/${owner}/${repo}.git`;
}
