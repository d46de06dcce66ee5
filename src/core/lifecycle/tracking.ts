import { lstat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Problem, whatOf } from '../base/problem.ts';
import { readRegistry, type RegistryEntry } from '../repository/registry.ts';
import { standingOf } from '../repository/standing.ts';
import { changeTracking, trackingFile } from '../repository/trackingFile.ts';
import { reconcile, type TrackedTruth } from '../repository/trackingRecords.ts';
import { relativeTo } from '../worktree/location.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Message } from '../messages/message.ts';
import { lifecycleMessages } from '../messages/lifecycle.ts';

/**
 * Brings the team's tracking file up to date with the registry: records that are missing, a branch, a path or a state that is another one
 * now. Whatever changes one of these calls it afterwards. Without a configured file it does nothing at all.
 *
 * @param entries what to hold it against, for whoever knows better than the registry where worktrees are.
 * @returns a warning when that cannot be done: no worktree depends on it.
 */
export async function syncTracking(workspace: Workspace, entries?: readonly RegistryEntry[]): Promise<Message[]> {
  const { environment, repository, configuration } = workspace;
  try {
    if ((await trackingFile(repository, configuration)) === undefined) return [];
    // The registry is read under the file's lock: of two that do this at once the later one has the later truth.
    await changeTracking(environment, repository, configuration, async (records, now) => {
      return reconcile(records, await trackedTruths(workspace, entries), now).records;
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

/**
 * The registered worktrees that are there, as the tracking file has to have them. One whose folder is out of sight is left out: nothing is
 * said of what cannot be looked at.
 *
 * @param known instead of what the registry has.
 */
export async function trackedTruths(workspace: Workspace, known?: readonly RegistryEntry[]): Promise<TrackedTruth[]> {
  const { repository } = workspace;
  const entries = known ?? [...(await readRegistry(repository)).worktrees.values()];
  const there = await Promise.all(
    entries.map(({ path }) =>
      lstat(join(resolve(repository.mainRoot, path), '.git')).then(
        () => true,
        () => false,
      ),
    ),
  );
  const present = entries.filter((_, index) => there[index]);
  const tips = await tipsOfMerged(workspace, present);
  return present.map((entry) => toTracked(workspace, entry, tips.get(entry.branch)));
}

/** What the tracking file has to say of a worktree. */
export function toTracked(
  { environment, repository, configuration }: Workspace,
  entry: RegistryEntry,
  tip: string | undefined,
): TrackedTruth {
  const { path, branch, workId, workflowRunId, created, createdBy } = entry;
  return {
    path: relativeTo(repository.mainRoot, resolve(repository.mainRoot, path)),
    branch,
    ...(typeof workflowRunId === 'string' ? { workflow_run_id: workflowRunId } : {}),
    ...(workId === undefined ? {} : { work_id: workId }),
    status: standingOf(entry, tip) === 'merged' ? 'merged' : 'active',
    created_at: created ?? environment.now().toISOString(),
    created_by: createdBy ?? 'wt',
    auto_cleanup: configuration.worktree.autoCleanup,
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
