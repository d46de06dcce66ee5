import { Problem } from '../base/problem.ts';
import { recordPullRequests } from '../lifecycle/outcome.ts';
import { recordedPull } from '../snapshot/facts.ts';
import type { PullRequestLookup, PullRequestState } from '../stack/pullRequestLookup.ts';
import type { Snapshot } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { askAboutBranches } from './askStatus.ts';
import type { GitHub } from './client.ts';
import { openSession, repositoryOf, type HostSession, type SessionOptions } from './connect.ts';
import { nameOf } from './remoteUrl.ts';
import type { Remotes } from './remotes.ts';

/**
 * Asks GitHub for a restack what became of pull requests: it alone knows of a merge that left other commits or other files on the trunk.
 * Opens the session with the first question. Where it cannot be asked, that matters only for branches of which a pull request is recorded;
 * for others there may well be none, and no GitHub either.
 */
export function hostLookup(
  workspace: Workspace,
  { worktrees }: Snapshot,
  options: SessionOptions = {},
): PullRequestLookup {
  const recorded = new Map(
    worktrees.flatMap((worktree) => {
      const pull = recordedPull(worktree);
      return pull ? [[worktree.branch ?? '', pull] as const] : [];
    }),
  );
  let session: Promise<HostSession> | undefined;
  return {
    async pullRequestsOf(branches) {
      try {
        session ??= openSession(workspace, options);
        return await lookUp(workspace, await session, recorded, branches, options.signal);
      } catch (thrown) {
        const known = branches.some((branch) => recorded.has(branch));
        if (known || !Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
        workspace.environment.log.debug(`[stack] GitHub was not asked: ${thrown.message}`);
        return new Map();
      }
    },
  };
}

/**
 * Each pull request is looked for in the repository that it was recorded in, and one that is not recorded where the remotes lead. What
 * became of those that are recorded is written down.
 */
async function lookUp(
  workspace: Workspace,
  { github, remotes }: HostSession,
  recorded: ReadonlyMap<string, { readonly number: number; readonly url: string }>,
  branches: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, PullRequestState>> {
  const heads = headsOf(github, remotes);
  const byRepository = new Map<string, { readonly at: GitHub; readonly branches: string[] }>();
  for (const branch of branches) {
    const at = repositoryOf(github, recorded.get(branch)?.url);
    const name = nameOf(at.repository).toLowerCase();
    const group = byRepository.get(name) ?? { at, branches: [] };
    byRepository.set(name, group);
    group.branches.push(branch);
  }
  const numbers = new Map([...recorded].map(([branch, { number }]) => [branch, number]));
  const found = new Map<string, PullRequestState>();
  for (const group of byRepository.values()) {
    const statuses = await askAboutBranches(group.at, group.branches, { numbers, heads }, signal);
    for (const [branch, { number, state, headCommit, mergeCommit, baseBranch }] of statuses)
      found.set(branch, { number, recorded: recorded.has(branch), state, headCommit, mergeCommit, baseBranch });
  }
  const known = [...found].flatMap(([branch, pull]) => (pull.recorded ? [{ branch, ...pull }] : []));
  await recordPullRequests(workspace, known, signal);
  return found;
}

/** Where the branches here may be on the host: wherever a remote is pushed to, and where pull requests are opened. */
function headsOf({ repository }: GitHub, { byName }: Remotes): string[] {
  const pushed = [...byName.values()].flatMap(({ pushedTo }) => (pushedTo?.host === repository.host ? [pushedTo] : []));
  return [...new Set([repository, ...pushed].map(nameOf))];
}
