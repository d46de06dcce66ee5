import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTree } from '../git/blobs.ts';
import { checkOutEntries } from '../git/indexEntries.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { removeLeftovers } from './leftovers.ts';
import type { MergeData } from './mergeData.ts';
import { planMerge, trackedChanges } from './planned.ts';
import type { MergeTarget } from './target.ts';

/**
 * Undoes what a git that was killed in the middle of merging has done to the files. It had begun in a clean tree, so what is as the merge
 * would have left it is the merge's: nothing of it is lost. Everything else stays. The index is as it was, or it is the merge's too, where a
 * full disk has kept it from being restored.
 *
 * @returns the files that it had made and that are removed now.
 */
export async function rollBackHalfMerged(
  workspace: Workspace,
  target: Pick<MergeTarget, 'root' | 'head' | 'mergeHead'>,
  data: Pick<MergeData, 'theirs' | 'untracked'>,
): Promise<string[]> {
  const { git } = workspace;
  const { root, head } = target;
  // Of a merge that git knows of, git takes care itself.
  if (head === undefined || target.mergeHead !== undefined) return [];
  const at = { cwd: root };
  await clearIndex(workspace, root, head, data.theirs);
  const changed = (await trackedChanges(git, root)).filter(({ code }) => code === ' M' || code === ' D');
  if (changed.length > 0) {
    const merged = await git.run(['merge-tree', '--write-tree', head, data.theirs], at);
    const trees = [merged.exitCode <= 1 ? merged.stdout.split('\n')[0] : undefined, data.theirs];
    const paths = changed.map(({ path }) => path);
    const expected = await Promise.all(trees.map((tree) => readTree(git, tree, paths, at)));
    const ours: string[] = [];
    for (const { path, code } of changed) {
      const oids = expected.map((blobs) => blobs.get(path)?.oid);
      const isOurs = code === ' D' ? oids.includes(undefined) : await isBegun(workspace, root, path, oids);
      if (isOurs) ours.push(path);
    }
    await checkOutEntries(git, root, ours);
  }
  return removeLeftovers(workspace, target, data);
}

async function clearIndex({ git }: Workspace, root: string, head: string, theirs: string): Promise<void> {
  const at = { cwd: root };
  if ((await git.run(['diff-index', '--cached', '--quiet', head, '--'], at)).exitCode === 0) return;
  const planned = await planMerge(git, at, head, theirs);
  const staged = await git.line(['write-tree'], { ...at, writes: true });
  if (planned && staged === planned.tree) await git.text(['read-tree', head], { ...at, writes: true });
}

/** Whether a file is one of some objects, or the beginning of one: git had not written it to its end. */
export async function isBegun(
  { git }: Workspace,
  root: string,
  path: string,
  oids: readonly (string | undefined)[],
): Promise<boolean> {
  const at = { cwd: root };
  const oid = await git.line(['hash-object', '--', path], at);
  if (oid === undefined) return false;
  if (oids.includes(oid)) return true;
  const bytes = await readFile(join(root, path));
  for (const expected of oids.filter((each) => each !== undefined)) {
    const whole = await git.bytes(['cat-file', 'blob', expected], at);
    if (bytes.length < whole.length && whole.subarray(0, bytes.length).equals(bytes)) return true;
  }
  return false;
}
