import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseShortStatus } from '../git/status.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { removeDebris } from './leftovers.ts';
import type { MergeRecord } from './mergeRecord.ts';
import { planMerge } from './planned.ts';
import type { MergeTarget } from './target.ts';

/**
 * Undoes what a git that was killed in the middle of merging has done to the files. It had begun in a clean tree, so what is as the merge
 * would have left it is the merge's: nothing of it is lost. Everything else stays. The index is as it was, or it is the merge's too, where a
 * full disk has kept it from being put back.
 *
 * @returns the files that it had made and that are removed now.
 */
export async function clearHalfMerged(
  workspace: Workspace,
  target: Pick<MergeTarget, 'root' | 'head' | 'mergeHead'>,
  record: Pick<MergeRecord, 'theirs' | 'untracked'>,
): Promise<string[]> {
  const { git } = workspace;
  const { root, head } = target;
  // Of a merge that git knows of, git takes care itself.
  if (head === undefined || target.mergeHead !== undefined) return [];
  const at = { cwd: root };
  await clearIndex(workspace, root, head, record.theirs);
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all'];
  const changed = parseShortStatus(await git.text(args, at)).filter(({ code }) => code === ' M' || code === ' D');
  if (changed.length > 0) {
    const merged = await git.run(['merge-tree', '--write-tree', head, record.theirs], at);
    const trees = [merged.exitCode <= 1 ? merged.stdout.split('\n')[0] : undefined, record.theirs];
    const paths = changed.map(({ path }) => path);
    const expected = await Promise.all(trees.map((tree) => blobsOf(workspace, root, tree, paths)));
    const ours: string[] = [];
    for (const { path, code } of changed) {
      const oids = expected.map((blobs) => blobs.get(path));
      const isOurs = code === ' D' ? oids.includes(undefined) : await isBegun(workspace, root, path, oids);
      if (isOurs) ours.push(path);
    }
    if (ours.length > 0) {
      const input = ours.map((path) => `${path}\0`).join('');
      await git.text(['checkout-index', '--force', '--index', '-z', '--stdin'], { ...at, input, writes: true });
    }
  }
  return removeDebris(workspace, target, record);
}

async function clearIndex({ git }: Workspace, root: string, head: string, theirs: string): Promise<void> {
  const at = { cwd: root };
  if ((await git.run(['diff-index', '--cached', '--quiet', head, '--'], at)).exitCode === 0) return;
  const planned = await planMerge(git, at, head, theirs);
  const staged = await git.line(['write-tree'], { ...at, writes: true });
  if (planned && staged === planned.tree) await git.text(['read-tree', head], { ...at, writes: true });
}

async function blobsOf(
  { git }: Workspace,
  cwd: string,
  tree: string | undefined,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (tree === undefined) return new Map();
  const records = await git.nul(['--literal-pathspecs', 'ls-tree', '-z', tree, '--', ...paths], { cwd });
  return new Map(
    records.flatMap((record) => {
      const [, oid, path] = /^\d+ blob ([0-9a-f]+)\t([^]*)$/.exec(record) ?? [];
      return oid === undefined || path === undefined ? [] : [[path, oid] as const];
    }),
  );
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
