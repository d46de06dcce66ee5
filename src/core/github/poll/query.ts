import { recordPullRequests } from '../../lifecycle/outcome.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { readRegistry } from '../../repository/registry.ts';
import { registryGraph, type RegisteredBranch } from '../../stack/graph.ts';
import { askStatus, batchSize } from '../askStatus.ts';
import type { GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import { withNativePlaces } from '../nativeStacks.ts';
import { recordedBaseOf } from '../plan/recordBases.ts';
import { hostFactsToRecord, type PullRequestStatus } from '../status.ts';
import { eventsBetween, toPolledState, type PollEvent, type PolledPull } from './events.ts';
import type { PolledState } from './pollState.ts';
import { githubMessages } from '../../messages/github.ts';

/** A pull request that is watched. */
export interface PollTarget {
  /** The worktree's name in the registry. */
  readonly name: string;
  readonly path: string;
  readonly branch: string;
  readonly number: number;
}

/** A target as one poll found it. */
export interface Found {
  readonly target: PollTarget;
  readonly status: PullRequestStatus;
  readonly events: readonly PollEvent[];
  readonly before: PolledState | undefined;
  readonly now: PolledState;
}

/** The branches with their bases as the registry has them now: a rebase may have changed them since the last look. */
async function readBranches({ repository, configuration }: Workspace): Promise<ReadonlyMap<string, RegisteredBranch>> {
  const { worktrees } = await readRegistry(repository);
  return registryGraph(worktrees, configuration.stack.remote).branches;
}

/** How many queries one poll of so many pull requests takes. */
export function queriesFor(targets: readonly PollTarget[]): number {
  return Math.max(1, Math.ceil(targets.length / batchSize));
}

/**
 * Polls all targets: one query for up to fifty. What became of them is recorded.
 *
 * @param seen the state of each at the last poll, by path.
 */
export async function pollAll(
  workspace: Workspace,
  github: GitHub,
  targets: readonly PollTarget[],
  seen: ReadonlyMap<string, PolledState | undefined>,
  signal?: AbortSignal,
): Promise<Found[]> {
  const branches = await readBranches(workspace);
  const numberOf = (branch: string): number | undefined => branches.get(branch)?.entry.pr?.number;
  const names = [...new Set(targets.flatMap(({ branch }) => branches.get(branch)?.base ?? []))];
  const numbers = new Set([...targets.map(({ number }) => number), ...names.flatMap((name) => numberOf(name) ?? [])]);
  const wanted = [...numbers].map((number) => ({ number }));
  const answer = await askStatus(github, wanted, names, signal);
  const placed = await withNativePlaces(github, answer.pulls, signal);
  const statuses = new Map(wanted.map(({ number }, index) => [number, placed[index]]));
  const tips = new Map(names.map((name, index) => [name, answer.branches[index]]));
  const found: Found[] = [];
  for (const target of targets) {
    const status = statuses.get(target.number);
    if (!status) {
      throw new HostProblem(
        'not-found',
        githubMessages.pullRequestGone({
          host: github.repository.host,
          number: target.number,
          name: target.name,
        }),
        {
          next: githubMessages.openByCommand({ targetName: target.name }),
          outcome: 'incomplete',
        },
      );
    }
    const own = branches.get(target.branch);
    const base = own?.base ?? status.baseBranch;
    const baseCommit = tips.get(base);
    const before = seen.get(target.path);
    const same = before?.baseCommit === (baseCommit ?? null) && before.base.split(' ')[0] === base;
    const contained = same || (await contains(workspace, target.branch, baseCommit, signal));
    const basePull = statuses.get(numberOf(base) ?? -1);
    const recordedInto = recordedBaseOf(own?.entry);
    const sight: PolledPull = { status, base, baseCommit, basePull, recordedInto, contained };
    found.push({ target, status, events: eventsBetween(before, sight), before, now: toPolledState(sight) });
  }
  const pulls = found.map(({ target, status }) => ({
    ...status,
    host: hostFactsToRecord(status),
    branch: target.branch,
  }));
  await recordPullRequests(workspace, pulls, signal);
  return found;
}

/**
 * Asks for as little as tells whether anything has changed: the list of the latest pull requests, or the only one, and the bases that are
 * no heads of watched ones. Unchanged, that costs nothing. New checks do not show.
 */
export async function anyNews(
  workspace: Workspace,
  github: GitHub,
  targets: readonly PollTarget[],
  signal?: AbortSignal,
): Promise<boolean> {
  const branches = await readBranches(workspace);
  const heads = new Set(targets.map(({ branch }) => branch));
  const bases = new Set(
    targets.flatMap(({ branch }) => branches.get(branch)?.base ?? []).filter((base) => !heads.has(base)),
  );
  const [only, another] = targets;
  const what = githubMessages.askChanged();
  const list =
    only && !another
      ? github.askForNews(
          `pull ${only.number}`,
          what,
          (host, at) => host.rest.pulls.get({ ...at, pull_number: only.number }),
          signal,
        )
      : github.askForNews(
          'pulls',
          what,
          (host, at) =>
            host.rest.pulls.list({ ...at, state: 'all', sort: 'updated', direction: 'desc', per_page: 100 }),
          signal,
        );
  const refs = [...bases].map((base) =>
    github
      .askForNews(`ref ${base}`, what, (host, at) => host.rest.git.getRef({ ...at, ref: `heads/${base}` }), signal)
      .catch((thrown: unknown) => {
        if (thrown instanceof HostProblem && thrown.status === 404) return { changed: true };
        throw thrown;
      }),
  );
  return (await Promise.all([list, ...refs])).some(({ changed }) => changed);
}

async function contains(
  { git, repository }: Workspace,
  branch: string,
  oid: string | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (oid === undefined) return false;
  // A commit that is not even here is in no branch.
  return git.in(repository.commonDir).isAncestor(oid, `refs/heads/${branch}`, { signal });
}
