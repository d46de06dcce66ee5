import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { trackedChanges } from './planned.ts';
import { isWritten } from '../create/verifyFiles.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * The files of a working tree that are not what a merge has staged: git could not write them, or not delete them, and says so only in
 * passing. To be asked right after git has merged, before anybody has worked there.
 *
 * @param merge.ours the commit that was merged into.
 * @param merge.notes session files with uncommitted notes, which are meant to differ.
 * @returns paths; files in conflict are not among them.
 */
export async function findUnwritten(
  { git }: Workspace,
  root: string,
  merge: { readonly ours: string; readonly notes: readonly string[] },
): Promise<string[]> {
  const deleted = ['diff-index', '--cached', '-z', '--name-only', '--no-renames', '--diff-filter=D', merge.ours];
  const [changed, gone] = await Promise.all([
    trackedChanges(git, root),
    git.nul([...deleted, '--ignore-submodules'], { cwd: root }),
  ]);
  const unwritten: string[] = [];
  for (const { path, code } of changed) {
    if (merge.notes.includes(path) || !/^[ MADRCT][MDT]$/.test(code) || code === 'DD') continue;
    // A file can look changed right after git wrote it, where its line ends are not those that git would commit.
    if (!(await isWritten(git, root, path, undefined))) unwritten.push(path);
  }
  for (const path of gone) {
    const there = await lstat(join(root, path)).catch(() => undefined);
    if (there && !there.isDirectory() && !(await hasTwin(git, root, path))) unwritten.push(path);
  }
  return unwritten;
}

/** Whether the file is another one of the index, which this disk does not tell from it: only the case of its name has changed. */
async function hasTwin(git: Workspace['git'], root: string, path: string): Promise<boolean> {
  return (await git.text([`ls-files`, '-z', '--', `:(icase,literal)${path}`], { cwd: root })) !== '';
}
