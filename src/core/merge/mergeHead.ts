import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { mergeHeadIn } from './commits.ts';
import { unmergedEntries } from '../git/indexEntries.ts';
import type { MergeData } from './mergeData.ts';
import type { MergeTarget } from './target.ts';

/**
 * Gives a git directory back what says that a merge is under way, where a hook has emptied or removed it. What is there stays.
 *
 * @param theirs the commit that is merged.
 */
export async function writeMergeHead(gitDir: string, theirs: string, message: string): Promise<void> {
  if ((await mergeHeadIn(gitDir)) === theirs) return;
  const ifMissing = (name: string, text: string): Promise<void> =>
    writeFile(join(gitDir, name), text, { flag: 'wx' }).catch(() => undefined);
  await Promise.all([ifMissing('MERGE_MODE', 'no-ff'), ifMissing('MERGE_MSG', `${message}\n`)]);
  await writeFile(join(gitDir, 'MERGE_HEAD'), `${theirs}\n`);
}

/**
 * The target with the merge under way that is on data, where only git's own note of it (`MERGE_HEAD`) is lost: a hook, or a tool, has
 * emptied or removed it. That the merge is still there is proved by the commit that it began at, and by what git leaves beside that
 * note or by what is staged; whoever rolls a merge back with git leaves neither.
 */
export async function restoreMergeHead(
  { git }: Workspace,
  target: MergeTarget,
  data: MergeData | undefined,
): Promise<MergeTarget> {
  const { gitDir, head, mergeHead, operation, root } = target;
  if (!data || data.commit !== undefined || mergeHead !== undefined || head !== data.ours) return target;
  if (operation !== undefined && operation !== 'merge') return target;
  // Git writes this one last, when files and index are as the merge has them.
  if (!(await isThere(join(gitDir, 'MERGE_MODE'))) && !(await isStaged(git, root, data))) return target;
  await writeMergeHead(gitDir, data.theirs, data.message);
  return { ...target, operation: 'merge', mergeHead: data.theirs };
}

/** Whether the index holds conflicts that git has left, or exactly what was about to be committed. */
async function isStaged(git: Workspace['git'], root: string, data: MergeData): Promise<boolean> {
  if ((await unmergedEntries(git, root)).size > 0)
    return (await git.line(['rev-parse', '--quiet', '--verify', 'AUTO_MERGE'], { cwd: root })) !== undefined;
  if (data.tree === undefined) return false;
  return (await git.line(['write-tree'], { cwd: root, writes: true })) === data.tree;
}
