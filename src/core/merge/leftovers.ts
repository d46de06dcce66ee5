import { dirname, join } from 'node:path';
import { rm, rmdir } from '../base/heldFiles.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { MergeData } from './mergeData.ts';
import type { MergeTarget } from './target.ts';
import { parseTreeChanges } from '../git/treeDiff.ts';

/** The files that git does not know and that no rule ignores. */
export async function untrackedIn({ git }: Workspace, root: string): Promise<string[]> {
  return git.nul(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: root });
}

/**
 * After a merge was rolled back: removes the files that it had made and that git has left. Those are the ones that the other side
 * has and ours has not, that were not there before, and that are byte for byte the other side's. Nothing else is touched.
 *
 * @returns what was removed.
 */
export async function removeLeftovers(
  workspace: Workspace,
  { root, head }: Pick<MergeTarget, 'root' | 'head'>,
  { theirs, untracked }: Pick<MergeData, 'theirs' | 'untracked'>,
): Promise<string[]> {
  const { git } = workspace;
  const before = new Set(untracked);
  const suspects = (await untrackedIn(workspace, root)).filter((path) => !before.has(path));
  if (suspects.length === 0 || head === undefined) return [];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--diff-filter=A', head, theirs];
  const changes = parseTreeChanges(await git.text(args, { cwd: root }));
  const added = new Map(
    changes.flatMap(({ path, after }) => (after?.mode.startsWith('100') ? [[path, after.oid] as const] : [])),
  );
  const removed: string[] = [];
  for (const path of suspects.filter((each) => added.has(each))) {
    if ((await git.line(['hash-object', '--', path], { cwd: root })) !== added.get(path)) continue;
    await rm(join(root, path), { force: true });
    await removeEmptyFolders(root, dirname(path));
    removed.push(path);
  }
  return removed;
}

/**
 * Removes the folders that hold nothing any more: they were made for a file.
 *
 * @param folder relative to the root.
 */
export async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  const names = folder.split('/').filter((name) => name !== '' && name !== '.');
  for (; names.length > 0; names.pop()) {
    try {
      await rmdir(join(root, ...names));
    } catch {
      return;
    }
  }
}
