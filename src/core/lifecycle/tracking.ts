import { join, resolve } from 'node:path';
import { relativeTo } from '../base/paths.ts';
import { isThere } from '../base/isThere.ts';
import { Problem, whatOf } from '../base/problem.ts';
import { readRegistry, type RegistryEntry } from '../repository/registry.ts';
import { hasEndedRun, standingOf } from '../repository/standing.ts';
import { changeTracking, trackingFile } from '../repository/trackingFile.ts';
import { reconcile, type Reconciled, type TrackedTruth } from '../repository/trackingRecords.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Message } from '../messages/message.ts';
import { lifecycleMessages } from '../messages/lifecycle.ts';

/**
 * Brings the team's tracking file up to date with the registry: records that are missing, a branch, a path or a state that is another one
 * now. Whatever changes one of these calls it afterwards. Without a configured file it does nothing at all.
 *
 * @param entries gives what to hold it against, for whoever knows better than the registry where worktrees are.
 * @returns a warning when that cannot be done: no worktree depends on it.
 */
export async function syncTracking(
  workspace: Workspace,
  entries: () => Promise<readonly RegistryEntry[]> = () => entriesOf(workspace),
): Promise<Message[]> {
  const { environment, repository, configuration } = workspace;
  try {
    if ((await trackingFile(repository, configuration)) === undefined) return [];
    // The registry is read under the file's lock: of two that do this at once the later one has the later truth.
    await changeTracking(environment, repository, configuration, async (records, now) => {
      return (await heldAgainst(workspace, records, await entries(), now)).records;
    });
    return [];
  } catch (thrown) {
    if (Problem.is(thrown, 'cancelled')) throw thrown;
    return [notTracked(thrown)];
  }
}

/** Tells a person that the tracking file is not up to date. */
export function notTracked(thrown: unknown): Message {
  const reason = whatOf(thrown);
  return Problem.is(thrown) && thrown.nextStep !== undefined
    ? lifecycleMessages.trackingNotUpdatedNext({ reason, next: thrown.nextStep })
    : lifecycleMessages.trackingNotUpdated({ reason });
}

/** All entries of the registry. */
async function entriesOf({ repository }: Workspace): Promise<readonly RegistryEntry[]> {
  return [...(await readRegistry(repository)).worktrees.values()];
}

/** Holds records against those of the entries whose worktrees are there; see {@link reconcile}. */
export async function heldAgainst(
  workspace: Workspace,
  records: readonly unknown[],
  entries: readonly RegistryEntry[],
  now: string,
): Promise<Reconciled> {
  const { mainRoot } = workspace.repository;
  const truths = await trackedTruths(workspace, entries);
  const runs = new Map(
    entries.flatMap((entry): [string, string][] => {
      const since = [entry.workflowBegan, entry.workflowEnded]
        .filter((each) => each !== undefined)
        .sort()
        .at(-1);
      return since === undefined ? [] : [[pathOf(workspace, entry), since]];
    }),
  );
  return reconcile(records, truths, { mainRoot, now, runs });
}

const pathOf = ({ repository: { mainRoot } }: Workspace, { path }: Pick<RegistryEntry, 'path'>): string =>
  relativeTo(mainRoot, resolve(mainRoot, path));

/**
 * The worktrees that are there, as the tracking file has to have them. One whose folder is out of sight is left out: nothing is
 * said of what cannot be looked at.
 */
async function trackedTruths(workspace: Workspace, entries: readonly RegistryEntry[]): Promise<TrackedTruth[]> {
  const { repository } = workspace;
  const there = await Promise.all(entries.map(({ path }) => isThere(join(resolve(repository.mainRoot, path), '.git'))));
  const present = entries.filter((_, index) => there[index]);
  const tips = await tipsOfMerged(workspace, present);
  return present.map((entry) => toTracked(workspace, entry, tips.get(entry.branch)));
}

/** What the tracking file has to say of a worktree. */
export function toTracked(workspace: Workspace, entry: RegistryEntry, tip: string | undefined): TrackedTruth {
  const { environment, configuration } = workspace;
  const { branch, workId, workflowRunId, created, createdBy, autoCleanup } = entry;
  return {
    path: pathOf(workspace, entry),
    branch,
    ...(typeof workflowRunId === 'string' ? { workflow_run_id: workflowRunId } : {}),
    ...(workId === undefined ? {} : { work_id: workId }),
    status: standingOf(entry, tip) === 'merged' ? 'merged' : hasEndedRun(entry) ? 'ended' : 'active',
    created_at: created ?? environment.now().toISOString(),
    created_by: createdBy ?? 'wt',
    auto_cleanup: typeof autoCleanup === 'boolean' ? autoCleanup : configuration.worktree.autoCleanup,
  };
}

/** Only where the word `merged` was said does it matter where the branch is now. */
async function tipsOfMerged(
  { git, repository }: Workspace,
  entries: readonly RegistryEntry[],
): Promise<ReadonlyMap<string, string>> {
  const branches = entries.filter((entry) => standingOf(entry, undefined) === 'merged').map(({ branch }) => branch);
  if (branches.length === 0) return new Map();
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const args = ['for-each-ref', '--format=%(objectname) %(refname:strip=2)', ...refs];
  const text = await git.in(repository.commonDir).text(args);
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): [string, string] => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );
}
