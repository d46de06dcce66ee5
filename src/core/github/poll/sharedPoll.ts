import { join } from 'node:path';
import { writeAtomically } from '../../base/atomicFile.ts';
import { withFileLock } from '../../base/fileLock.ts';
import { isObject, readJsonObject } from '../../base/jsonText.ts';
import { identityOf, mayBeAlive, type ProcessIdentity } from '../../base/processes.ts';
import { Problem, messageOf } from '../../base/problem.ts';
import type { Repository } from '../../repository/identity.ts';
import { recordPullRequests } from '../../lifecycle/outcome.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { askStatus } from '../askStatus.ts';
import type { GitHub } from '../client.ts';
import { withNativePlaces } from '../nativeStacks.ts';
import { hostFactsToRecord, type PullRequestStatus } from '../status.ts';
import { anyNews, type PollTarget } from './query.ts';
import { newsOf, type News, type Told } from './changes.ts';

/** What all windows of a repository know together of its pull requests. */
export interface Known {
  /** When GitHub was asked last, in milliseconds since 1970; 0 for never. */
  readonly asked: number;
  /** Polls since everything was asked for. */
  readonly quiet: number;
  /** Which were asked for when everything was: GitHub may not know all of them. */
  readonly numbers: readonly number[];
  /** By number. */
  readonly statuses: ReadonlyMap<number, PullRequestStatus>;
}

/** Before anything was asked. */
export const neverAsked: Known = { asked: 0, quiet: 0, numbers: [], statuses: new Map() };

/** The result of one poll. */
export interface Poll {
  readonly known: Known;
  /** False when another window has polled just before, or polls right now. */
  readonly asked: boolean;
  /** What this window is to tell a person; no other one does. */
  readonly news: readonly { readonly status: PullRequestStatus; readonly news: readonly News[] }[];
}

/** How to poll. */
export interface LookOptions {
  /** An answer that is at most so old will do, in milliseconds; 0 asks in any case. */
  readonly maxAge: number;
  readonly signal?: AbortSignal | undefined;
}

/** After this many polls without news everything is asked for: new checks do not show in what is asked otherwise. */
const fullEvery = 5;
/** The longest that another window's poll may take before it counts as dead, in milliseconds. */
const patience = 120_000;

interface File extends Known {
  readonly told: ReadonlyMap<number, Told>;
  /** Who polls right now, and since when. */
  readonly looking: (ProcessIdentity & { readonly since: number }) | undefined;
}

const nothing: File = { ...neverAsked, told: new Map(), looking: undefined };

/** Reads what was known last, also by a window that is closed; asks nobody. */
export async function readKnown(repository: Pick<Repository, 'commonDir'>): Promise<Known> {
  return read(fileOf(repository));
}

/**
 * Polls pull requests for all windows of a repository: what one has asked the others take over, and of several that want to poll at
 * once only one does. What became of them is written down. While nothing is under way GitHub is asked whether anything has changed, which
 * costs nothing as long as nothing has.
 *
 * @throws HostProblem as every request.
 */
export async function pollTogether(
  workspace: Workspace,
  github: GitHub,
  targets: readonly PollTarget[],
  { maxAge, signal }: LookOptions,
): Promise<Poll> {
  const { environment, repository } = workspace;
  const { clock } = github;
  const file = fileOf(repository);
  const claim = { ...(await identityOf(environment)), since: clock.now() };
  const before = await withFileLock(environment, file, async () => {
    const found = await read(file);
    if (isComplete(found, targets) && clock.now() - found.asked < maxAge) return found;
    const { looking } = found;
    if (looking && clock.now() - looking.since < patience && (await mayBeAlive(environment, looking))) return found;
    const claimed: File = { ...found, looking: claim };
    await write(file, claimed);
    return claimed;
  });
  if (before.looking !== claim) return { known: before, asked: false, news: [] };
  let statuses: ReadonlyMap<number, PullRequestStatus> | undefined;
  let failure: unknown;
  try {
    const full = maxAge === 0 || before.quiet >= fullEvery - 1 || !isComplete(before, targets);
    if (full || isUnderWay(before, targets) || (await anyNews(workspace, github, targets, signal)))
      statuses = await ask(github, targets, signal);
  } catch (thrown) {
    failure = thrown;
  }
  const news: Poll['news'][number][] = [];
  const known = await withFileLock(environment, file, async () => {
    const latest = await read(file);
    const told = new Map(latest.told);
    for (const status of statuses?.values() ?? []) {
      const judged = newsOf(told.get(status.number), status);
      told.set(status.number, judged.told);
      if (judged.news.length > 0) news.push({ status, news: judged.news });
    }
    const failed = failure !== undefined;
    const after: File = {
      asked: failed ? latest.asked : clock.now(),
      quiet: failed ? latest.quiet : statuses ? 0 : latest.quiet + 1,
      numbers: statuses ? targets.map(({ number }) => number) : latest.numbers,
      statuses: new Map([...latest.statuses, ...(statuses ?? [])]),
      told,
      looking: undefined,
    };
    await write(file, after);
    return after;
  });
  if (failure !== undefined) throw failure instanceof Error ? failure : new Error(messageOf(failure));
  // What was known before may be older than the registry.
  if (statuses) await recordStatuses(workspace, statuses, targets, signal);
  return { known, asked: true, news };
}

/** Records what became of the pull requests of some branches. */
export async function recordStatuses(
  workspace: Workspace,
  statuses: ReadonlyMap<number, PullRequestStatus>,
  targets: readonly PollTarget[],
  signal?: AbortSignal,
): Promise<void> {
  const outcomes = targets.flatMap(({ branch, number }) => {
    const status = statuses.get(number);
    return status ? [{ ...status, host: hostFactsToRecord(status), branch }] : [];
  });
  await recordPullRequests(workspace, outcomes, signal);
}

/** Whether something may change soon: checks run, or a merge waits. */
export function isUnderWay({ statuses }: Known, targets: readonly PollTarget[]): boolean {
  return targets.some(({ number }) => {
    const status = statuses.get(number);
    return status?.checks.state === 'pending' || status?.state === 'queued';
  });
}

function isComplete({ numbers }: Known, targets: readonly PollTarget[]): boolean {
  return targets.every(({ number }) => numbers.includes(number));
}

async function ask(
  github: GitHub,
  targets: readonly PollTarget[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, PullRequestStatus>> {
  const wanted = [...new Set(targets.map(({ number }) => number))].map((number) => ({ number }));
  const answer = await askStatus(github, wanted, [], signal);
  const pulls = await withNativePlaces(github, answer.pulls, signal);
  return new Map(pulls.flatMap((pull) => (pull ? [[pull.number, pull] as const] : [])));
}

const fileOf = ({ commonDir }: Pick<Repository, 'commonDir'>): string =>
  join(commonDir, 'worktree-stacks', 'pull-requests.json');

/** It is only a cache: what cannot be read, or was written by another version, is asked for anew. */
async function read(file: string): Promise<File> {
  try {
    const value = await readJsonObject(file);
    if (value?.['version'] !== 1) return nothing;
    const { asked, quiet, numbers, pulls, looking } = value;
    if (typeof asked !== 'number' || typeof quiet !== 'number') return nothing;
    if (!Array.isArray(pulls) || !Array.isArray(numbers)) return nothing;
    const entries = (pulls as unknown[]).filter(isEntry);
    return {
      ...{ asked, quiet },
      numbers: (numbers as unknown[]).filter((each) => typeof each === 'number'),
      statuses: new Map(entries.map(({ status }) => [status.number, status])),
      told: new Map(entries.map(({ status, told }) => [status.number, told])),
      looking: isLooking(looking) ? looking : undefined,
    };
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return nothing;
  }
}

interface Entry {
  readonly status: PullRequestStatus;
  readonly told: Told;
}

function isEntry(value: unknown): value is Entry {
  if (!isObject(value) || !isObject(value['status']) || !Array.isArray(value['told'])) return false;
  const { number, state, checks } = value['status'];
  return typeof number === 'number' && typeof state === 'string' && isObject(checks);
}

function isLooking(value: unknown): value is ProcessIdentity & { since: number } {
  return (
    isObject(value) &&
    typeof value['pid'] === 'number' &&
    typeof value['host'] === 'string' &&
    typeof value['since'] === 'number'
  );
}

async function write(file: string, { asked, quiet, numbers, statuses, told, looking }: File): Promise<void> {
  const pulls = [...statuses.values()].map((status): Entry => ({ status, told: told.get(status.number) ?? [] }));
  await writeAtomically(file, `${JSON.stringify({ version: 1, asked, quiet, numbers, pulls, looking }, null, 2)}\n`);
}
