import { lstat } from 'node:fs/promises';
import { pathIn } from '../base/rawPaths.ts';
import { gitlink } from '../git/indexEntries.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import type { WorkState } from '../operations/operation.ts';
import { nulTerminated, plain, treeDiff } from '../worktree/rawTrees.ts';
import { inTree, type Tree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** The indexes that carrying works with, in the git directory of a worktree: nobody else uses them. */
export const workIndex = 'wt-carry-index';
export const nextIndex = 'wt-carry-next';

/** What leads a worktree from one state to another. */
export interface StateChanges {
  /** Files and links. */
  readonly files: readonly RawTreeChange[];
  /** Submodules: their folders stay as they are. */
  readonly links: readonly RawTreeChange[];
  /** What is staged. */
  readonly index: readonly RawTreeChange[];
}

/** Works out {@link StateChanges}. */
export async function changesBetween(
  workspace: Workspace,
  from: WorkState,
  to: WorkState,
  signal?: AbortSignal,
): Promise<StateChanges> {
  const [work, index] = await Promise.all([
    treeDiff(workspace, from.work, to.work, signal),
    treeDiff(workspace, from.index, to.index, signal),
  ]);
  const isLink = ({ before, after }: RawTreeChange): boolean => before?.mode === gitlink || after?.mode === gitlink;
  return { files: work.filter((each) => !isLink(each)), links: work.filter(isLink), index };
}

/**
 * The tree of an index after some of its paths were read from the disk: what they are there, through git's own filters, ignored or not.
 *
 * @param variables name the index, a copy; it knows the times of the files then.
 */
export async function diskTree(
  { git }: Workspace,
  tree: Tree,
  raws: readonly Buffer[],
  variables: Record<string, string>,
  signal?: AbortSignal,
): Promise<string> {
  const at = { cwd: tree.path, writes: true, signal, variables };
  const seen = new Map<string, boolean>();
  const there: Buffer[] = [];
  const gone: Buffer[] = [];
  for (const raw of raws) ((await isFile(tree.path, raw, seen)) ? there : gone).push(raw);
  const update = async (paths: readonly Buffer[], ...options: string[]): Promise<void> => {
    if (paths.length === 0) return;
    const args = inTree(tree, ...plain, 'update-index', ...options, '-z', '--stdin');
    await git.text(args, { ...at, input: nulTerminated(paths) });
  };
  await update(gone, '--force-remove');
  await update(there, '--add', '--replace');
  return (await git.text(inTree(tree, 'write-tree'), at)).trim();
}

/** Whether a path is a file or a link, and every folder above it a folder: git looks through no link. */
async function isFile(root: string, raw: Buffer, seen: Map<string, boolean>): Promise<boolean> {
  if ((await obstacleAbove(root, raw, seen)) !== undefined) return false;
  const found = await lstat(pathIn(root, raw)).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

/** The first part of a path, relative to the root, where a file or a link is in place of a folder. */
export async function obstacleAbove(
  root: string,
  raw: Buffer,
  seen = new Map<string, boolean>(),
): Promise<Buffer | undefined> {
  for (let end = raw.indexOf('/'); end >= 0; end = raw.indexOf('/', end + 1)) {
    const part = raw.subarray(0, end);
    const key = part.toString('base64');
    let blocks = seen.get(key);
    if (blocks === undefined) {
      const found = await lstat(pathIn(root, part)).catch(() => undefined);
      blocks = found !== undefined && !found.isDirectory();
      seen.set(key, blocks);
    }
    if (blocks) return part;
  }
  return undefined;
}
