import { Problem } from '../../base/problem.ts';
import { quoted } from '../../base/quoted.ts';
import type { CreateRequest } from '../../create/request.ts';
import { parseSubject, type Subject } from '../../create/subject.ts';
import { githubMessages } from '../../messages/github.ts';
import type { Message } from '../../messages/message.ts';
import { readRegistry } from '../../repository/registry.ts';
import { slugOf } from '../../repository/slug.ts';
import { readListing } from '../../worktree/worktreeList.ts';
import { nameListings } from '../../worktree/worktreeNames.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { GitHub } from '../client.ts';
import { openSession, type HostSession, type SessionOptions } from '../connect.ts';
import { getIssue, getPullRequest } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import { nameOf, sameRepository, type HostedRepository } from '../remoteUrl.ts';
import { refreshOpenPulls } from '../pulls/openPulls.ts';
import { openedIn } from '../pulls/repositories.ts';
import { fetchPull } from './fetchPull.ts';
import { pullsBelow } from './pullsBelow.ts';

/** The worktrees that were asked for, the lowest of a stack first, and what was passed over. */
export interface ResolvedSubject {
  readonly requests: readonly CreateRequest[];
  readonly notes: readonly Message[];
}

/**
 * Finds out what a request's name stands for. A text stays as it is, and nobody is asked. Of a pull request the commits are fetched; of
 * an issue the title becomes name and task, where no other was given.
 *
 * @param options.stack brings the pull requests below it as well.
 * @throws Problem as {@link openSession}; HostProblem as every request; `not-found` when there is none of that number, or the account
 *   may not see it; `unsupported` for one of another repository; `in-use` when it is checked out here already; `git-failed`.
 */
export async function resolveSubject(
  workspace: Workspace,
  request: CreateRequest,
  options: SessionOptions & { readonly stack?: boolean; readonly session?: () => Promise<HostSession> } = {},
): Promise<ResolvedSubject> {
  const subject = parseSubject(request.name ?? '');
  if (subject.kind === 'text') return { requests: [request], notes: [] };
  const session = await (options.session?.() ?? openSession(workspace, options));
  // For the completions of the next time; what fails does not wait for it.
  const stop = new AbortController();
  const until = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const refreshed = refreshOpenPulls(workspace, session, until);
  try {
    const resolved = await resolveNumber(workspace, request, subject, session, options);
    await refreshed;
    return resolved;
  } finally {
    stop.abort();
  }
}

async function resolveNumber(
  workspace: Workspace,
  request: CreateRequest,
  subject: Extract<Subject, { number: number }>,
  session: HostSession,
  options: SessionOptions & { readonly stack?: boolean },
): Promise<ResolvedSubject> {
  const { signal, progress } = options;
  const github = await repositoryOf(session, subject, request.name ?? '', signal);
  const { number } = subject;
  const pull = subject.kind === 'issue' ? undefined : await getPullRequest(github, number, signal);
  if (!pull) return { requests: [await fromIssue(github, subject, request, signal)], notes: [] };
  const below = options.stack ? await pullsBelow(github, pull, signal) : [];
  const requests: CreateRequest[] = [];
  const notes: Message[] = [];
  for (const each of [...below, pull]) {
    const here = await checkedOut(workspace, each, signal);
    if (here) {
      // What is below may well be here; the one that was asked for is not made twice.
      if (each === pull) throw here;
      notes.push(here.what);
      continue;
    }
    progress?.(githubMessages.fetchingPull({ number: each.number }));
    const found = await fetchPull(workspace, { github, remotes: session.remotes }, each, signal);
    const isAsked = each === pull;
    requests.push({
      ...request,
      name: undefined,
      branch: undefined,
      base: isAsked ? request.base : undefined,
      task: isAsked ? (request.task ?? each.title) : each.title,
      pull: found,
    });
  }
  return { requests, notes };
}

/** The repository that the number is of: where pull requests are opened, or, by an address, another one that belongs to this one. */
async function repositoryOf(
  session: HostSession,
  { at }: Extract<Subject, { number: number }>,
  address: string,
  signal: AbortSignal | undefined,
): Promise<GitHub> {
  const { github, remotes } = session;
  const known: HostedRepository[] = [...remotes.byName.values()].flatMap(({ fetchedFrom }) => fetchedFrom ?? []);
  const meant: HostedRepository | undefined = at && { ...github.repository, ...at };
  const own = [github.repository, ...known].find((each) => meant && sameRepository(each, meant));
  if (own)
    return sameRepository(own, github.repository) ? github : github.at({ ...github.repository, ...nameParts(own) });
  const origin = await openedIn(session, signal);
  if (meant && !sameRepository(meant, origin.repository)) {
    throw new Problem('unsupported', githubMessages.pullElsewhere({ address, repository: nameOf(origin.repository) }), {
      next: githubMessages.openThatRepository(),
      outcome: 'incomplete',
    });
  }
  return origin;
}

const nameParts = ({ owner, repo }: HostedRepository): Pick<HostedRepository, 'owner' | 'repo'> => ({ owner, repo });

async function fromIssue(
  github: GitHub,
  { kind, number }: Extract<Subject, { number: number }>,
  request: CreateRequest,
  signal: AbortSignal | undefined,
): Promise<CreateRequest> {
  const issue = kind === 'pull' ? undefined : await getIssue(github, number, signal);
  if (issue) return { ...request, name: slugOf(issue.title), task: request.task ?? issue.title };
  const about = { number, repository: nameOf(github.repository) };
  const messages = {
    pull: githubMessages.pullUnknown(about),
    issue: githubMessages.issueUnknown(about),
    either: githubMessages.pullOrIssueUnknown(about),
  };
  throw new Problem('not-found', messages[kind], {
    next: githubMessages.checkNumberOrAccount(),
    outcome: 'incomplete',
  });
}

/** The problem of a pull request that a worktree here has: by its record, or because its branch is checked out. */
async function checkedOut(
  workspace: Workspace,
  { number, url }: PullRequest,
  signal: AbortSignal | undefined,
): Promise<Problem | undefined> {
  const { repository } = workspace;
  const [listing, registry] = await Promise.all([
    readListing(workspace, signal ?? new AbortController().signal),
    readRegistry(repository),
  ]);
  const names = await nameListings(workspace, listing, registry);
  for (const [index, { path, branch }] of listing.entries()) {
    const name = names[index - 1]?.name;
    const entry = name === undefined ? undefined : registry.worktrees.get(name);
    if (name === undefined || entry?.pr?.url.toLowerCase() !== url.toLowerCase() || entry.branch !== branch) continue;
    return new Problem('in-use', githubMessages.pullHere({ number, path }), {
      file: path,
      next: githubMessages.goOnThere({ name: quoted(name) }),
      outcome: 'incomplete',
    });
  }
  return undefined;
}
