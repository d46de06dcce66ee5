import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { readHiddenFiles, tellHidden, type HiddenFile, type Tree } from '../worktree/treeState.ts';
import { againCommand } from './merging.ts';
import type { MergeSource } from './model.ts';
import { planMerge } from './planned.ts';
import { mergeMessages } from '../messages/merge.ts';

/**
 * Refuses a merge that would overwrite files whose changes git has been told to overlook (`assume-unchanged`, `skip-worktree`): git
 * begins such a merge, and resets the files as it fails.
 *
 * @param sides the commits that are merged in that working tree.
 * @param prefix what reported paths begin with; empty for the target itself.
 * @returns the hidden files that the merge does not touch.
 * @throws Problem `dirty` (outcome incomplete); then nothing was touched.
 */
export async function requireHiddenSafe(
  git: Git,
  tree: Tree,
  sides: { readonly ours: string; readonly theirs: string },
  source: MergeSource,
  prefix = '',
): Promise<HiddenFile[]> {
  const hidden = await readHiddenFiles(git, tree);
  if (hidden.length === 0) return [];
  const planned = await planMerge(git, { cwd: tree.path }, sides.ours, sides.theirs);
  const touched = new Set(planned?.touched);
  const inWay = hidden.filter(({ path }) => touched.has(path));
  if (inWay.length === 0) return hidden;
  const { items, next } = tellHidden(inWay);
  throw new Problem('dirty', mergeMessages.notMergedWouldOverwrite({ sourceName: source.name, treePath: tree.path }), {
    next: mergeMessages.showHiddenAgain({ next, againCommand: againCommand(source) }),
    items: items.map((item) => `${prefix}${item}`),
    outcome: 'incomplete',
  });
}
