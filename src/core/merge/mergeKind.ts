import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { samePlace } from '../base/paths.ts';
import { unmergedEntries } from '../git/indexEntries.ts';
import { recordMerge } from '../lifecycle/outcome.ts';
import type { OperationKind } from '../operations/runner.ts';
import type { MergeMark, Operation } from '../operations/operation.ts';
import { reverseMoves } from '../restack/apply.ts';
import { refuseBuiltUpon } from '../restack/refuseBuiltUpon.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { hasWork } from './backUpWork.ts';
import { planChecks } from './checks.ts';
import { findMergeOf, isAncestor } from './commits.ts';
import { endCommittedMerge } from './emptyMerge.ts';
import { logMerge } from './logMerge.ts';
import { forgetMerge, isInto, mergeKindName, type MergeData } from './mergeData.ts';
import { restoreMergeHead } from './mergeHead.ts';
import { rollBackMerge } from './rollBackMerge.ts';
import { readTarget, type MergeTarget } from './target.ts';
import { mergeMessages } from '../messages/merge.ts';

/**
 * A merge. Its commit point is the merge commit. Before that it is rolled back, unless a person has worked on it; after it the log and the
 * registry get to know, and only its checks wait for a person.
 */
export const mergeKind: OperationKind<MergeData> = {
  name: mergeKindName,
  describe: ({ name }) => mergeMessages.merging({ name }),
  startsGit: true,
  isCommitted: async (workspace, data) => {
    // It is over, or the worktree is gone and its merge with it: nothing is left to do.
    if (!(await isInto(data))) return true;
    const target = await findTarget(workspace, data);
    if (target?.head === undefined) return false;
    return data.commit !== undefined || isAncestor(workspace.git, { cwd: target.root }, data.theirs, target.head);
  },
  waits: async (workspace, data) => {
    const target = await findTarget(workspace, data);
    // Out of sight, or a person has done something else there.
    if (!target || target.head !== data.ours || (target.mergeHead ?? data.theirs) !== data.theirs) return true;
    if (target.mergeHead === undefined || data.aborting) return false;
    const inConflict = data.staged && (await unmergedEntries(workspace.git, target.root)).size > 0;
    return inConflict || hasWork(workspace, target.root, data);
  },
  finish: async (workspace, data) => {
    const { git } = workspace;
    const found = (await isInto(data)) ? await findTarget(workspace, data) : undefined;
    if (!found?.head) return { operation: undefined };
    const target = await endCommittedMerge(workspace, found);
    const { root, branch, gitDir } = target;
    const made = data.commit ?? (await findMergeOf(git, { cwd: root }, data.theirs, found.head));
    const commit = made ?? found.head;
    await logMerge(workspace, target, data, commit);
    const merge = { branch: data.branch, into: branch ?? 'HEAD', head: data.theirs, commit };
    await recordMerge(workspace, merge, true);
    const waits = (await planChecks(workspace, root)) !== undefined;
    if (!waits) await forgetMerge(gitDir);
    return { operation: undefined, waits };
  },
  rollBack: async (workspace, data) => {
    const found = await findTarget(workspace, data);
    if (!found) return;
    await rollBackMerge(workspace, await restoreMergeHead(workspace, found, data), data);
    await forgetMerge(data.gitDir);
  },
  inverse: async (workspace, reversed, signal) => {
    const { kind, last, of } = reversed;
    if (last.merged) await refuseBuiltUpon(workspace, last, signal);
    return reverseMoves(workspace, reversed, signal, { merge: mergeMark(of, kind === 'undo') });
  },
};

/** What the registry is to say once a merge is undone, or there again. */
function mergeMark({ merged, moves: [move] }: Operation, undone: boolean): MergeMark | undefined {
  if (!merged || !move) return undefined;
  return { branch: merged.branch, head: merged.theirs, into: move.branch, commit: move.to, undone };
}

/** The working tree of a merge; `undefined` while it is not where git last knew it. */
async function findTarget(workspace: Workspace, { gitDir }: MergeData): Promise<MergeTarget | undefined> {
  const { commonDir, mainRoot } = workspace.repository;
  const isMain = await samePlace(gitDir, commonDir);
  const pointer = isMain ? '' : await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '');
  if (!isMain && pointer === '') return undefined;
  const root = isMain ? mainRoot : dirname(resolve(gitDir, pointer.trimEnd()));
  const target = await readTarget(workspace, root).catch(() => undefined);
  return target && (await samePlace(target.gitDir, gitDir)) ? target : undefined;
}
