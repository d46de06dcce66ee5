import { prepareAfter, prepareHooks } from '../hooks/plan.ts';
import { nothingRan, placeOf, runAfter, runBefore, type HookPlace, type HookReport } from '../hooks/runHooks.ts';
import { readSnapshot } from '../snapshot/snapshot.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Merged, MergeOptions, MergeRequest, MergeSource } from './model.ts';

/**
 * Runs the commands before a merge, in the worktree that is merged.
 *
 * @throws Problem as `prepareHooks` and `runBefore`: nothing was merged.
 */
export async function beforeMerge(
  workspace: Workspace,
  source: MergeSource,
  options: MergeOptions,
): Promise<HookReport> {
  const planned = await prepareHooks(workspace, 'before_merge', hookOptions(options));
  if (planned.length === 0) return nothingRan;
  return runBefore(workspace, planned, await sourcePlace(workspace, source, options), options);
}

/** The last commit of the branch that is merged, as it is now. */
export async function branchCommit(
  { git, repository }: Workspace,
  { branch }: MergeSource,
): Promise<string | undefined> {
  return git.in(repository.commonDir).line(['rev-parse', '--quiet', '--verify', `refs/heads/${branch}^{commit}`]);
}

/** Runs the commands after a merge that this call has brought to its end, in the working tree that was merged into. */
export async function afterMerge(
  workspace: Workspace,
  { source, into }: MergeRequest,
  merged: Merged,
  options: MergeOptions,
): Promise<Merged> {
  if (merged.state !== 'merged' && !merged.ends) return merged;
  const { planned, notes } = await prepareAfter(workspace, 'after_merge', hookOptions(options));
  const place = planned.length === 0 ? undefined : await sourcePlace(workspace, source, options, into);
  const report = place ? await runAfter(workspace, planned, place, options) : nothingRan;
  return {
    ...merged,
    hooks: [...(merged.hooks ?? []), ...report.results],
    notes: [...merged.notes, ...notes, ...report.notes],
  };
}

/** `wt merge --approve` approves all that runs then. */
function hookOptions(options: MergeOptions): MergeOptions {
  return options.approve ? { ...options, approveHooks: true } : options;
}

/** The variables are those of the worktree that is merged; of a branch without one what is known of it. */
async function sourcePlace(
  workspace: Workspace,
  { name, slug, branch, path }: MergeSource,
  options: MergeOptions,
  folder = path,
): Promise<HookPlace> {
  const { worktrees } = await readSnapshot(workspace, { withChanges: false });
  const worktree = worktrees.find((each) => !each.main && each.branch === branch);
  // Without a folder there is nothing to have ports.
  const place = worktree ?? { name, slug, branch, path: path ?? '', main: true };
  return { ...(await placeOf(workspace, place, options)), worktree: { name, slug }, folder };
}
