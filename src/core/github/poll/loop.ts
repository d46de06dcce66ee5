import { Problem } from '../../base/problem.ts';
import { ensureIgnored } from '../../repository/ignoreRules.ts';
import type { Progress, Worktree } from '../../worktree/model.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { Budget, GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import { endOf } from './events.ts';
import { anyNews, pollAll, queriesFor, type Found, type PollTarget } from './query.ts';
import { countOtherPolls, markWatched, type Marker } from './marker.ts';
import { nextPoll } from './schedule.ts';
import { readPolledState, writePolledState, type PolledState } from './pollState.ts';
import { githubMessages } from '../../messages/github.ts';
import type { Message } from '../../messages/message.ts';

/** How pull requests are watched. */
export interface WatchOptions {
  /** Ends after so many minutes without news. Default: never. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
  /** Gets what each poll has found, also when nothing has happened. */
  readonly onPoll?: ((found: readonly Found[]) => void) | undefined;
}

/** How a watch ended: with events, or when its time was up, or without news because all of the pull requests are over. */
export interface Watched {
  /** All pull requests as they are, with what has happened to each. */
  readonly found: readonly Found[];
  readonly timedOut: boolean;
}

/** After this many polls without news everything is asked for: new checks do not show in what is asked otherwise. */
const fullEvery = 5;
/** How long after new commits checks may still begin, in milliseconds. */
const settling = 300_000;

/**
 * Watches pull requests until something happens to one of them. While it does, each of their worktrees has a marker with this process in
 * it, which is gone on every way out. What was seen is remembered in the worktree, so that the next watch goes on from there.
 *
 * @throws Problem `not-found` (no pull request is recorded), `in-use` (watched already), `no-token`, `host-refused`, `cancelled`. Failures
 *   of the network and of GitHub are waited out.
 */
export async function watchPullRequests(
  workspace: Workspace,
  github: GitHub,
  worktrees: readonly Worktree[],
  options: WatchOptions = {},
): Promise<Watched> {
  const { environment, git, repository, configuration } = workspace;
  const targets = worktrees.map(toTarget);
  for (const { name, condition, path } of worktrees) {
    if (condition === 'fine') continue;
    throw new Problem('not-found', githubMessages.cannotWatchedFolder({ name, path }), {
      next: githubMessages.listSaysWhatIsWrong(),
      outcome: 'incomplete',
    });
  }
  await ensureIgnored(environment, git, repository, configuration, options.signal);
  const markers = new Map<PollTarget, Marker>();
  try {
    const marking = worktrees.map(async (worktree, index) => {
      const target = targets[index];
      if (target) markers.set(target, await markWatched(workspace, worktree));
    });
    // All of them have ended before one that failed is told, so that none is left behind.
    const failed = (await Promise.allSettled(marking)).find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return await watch(workspace, github, markers, options);
  } finally {
    await Promise.all([...markers.values()].map((marker) => marker.remove()));
  }
}

function toTarget({ name, path, branch, entry }: Worktree): PollTarget {
  if (branch === undefined || !entry?.pr || entry.branch !== branch) {
    throw new Problem('not-found', githubMessages.noPullRequest({ name }), {
      next: githubMessages.openOne({ name }),
      outcome: 'incomplete',
    });
  }
  return { name, path, branch, number: entry.pr.number };
}

async function watch(
  workspace: Workspace,
  github: GitHub,
  markers: ReadonlyMap<PollTarget, Marker>,
  { timeout, signal, progress, onPoll }: WatchOptions,
): Promise<Watched> {
  const { clock } = github;
  const deadline = timeout === undefined ? Infinity : clock.now() + timeout * 60_000;
  const seen = new Map<string, PolledState | undefined>();
  let targets = [...markers.keys()];
  for (const { path, number } of targets) seen.set(path, await readPolledState(path, number));
  const newHeads = new Map<string, number>();
  let found: Found[] = [];
  let failures = 0;
  let quiet = 0;
  for (;;) {
    let limitedUntil = 0;
    try {
      const full = found.length === 0 || isPending(found, newHeads, clock.now()) || quiet % fullEvery === fullEvery - 1;
      if (full || (await anyNews(workspace, github, targets, signal))) {
        const looked = await pollAll(workspace, github, targets, seen, signal);
        // A worktree that was removed meanwhile must not come back with a file of ours in it.
        targets = await stillWatched(targets, markers);
        found = looked.filter(({ target }) => targets.includes(target));
        await Promise.all(found.map(({ target, before, now }) => writePolledState(target.path, before, now)));
        for (const { target, before, now } of found) {
          seen.set(target.path, now);
          if (before?.head !== now.head) newHeads.set(target.path, clock.now());
        }
        onPoll?.(found);
        if (found.some(({ events }) => events.length > 0)) return { found, timedOut: false };
        const ends = found.flatMap(({ status }) => endOf(status) ?? []);
        // Told before, and nothing will ever happen to them: whoever asks again must not wait for it.
        if (ends.length === found.length) return { found, timedOut: false };
      }
      failures = 0;
      quiet += 1;
    } catch (thrown) {
      if (!(thrown instanceof HostProblem) || !willPass(thrown)) throw thrown;
      failures += 1;
      limitedUntil = thrown.until ?? 0;
      progress?.(thrown.what);
    }
    targets = await stillWatched(targets, markers);
    const now = clock.now();
    const situation = {
      pending: isPending(found, newHeads, now),
      focused: true,
      failures,
      // Polls side by side share what one may spend.
      queries: queriesFor(targets) * (1 + (await countOtherPolls(workspace))),
    };
    const wait = Math.max(nextPoll(clock, { ...situation, budget: lowestBudget(github) }), limitedUntil - now);
    if (now >= deadline) return { found, timedOut: true };
    if (failures === 0) progress?.(waitingFor(targets));
    await clock.sleep(Math.min(wait, deadline - now), signal);
    if (clock.now() >= deadline) return { found, timedOut: true };
  }
}

/**
 * The targets whose markers are still there; each gets a new heartbeat.
 *
 * @throws Problem `not-found` when none is left.
 */
async function stillWatched(
  targets: readonly PollTarget[],
  markers: ReadonlyMap<PollTarget, Marker>,
): Promise<PollTarget[]> {
  const alive = await Promise.all(targets.map(async (target) => (await markers.get(target)?.beat()) === true));
  const left = targets.filter((_, index) => alive[index]);
  if (left.length > 0) return left;
  const names = targets.map(({ name }) => name).join(', ');
  throw new Problem('not-found', githubMessages.watchedNoLonger({ names }), {
    outcome: 'incomplete',
  });
}

function isPending(found: readonly Found[], newHeads: ReadonlyMap<string, number>, now: number): boolean {
  return found.some(
    ({ status, target }) =>
      status.checks.state === 'pending' ||
      status.state === 'queued' ||
      (status.checks.state === 'none' && now - (newHeads.get(target.path) ?? 0) < settling),
  );
}

/** Failures of the network and of the server, and limits, end by themselves. */
function willPass({ reason, status }: HostProblem): boolean {
  return reason === 'offline' || reason === 'rate-limited' || (status !== undefined && status >= 500);
}

/** Of what is left of an hour's requests and queries the part that ends first; `undefined` before the first answer. */
export function lowestBudget(github: GitHub): Budget | undefined {
  const budgets = [github.budget('graphql'), github.budget('core')].filter((budget) => budget !== undefined);
  return budgets.sort((one, other) => one.remaining / one.limit - other.remaining / other.limit)[0];
}

function waitingFor(targets: readonly PollTarget[]): Message {
  return githubMessages.watching({ count: targets.length, number: targets[0]?.number ?? 0 });
}
