import { keepTree, writeTreeOf } from '../remove/backupTree.ts';
import type { Backup } from '../operations/backups.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { MergeData } from './mergeData.ts';
import { planMerge } from './planned.ts';
import type { MergeTarget } from './target.ts';
import { mergeMessages } from '../messages/merge.ts';

/**
 * Whether a person has done something to the files since git merged them. Git itself tells what it has left (`AUTO_MERGE`); where a hook
 * has removed that, git makes it again.
 */
export async function hasWork({ git, configuration }: Workspace, root: string, data: MergeData): Promise<boolean> {
  const at = { cwd: root };
  const noted = await git.line(['rev-parse', '--quiet', '--verify', 'AUTO_MERGE'], at);
  const left = noted ?? (await planMerge(git, at, data.ours, data.theirs))?.tree;
  if (left === undefined) return false;
  const ours = [...Object.values(configuration.session), ...data.submodules.map(({ path }) => path)];
  const others = ours.map((path) => `:(exclude,literal)${path}`);
  const args = ['diff', '--quiet', '--no-ext-diff', '--ignore-submodules=all', left, '--', '.', ...others];
  return (await git.run(args, at)).exitCode !== 0;
}

/** Keeps in a ref what a person has done to the files, before the merge is rolled back. */
export async function backUpWork(
  workspace: Workspace,
  { root, gitDir, head }: MergeTarget,
  data: MergeData,
  ref: string,
): Promise<Backup[]> {
  if (!(await hasWork(workspace, root, data))) return [];
  const { git } = workspace;
  const tree = { path: root, gitDir };
  const object = await writeTreeOf(git, tree, { uncommitted: [], overlooked: [], stray: [] });
  const message = `Backup of the files during the merge of ${data.branch}`;
  await keepTree(git, tree, { ref, object, head, message }, undefined);
  return [{ ref, what: mergeMessages.doneDuringMerge(), restore: `git restore --source=${ref} -- <file>` }];
}
