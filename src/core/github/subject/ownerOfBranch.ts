import type { Created } from '../../create/created.ts';
import { Problem } from '../../base/problem.ts';
import { githubMessages } from '../../messages/github.ts';
import { updateRegistry } from '../../repository/registry.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { openSession, type HostSession, type SessionOptions } from '../connect.ts';
import { pullRequestsFrom } from '../operations.ts';
import { authorIfAnother } from '../pulls/authorOf.ts';
import { openedIn } from '../pulls/repositories.ts';

/** The longest that a creation waits for what GitHub knows of its branch, in milliseconds. */
const patience = 15_000;

/**
 * Finds out whether the remote branch that a new worktree continues is the head of somebody else's open pull request, and records that pull
 * request with its author, as a creation from its number does. A branch that is new, or was here before, asks nobody.
 *
 * The worktree is made: that GitHub is not asked, or not reached in 15 s, costs nothing but this knowledge, which the next push has.
 *
 * @param options.session opens GitHub; `undefined` where that would take a question.
 * @returns what was created, with a warning that says whose branch it is.
 */
export async function withOwner(
  workspace: Workspace,
  created: Created,
  options: Pick<SessionOptions, 'signal' | 'progress'> & {
    readonly session?: (signal: AbortSignal) => Promise<HostSession | undefined>;
  } = {},
): Promise<Created> {
  if (created.fromRemote === undefined || created.fromRemote.startsWith('#')) return created;
  const limit = AbortSignal.timeout(patience);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  options.progress?.(githubMessages.askingGitHub());
  try {
    const session = await (options.session?.(signal) ?? openSession(workspace, { signal }));
    const found = session && (await pullOfAnother(session, created.fromRemote, signal));
    if (!found) return created;
    const { number, url, author } = found;
    await updateRegistry(workspace.environment, workspace.repository, ({ worktrees }) => {
      const entry = worktrees.get(created.name);
      if (entry?.branch === created.branch && !entry.pr)
        worktrees.set(created.name, { ...entry, pr: { number, url, author } });
    });
    const warning = githubMessages.branchOfAnother({ branch: created.branch, author });
    return { ...created, warnings: [...created.warnings, warning] };
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    // Also a cancellation, which comes too late: the worktree is there.
    workspace.environment.log.debug(`It is not known whose branch ${created.branch} is: ${thrown.message}`);
    return created;
  }
}

async function pullOfAnother(
  session: HostSession,
  remoteBranch: string,
  signal: AbortSignal,
): Promise<{ readonly number: number; readonly url: string; readonly author: string } | undefined> {
  const { remotes } = session;
  // A remote's name may have slashes: the longest that fits.
  const name = [...remotes.byName.keys()]
    .filter((each) => remoteBranch.startsWith(`${each}/`))
    .reduce<string | undefined>((longest, each) => (each.length > (longest?.length ?? 0) ? each : longest), undefined);
  const home = name === undefined ? undefined : remotes.byName.get(name)?.fetchedFrom;
  if (name === undefined || !home) return undefined;
  const github = await openedIn(session, signal);
  const head = { owner: home.owner, repo: home.repo, branch: remoteBranch.slice(name.length + 1) };
  const pull = (await pullRequestsFrom(github, head, signal)).find(({ state }) => state === 'open');
  const author = pull && (await authorIfAnother(github, pull, signal));
  return author === undefined || !pull ? undefined : { number: pull.number, url: pull.url, author };
}
