import { keepTree, writeTreeOf } from '../remove/backupTree.ts';
import type { Backup } from '../operations/backups.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { MergeRecord } from './mergeRecord.ts';
import { planMerge } from './planned.ts';
import type { MergeTarget } from './target.ts';

/**
 * Keeps in a ref what a person has done to the files since git merged them, before that merge is rolled back. Git itself tells
 * what it has left (`AUTO_MERGE`); where a hook has removed that, git makes it again.
 */
export async function keepWork(
  { git, configuration }: Workspace,
  { root, gitDir, head }: MergeTarget,
  record: MergeRecord,
  ref: string,
): Promise<Backup[]> {
  const at = { cwd: root };
  const noted = await git.line(['rev-parse', '--quiet', '--verify', 'AUTO_MERGE'], at);
  const left = noted ?? (await planMerge(git, at, record.ours, record.theirs))?.tree;
  if (left === undefined) return [];
  const ours = [...Object.values(configuration.session), ...record.submodules.map(({ path }) => path)];
  const others = ours.map((path) => `:(exclude,literal)${path}`);
  const args = ['diff', '--quiet', '--no-ext-diff', '--ignore-submodules=all', left, '--', '.', ...others];
  if ((await git.run(args, at)).exitCode === 0) return [];
  const tree = { path: root, gitDir };
  const object = await writeTreeOf(git, tree, { uncommitted: [], overlooked: [], stray: [] });
  const message = `Backup of the files during the merge of ${record.branch}`;
  await keepTree(git, tree, { ref, object, head, message }, undefined);
  return [{ ref, what: 'what was done during the merge', restore: `git restore --source=${ref} -- <file>` }];
}
