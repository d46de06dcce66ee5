import { Problem } from '../base/problem.ts';
import type { HostFacts } from '../repository/hostFacts.ts';
import { readRegistry, updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import {
  mergedRecordOf,
  pullRequestState,
  withMerged,
  withoutMerged,
  type MergedRecord,
} from '../repository/standing.ts';
import { fetchMerged } from '../integration/fetchMerged.ts';
import { mergedInto } from '../integration/mergedInto.ts';
import { findTrunk, readAllBranches } from '../snapshot/trunk.ts';
import { syncTracking } from './tracking.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { textOf, type Message } from '../messages/message.ts';

/** What the host says became of the pull request of a branch. */
export interface PullRequestOutcome {
  /** The local branch that it is recorded for. */
  readonly branch: string;
  readonly number: number;
  readonly state: 'open' | 'queued' | 'merged' | 'closed';
  /** The last commit that it had when it ended, or has now. */
  readonly headCommit: string | undefined;
  /** The commit that it was merged as, and the branch that it was merged into or is to be. */
  readonly mergeCommit?: string | undefined;
  readonly baseBranch?: string | undefined;
  /** What the host keeps of it beside that; `none` where it keeps nothing. Without it what was known stays. */
  readonly host?: HostFacts | 'none' | undefined;
}

/** Work that came into another branch, by `wt merge` or in a way that only its result shows. */
export interface LocalMerge {
  /** The branch that was merged, and its last commit then. */
  readonly branch: string;
  readonly head: string;
  readonly into: string;
  /** The merge commit, where there is one. */
  readonly commit?: string | undefined;
}

/**
 * Writes down in the registry what the host says became of pull requests: that they were merged or closed, or are open again. The work of a
 * branch counts as merged only when it is seen in its base, here or as it was fetched last; for one that the host calls merged for the first
 * time and that is not here yet, the base is fetched. Writes only what is new.
 *
 * Only a record suffers when this fails, so a failure is told to the log and stops nobody.
 */
export async function recordPullRequests(
  workspace: Workspace,
  outcomes: readonly PullRequestOutcome[],
  signal?: AbortSignal,
): Promise<void> {
  await gently(workspace, async () => {
    const { environment, repository } = workspace;
    const { worktrees } = await readRegistry(repository);
    const news = new Map<string, Learned>();
    const known = outcomes.flatMap((outcome) => {
      const found = [...worktrees].find(([, entry]) => isOf(entry, outcome));
      return found ? [{ name: found[0], entry: found[1], outcome }] : [];
    });
    const look = async (some: typeof known): Promise<void> => {
      for (const { name, entry, outcome } of some) {
        const learned = { outcome, merged: await mergedNow(workspace, entry, outcome, signal) };
        if (isNews(entry, withOutcome(entry, learned))) news.set(name, learned);
      }
    };
    await look(known);
    const unseen = known.filter(({ name, entry, outcome }) => isNewMerge(entry, outcome) && !news.get(name)?.merged);
    const missing = unseen.map(({ entry, outcome }) => ({ ...outcome, baseBranch: outcome.baseBranch ?? entry.base }));
    if (await fetchMerged(workspace, missing, signal)) await look(unseen);
    if (known.length === 0) return;
    if (news.size > 0) {
      await updateRegistry(environment, repository, ({ worktrees: now }) => {
        for (const [name, learned] of news) {
          const entry = now.get(name);
          if (entry && isOf(entry, learned.outcome)) now.set(name, withOutcome(entry, learned));
        }
      });
    }
    // Also without news: whoever wrote the registry may have been killed before the tracking file had it.
    for (const warning of await syncTracking(workspace)) environment.log.warn(textOf(warning));
  });
}

/**
 * Writes down in the registry that the work of a branch came into another one. Fails as gently as {@link recordPullRequests}.
 *
 * @param must for whoever can try it again: a registry that cannot be written now, because of the disk or of another process, is a failure.
 *   One that nobody can read stays a matter of the log.
 * @returns warnings about what could not be brought up to date.
 * @throws Problem `not-writable` or `locked-by-another`, with `must`.
 */
export function recordMerge(workspace: Workspace, merge: LocalMerge, must = false): Promise<Message[]> {
  const { branch, head, into, commit } = merge;
  const edit = (entry: RegistryEntry): RegistryEntry => {
    if (mergedRecordOf(entry)?.head === head && entry.lifecycle === 'merged') return entry;
    // A branch without commits of its own has no work that could have been merged.
    if (entry.baseCommit === head) return entry;
    return withMerged(entry, { head, into, ...(commit === undefined ? {} : { commit }) });
  };
  return change(workspace, branch, edit, must);
}

/**
 * Rolls back what {@link recordMerge} wrote of a merge that is undone. Gives what that gives.
 *
 * @param must as there.
 */
export function forgetMerge(
  workspace: Workspace,
  { branch, commit }: Omit<LocalMerge, 'head' | 'into'>,
  must = false,
): Promise<Message[]> {
  const edit = (entry: RegistryEntry): RegistryEntry =>
    mergedRecordOf(entry)?.commit === commit ? withoutMerged(entry) : entry;
  return change(workspace, branch, edit, must);
}

interface Learned {
  readonly outcome: PullRequestOutcome;
  /** For a merged one: what was merged, as far as the branch has not gone on since. */
  readonly merged: MergedRecord | undefined;
}

const isOf = ({ branch, pr }: RegistryEntry, outcome: PullRequestOutcome): boolean =>
  branch === outcome.branch && pr?.number === outcome.number;

/** The host calls it merged, and did not when it was asked before: what did not come then comes with the next fetch, if at all. */
const isNewMerge = ({ pr }: RegistryEntry, { state, mergeCommit, headCommit }: PullRequestOutcome): boolean =>
  state === 'merged' &&
  (pr?.['state'] !== 'merged' ||
    (mergeCommit !== undefined && pr['mergeCommit'] !== mergeCommit) ||
    (headCommit !== undefined && pr['headCommit'] !== headCommit));

const isNews = (entry: RegistryEntry, next: RegistryEntry): boolean => JSON.stringify(entry) !== JSON.stringify(next);

/** An entry with what became of its pull request. */
function withOutcome(entry: RegistryEntry, { outcome, merged }: Learned): RegistryEntry {
  const { state } = outcome;
  const before = pullRequestState(entry);
  if (!entry.pr) return entry;
  const pr: Record<string, unknown> & typeof entry.pr = { ...entry.pr };
  // One of which nothing is said is open.
  if (before !== state) pr['state'] = state;
  const { headCommit = pr['headCommit'], mergeCommit = pr['mergeCommit'] } = outcome;
  for (const key of ['headCommit', 'mergeCommit']) delete pr[key];
  // While it goes on they change with every push, and nobody needs them.
  if (state === 'merged' || state === 'closed') if (headCommit !== undefined) pr['headCommit'] = headCommit;
  if (state === 'merged' && mergeCommit !== undefined) pr['mergeCommit'] = mergeCommit;
  const host = state === 'merged' || state === 'closed' ? undefined : (outcome.host ?? pr['host']);
  if (host === undefined || outcome.host === 'none') delete pr['host'];
  else pr['host'] = host;
  const isOpen = state === 'open' || state === 'queued';
  const next = { ...entry, pr, ...(isOpen && outcome.baseBranch !== undefined ? { prBase: outcome.baseBranch } : {}) };
  if (state === 'merged' && merged) return withMerged(next, merged);
  // A merge by `wt merge` is not the pull request's to forget.
  const record = mergedRecordOf(entry);
  const isFromHost = record ? record.pr === outcome.number : before === 'merged';
  return entry.lifecycle === 'merged' && isFromHost ? withoutMerged(next) : next;
}

/** What of a branch its merged pull request had: all of it, seen in a base, or nothing that counts. */
async function mergedNow(
  workspace: Workspace,
  entry: RegistryEntry,
  { branch, number, state, headCommit, mergeCommit }: PullRequestOutcome,
  signal: AbortSignal | undefined,
): Promise<MergedRecord | undefined> {
  if (state !== 'merged' || !entry.pr) return undefined;
  const branches = await readAllBranches(workspace, signal);
  const tip = branches.local.get(branch)?.oid;
  // A branch without commits of its own has no work that could have been merged.
  if (tip === undefined || entry.baseCommit === tip) return undefined;
  const known = mergedRecordOf(entry);
  if (known?.head === tip && known.into !== undefined)
    return { head: tip, pr: number, into: known.into, commit: known.commit };
  const trunk = await findTrunk(workspace, branches, undefined, signal);
  const bases = [...new Set([entry.base, trunk])].flatMap((each) =>
    each === undefined || each === branch ? [] : [each],
  );
  const pr = {
    ...entry.pr,
    headCommit: headCommit ?? entry.pr['headCommit'],
    mergeCommit: mergeCommit ?? entry.pr['mergeCommit'],
  };
  const found = await mergedInto(workspace, { branch, entry: { ...entry, pr }, bases, signal });
  if (found.state !== 'merged') return undefined;
  const { oid, into, commit } = found;
  return { head: oid, pr: number, into, commit };
}

async function change(
  workspace: Workspace,
  branch: string,
  edit: (entry: RegistryEntry) => RegistryEntry,
  must: boolean,
): Promise<Message[]> {
  const { environment, repository } = workspace;
  const warnings: Message[] = [];
  const act = async (): Promise<void> => {
    await updateRegistry(environment, repository, ({ worktrees }) => {
      for (const [name, entry] of worktrees) if (entry.branch === branch) worktrees.set(name, edit(entry));
    });
    // Also when nothing has changed: whoever wrote the registry may have been killed before the tracking file had it.
    warnings.push(...(await syncTracking(workspace)));
  };
  await gently(workspace, act, must);
  return warnings;
}

async function gently({ environment }: Workspace, act: () => Promise<void>, must = false): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    if (must && (thrown.reason === 'not-writable' || thrown.reason === 'locked-by-another')) throw thrown;
    environment.log.warn(`What became of the work was not written down: ${thrown.message}`);
  }
}
