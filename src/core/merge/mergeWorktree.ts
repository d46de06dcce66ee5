import { withFileLock } from '../base/fileLock.ts';
import { Problem } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { checkBefore } from './checkBefore.ts';
import { commitMerge, mergeMessage } from './commit.ts';
import { recordMerge } from '../lifecycle/outcome.ts';
import { findMergeOf, isAncestor, mergeBase } from './commits.ts';
import { untrackedIn } from './leftovers.ts';
import { conflictProblem, conflictsOf, mergeFiles, stageKnown } from './files.ts';
import { passGate } from './postMergeChecks.ts';
import { endCommittedMerge, endEmptyMerge, isEmptyMerge } from './emptyMerge.ts';
import { clearHalfMerged } from './halfMerged.ts';
import { logMerge } from './logMerge.ts';
import { requireNoMarkers } from './markers.ts';
import { reviveMerge } from './mergeHead.ts';
import { mergeRecordFile, readMergeRecord, RecordKeeper, type MergeRecord } from './mergeRecord.ts';
import { againCommand, explainCancel, step, type Merging } from './merging.ts';
import type { Merged, MergeOptions, MergeRequest } from './model.ts';
import { mergeSubmodules } from './submodules.ts';
import { otherUnderWay, readTarget, requireReady, type ReadyTarget } from './target.ts';
import { endTrial, settleByChecks, trialBackup } from './resolveByChecks.ts';

/**
 * Merges the branch of a worktree into a working tree: its submodules first, then the files with one merge commit, the session
 * files by their own rules, and at last the checks. What an earlier run has done is found again and not repeated, so that the same
 * call goes on after a stop, a kill or a failure, and gives the same result when all is done.
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
  const { gitDir } = await readTarget(workspace, into, options.signal);
  const file = mergeRecordFile(gitDir);
  return withFileLock(
    workspace.environment,
    file,
    async () => {
      try {
        return await underLock(workspace, request, options);
      } catch (thrown) {
        throw explainCancel(thrown, source, (await readMergeRecord(gitDir).catch(() => undefined)) !== undefined);
      }
    },
    options.signal,
  );
}

async function underLock(workspace: Workspace, request: MergeRequest, options: MergeOptions): Promise<Merged> {
  const { source } = request;
  const place = await endCommittedMerge(workspace, await readTarget(workspace, request.into, options.signal));
  let record = await readMergeRecord(place.gitDir);
  const found = await reviveMerge(workspace, place, record);
  if (record && record.branch !== source.branch) {
    if (!(await isOver(workspace, record, found.head, found.mergeHead)))
      throw otherUnderWay(record, source, found.root);
    record = undefined;
  }
  let target = requireReady(found, source, record);
  if (record && target.mergeHead !== undefined) {
    const at = { cwd: target.root, signal: options.signal };
    const sides = { ours: target.head, theirs: record.theirs };
    // Once it was seen in the index what is staged is the person's, and it is looked at again before it is committed.
    if (record.staged || !(await isEmptyMerge(workspace, at, { ...sides, seen: false })))
      return goOn(merging(workspace, request, target, record, options), request);
    await endEmptyMerge(workspace, target, record);
    target = { ...target, operation: undefined, mergeHead: undefined };
  }
  if (await isAncestor(workspace.git, { cwd: target.root }, source.commit, target.head)) {
    return alreadyMerged(workspace, request, target, record, options);
  }
  if (record && (await isOver(workspace, record, target.head, undefined))) record = undefined;
  return begin(workspace, request, target, record, options);
}

/** Whether a merge on record has been committed; that its checks have not passed keeps nobody from the next one. */
async function isOver(
  { git, repository }: Workspace,
  record: MergeRecord,
  head: string | undefined,
  mergeHead: string | undefined,
): Promise<boolean> {
  if (mergeHead === record.theirs || head === undefined) return false;
  if (record.commit !== undefined) return true;
  return git.in(repository.commonDir).isAncestor(record.theirs, head);
}

function merging(
  workspace: Workspace,
  { source }: MergeRequest,
  target: ReadyTarget,
  record: MergeRecord,
  options: MergeOptions,
): Merging {
  return { workspace, source, target, keeper: new RecordKeeper(target.gitDir, record), options };
}

async function begin(
  workspace: Workspace,
  request: MergeRequest,
  target: ReadyTarget,
  earlier: MergeRecord | undefined,
  options: MergeOptions,
): Promise<Merged> {
  const { source } = request;
  const { git } = workspace;
  options.progress?.(`Merging ${source.name}: looking at ${target.root}`);
  const at = { cwd: target.root, signal: options.signal };
  const base = await mergeBase(git, at, target.head, source.commit);
  if (earlier) await clearHalfMerged(workspace, target, earlier);
  const notes = await checkBefore({ workspace, source, target, options, base, earlier });
  // Uncommitted notes may have become a commit.
  const head = (await git.text(['rev-parse', '--verify', 'HEAD^{commit}'], at)).trim();
  const now = merging(
    workspace,
    request,
    { ...target, head },
    {
      version: 1,
      name: source.name,
      slug: source.slug,
      branch: source.branch,
      theirs: source.commit,
      ours: head,
      message: mergeMessage(workspace.configuration, request),
      notes,
      untracked: await untrackedIn(workspace, target.root),
      moved: earlier?.moved ?? {},
      submodules: [],
      sessionFiles: [],
      staged: false,
    },
    options,
  );
  await now.keeper.note();
  return goOn(now, request);
}

/** All steps from the submodules to the checks; each finds out for itself what is left of it to do. */
async function goOn(now: Merging, request: MergeRequest): Promise<Merged> {
  const { keeper, source, target, workspace } = now;
  const notes = [...source.notes];
  if (request.message !== undefined) await keeper.note({ message: mergeMessage(workspace.configuration, request) });
  if (!keeper.now.staged) {
    const settled = await mergeSubmodules(now);
    notes.push(...settled.notes);
    await mergeFiles(now, () => stageKnown(now, settled));
  }
  await endTrial(now);
  const conflicts = await conflictsOf(now);
  if (conflicts.size > 0) {
    const bySides = workspace.configuration.merge.sourceConflicts === 'checks';
    const why = bySides ? await settleByChecks(now, conflicts) : undefined;
    if (!bySides || why !== undefined) throw conflictProblem(now, conflicts, why);
  }
  await requireNoMarkers(workspace.git, { tree: target.root, prefix: '', theirs: keeper.now.theirs }, source);
  const { commit, notes: ofHooks } = await commitMerge(now);
  notes.push(...ofHooks);
  const operation = await logMerge(now, commit);
  notes.push(...(await noteMerged(workspace, request, target, { head: keeper.now.theirs, commit })));
  if (keeper.now.theirs !== source.commit) {
    notes.push(`${source.branch} has gone on since this merge began; run it again for the rest.`);
  }
  return report(now, { state: 'merged', commit, notes, operation });
}

async function alreadyMerged(
  workspace: Workspace,
  request: MergeRequest,
  target: ReadyTarget,
  record: MergeRecord | undefined,
  options: MergeOptions,
): Promise<Merged> {
  const { source } = request;
  const at = { cwd: target.root, signal: options.signal };
  const commit = (await findMergeOf(workspace.git, at, source.commit, target.head)) ?? record?.commit;
  if (commit !== undefined) await noteMerged(workspace, request, target, { head: source.commit, commit });
  const blank = { operation: undefined, submodules: [], sessionFiles: [], backups: [], notes: [] };
  const checks = { state: 'none', command: undefined } as const;
  const { name, branch } = source;
  // A merge that is done, checks included, has no record any more.
  if (commit === undefined || (!record && !options.approve))
    return { name, branch, state: 'already', commit, checks, ...blank };
  const asked: MergeRecord = record ?? {
    version: 1,
    name,
    slug: source.slug,
    branch,
    theirs: source.commit,
    ours: target.head,
    message: '',
    notes: [],
    untracked: [],
    moved: {},
    submodules: [],
    sessionFiles: [],
    staged: true,
    commit,
  };
  const now = merging(workspace, request, target, asked, options);
  // Its process may have died between the commit and the log.
  const operation = record && (await logMerge(now, commit));
  return report(now, { state: 'already', commit, notes: [], operation });
}

/**
 * The registry is to know that the work was merged.
 *
 * @throws Problem (outcome incomplete) when it cannot be told now: the same call again does the rest.
 */
async function noteMerged(
  workspace: Workspace,
  { source }: MergeRequest,
  { branch: into = 'HEAD' }: ReadyTarget,
  merge: { readonly head: string; readonly commit: string },
): Promise<string[]> {
  try {
    return await recordMerge(workspace, { branch: source.branch, into, ...merge }, true);
  } catch (thrown) {
    const { reason, message, next, items, file } = asProblem(thrown);
    const is = `${source.name} is merged as ${merge.commit.slice(0, 12)}, but that was not written down`;
    const again = `\`${againCommand(source)}\` does the rest`;
    throw new Problem(reason, `${is}: ${message}`, {
      ...(file === undefined ? {} : { file }),
      next: next === undefined ? again : `${next}; ${again}`,
      items,
      outcome: 'incomplete',
      cause: thrown,
    });
  }
}

async function report(
  now: Merging,
  done: Pick<Merged, 'state' | 'notes' | 'operation'> & { readonly commit: string },
): Promise<Merged> {
  const { name, branch } = now.source;
  const { submodules, sessionFiles, trial } = now.keeper.now;
  step(now, 'checks');
  const checks = await passGate(now, done.commit);
  const kept = trial && trialBackup(trial);
  return { ...done, name, branch, submodules, sessionFiles, checks, backups: kept ? [kept] : [] };
}
