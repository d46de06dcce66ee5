import { Problem } from '../base/problem.ts';
import type { GitOptions } from '../git/gitProcess.ts';
import { holdsNothingOf } from '../git/mergedIndex.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { isAncestor, mergeHeadIn } from './commits.ts';
import { rollBackHalfMerged } from './halfMerged.ts';
import type { MergeData } from './mergeData.ts';
import type { MergeTarget } from './target.ts';
import { mergeMessages } from '../messages/merge.ts';

/**
 * Whether git's index holds nothing of a merge that is under way, although that changes something.
 *
 * @param merge.seen the index was seen to hold it before, so that what is staged now is a person's choice.
 */
export async function isEmptyMerge(
  workspace: Workspace,
  options: GitOptions,
  merge: { readonly ours: string; readonly theirs: string; readonly seen: boolean },
): Promise<boolean> {
  const apart = sessionPaths(workspace).map(({ path }) => path);
  return holdsNothingOf(workspace.git, options, { ...merge, apart });
}

/**
 * Rolls back a merge of which the index holds nothing: git's notes of it, and files that git has written without the index knowing.
 *
 * @returns the files that it had made and that are removed now.
 * @throws Problem `not-writable` (outcome incomplete) when git's notes of it cannot be removed.
 */
export async function endEmptyMerge(
  workspace: Workspace,
  tree: Pick<MergeTarget, 'root' | 'gitDir' | 'head'>,
  data: Pick<MergeData, 'theirs' | 'untracked'>,
): Promise<string[]> {
  await quitMerge(workspace, tree);
  return rollBackHalfMerged(workspace, { ...tree, mergeHead: undefined }, data);
}

/**
 * The target without a merge that is committed already: git commits first and removes its notes of the merge then, which it may have been
 * kept from. Going on with it would commit the same merge again.
 *
 * @throws Problem `not-writable` (outcome incomplete) when the notes cannot be removed.
 */
export async function endCommittedMerge(workspace: Workspace, target: MergeTarget): Promise<MergeTarget> {
  const { git } = workspace;
  const { root, head, mergeHead, operation } = target;
  if (head === undefined || mergeHead === undefined || operation !== 'merge') return target;
  const at = { cwd: root };
  // Nobody begins a merge of what is in the branch already.
  if (!(await isAncestor(git, at, mergeHead, head))) return target;
  if ((await git.run(['diff-index', '--cached', '--quiet', head, '--'], at)).exitCode !== 0) return target;
  await quitMerge(workspace, target);
  return { ...target, operation: undefined, mergeHead: undefined };
}

async function quitMerge({ git }: Workspace, { root, gitDir }: Pick<MergeTarget, 'root' | 'gitDir'>): Promise<void> {
  const answer = await git.run(['merge', '--quit'], { cwd: root, writes: true });
  if ((await mergeHeadIn(gitDir)) === undefined) return;
  throw new Problem('not-writable', mergeMessages.noteNotRemoved({ gitDir }), {
    next: mergeMessages.quitMergeThere({ root }),
    items: answer.stderr.split('\n').filter((line) => line.trim() !== ''),
    outcome: 'incomplete',
  });
}
