import type { Workspace } from '../worktree/workspace.ts';
import { nothingRan } from '../hooks/runHooks.ts';
import { afterMerge, beforeMerge, branchCommit } from './mergeHooks.ts';
import { checkBefore } from './checkBefore.ts';
import { mergeMessage } from './commit.ts';
import { findMergeOf, headOf, isAncestor, mergeBase } from './commits.ts';
import { endCommittedMerge, endEmptyMerge, isEmptyMerge } from './emptyMerge.ts';
import { rollBackHalfMerged } from './halfMerged.ts';
import { untrackedIn } from './leftovers.ts';
import { readMerge, withMergeLock, type MergeData, type PendingMerge } from './mergeData.ts';
import { restoreMergeHead } from './mergeHead.ts';
import { explainCancel } from './merging.ts';
import type { Merged, MergeOptions, MergeRequest } from './model.ts';
import { runPostMergeChecks } from './postMergeChecks.ts';
import { recordMerged, runMerge } from './runMerge.ts';
import { otherUnderWay, readTarget, requireReady, type ReadyTarget } from './target.ts';
import { newOperationId } from '../operations/operation.ts';
import { mergeMessages } from '../messages/merge.ts';

/**
 * Merges the branch of a worktree into a working tree: its submodules first, then the files with one merge commit, the session
 * files by their own rules, and at last the checks. What an earlier run has done is found again and not repeated, so that the same
 * call goes on after a stop or a failure, and gives the same result when all is done.
 *
 * @throws Problem (outcome incomplete) with what to do: `dirty`, `in-use`, `usage`, `unsupported` before anything is touched;
 *   `conflicts` that wait for a person; `git-failed` for a hook; `checks-failed` or `not-approved` with the merge committed;
 *   `cancelled`.
 */
export async function mergeWorktree(
  workspace: Workspace,
  request: MergeRequest,
  options: MergeOptions = {},
): Promise<Merged> {
  const { source, into } = request;
  const { repository } = workspace;
  const { gitDir, root } = await readTarget(workspace, into, options.signal);
  const merged = await withMergeLock(workspace, gitDir, options.signal, async () => {
    try {
      return await underLock(workspace, request, options);
    } catch (thrown) {
      const pending = await readMerge(repository, gitDir).catch(() => undefined);
      throw explainCancel(thrown, source, root, pending !== undefined);
    }
  });
  return afterMerge(workspace, request, merged, options);
}

async function underLock(workspace: Workspace, request: MergeRequest, options: MergeOptions): Promise<Merged> {
  const { source } = request;
  const { git, repository } = workspace;
  const actual = await endCommittedMerge(workspace, await readTarget(workspace, request.into, options.signal));
  let earlier = await readMerge(repository, actual.gitDir);
  const found = await restoreMergeHead(workspace, actual, earlier?.data);
  if (earlier && earlier.data.branch !== source.branch) {
    if (!(await isOver(workspace, earlier.data, found.head, found.mergeHead)))
      throw otherUnderWay(earlier.data, source, found.root);
    earlier = undefined;
  }
  let target = await requireReady(workspace, found, source, earlier?.data);
  const at = { cwd: target.root, signal: options.signal };
  if (earlier && target.mergeHead !== undefined) {
    const { data, waits } = earlier;
    const sides = { ours: target.head, theirs: data.theirs };
    // Once it was seen in the index what is staged is the person's, and it is checked again before it is committed.
    if (data.staged || !(await isEmptyMerge(workspace, at, { ...sides, seen: false })))
      return runMerge(workspace, request, target, data, options, { waits });
    await endEmptyMerge(workspace, target, data);
    target = { ...target, operation: undefined, mergeHead: undefined };
  }
  if (await isAncestor(git, at, source.commit, target.head))
    return alreadyMerged(workspace, request, target, earlier, options);
  if (earlier && (await isOver(workspace, earlier.data, target.head, undefined))) earlier = undefined;
  return begin(workspace, request, target, earlier, options);
}

/** Whether a pending merge has been committed; that its checks have not passed keeps nobody from the next one. */
export async function isOver(
  { git, repository }: Workspace,
  data: MergeData,
  head: string | undefined,
  mergeHead: string | undefined,
): Promise<boolean> {
  if (mergeHead === data.theirs || head === undefined) return false;
  if (data.commit !== undefined) return true;
  return git.in(repository.commonDir).isAncestor(data.theirs, head);
}

async function begin(
  workspace: Workspace,
  request: MergeRequest,
  target: ReadyTarget,
  earlier: PendingMerge | undefined,
  options: MergeOptions,
): Promise<Merged> {
  const { source } = request;
  const { git } = workspace;
  options.progress?.(
    mergeMessages.mergingStep({ name: source.name, what: mergeMessages.stepInspecting({ path: target.root }) }),
  );
  const at = { cwd: target.root, signal: options.signal };
  const base = await mergeBase(git, at, target.head, source.commit);
  if (earlier) await rollBackHalfMerged(workspace, target, earlier.data);
  const notes = await checkBefore({ workspace, source, target, options, base, earlier: earlier?.data });
  const hooks = earlier ? nothingRan : await beforeMerge(workspace, source, options);
  if (hooks.results.length > 0) {
    // They may have committed something, which is merged as well, and may have changed what was looked at.
    const commit = await branchCommit(workspace, source);
    const now = { ...request, source: { ...source, commit: commit ?? source.commit } };
    const merged = await begin(workspace, now, target, earlier, { ...options, skipHooks: true });
    return { ...merged, hooks: hooks.results, notes: [...hooks.notes, ...merged.notes] };
  }
  // Uncommitted notes may have become a commit.
  const head = await headOf(git, at);
  const data: MergeData = {
    id: earlier?.data.id ?? newOperationId(workspace, 'merge'),
    gitDir: target.gitDir,
    name: source.name,
    slug: source.slug,
    branch: source.branch,
    theirs: source.commit,
    ours: head,
    message: mergeMessage(workspace.configuration, request),
    notes,
    untracked: await untrackedIn(workspace, target.root),
    moved: earlier?.data.moved ?? {},
    submodules: [],
    sessionFiles: [],
    staged: false,
  };
  return runMerge(workspace, request, { ...target, head }, data, options, { waits: earlier?.waits ?? false });
}

async function alreadyMerged(
  workspace: Workspace,
  request: MergeRequest,
  target: ReadyTarget,
  earlier: PendingMerge | undefined,
  options: MergeOptions,
): Promise<Merged> {
  const { source } = request;
  const { name, branch } = source;
  const at = { cwd: target.root, signal: options.signal };
  const commit = (await findMergeOf(workspace.git, at, source.commit, target.head)) ?? earlier?.data.commit;
  let checks: Merged['checks'] = { state: 'none', command: undefined };
  if (commit !== undefined) {
    // Its process may have ended between the commit and the log.
    if (earlier) {
      const known = { waits: earlier.waits, commit };
      return { ...(await runMerge(workspace, request, target, earlier.data, options, known)), ends: true };
    }
    await recordMerged(workspace, request, target, { head: source.commit, commit });
    // A merge that is done, checks included, is not pending any more.
    if (options.approve) checks = await runPostMergeChecks({ workspace, source, target, options }, commit);
  }
  const nothing = { operation: undefined, submodules: [], sessionFiles: [], backups: [], notes: [] };
  return { name, branch, state: 'already', commit, checks, ...nothing };
}
