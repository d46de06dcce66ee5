import { lstat } from 'node:fs/promises';
import { pathIn } from '../checkout/fileIdentity.ts';
import { gitlink } from '../git/indexEntries.ts';
import { parseTreeDiffs, type RawTreeChange } from '../git/treeDiff.ts';
import type { WorkState } from '../operations/operation.ts';
import { inTree, type Tree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** The indexes that carrying works with, in the git directory of a worktree: nobody else uses them. */
export const workIndex = 'wt-carry-index';
export const nextIndex = 'wt-carry-next';

/** Settings under which git writes nothing but what it is told to. */
export const plain = [
  'core.safecrlf=false',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'submodule.recurse=false',
].flatMap((each) => ['-c', each]);

/** A path byte for byte, as a key. */
export const keyOf = ({ raw }: Pick<RawTreeChange, 'raw'>): string => raw.toString('base64');

/** Paths for `-z --stdin`. */
export const nulTerminated = (raws: readonly Uint8Array[]): Buffer =>
  Buffer.concat(raws.flatMap((raw) => [raw, Buffer.of(0)]));

/** What differs between trees never changes: the last ones that were asked for, by both ids. */
const known = new Map<string, Promise<RawTreeChange[]>>();
const mostKnown = 64;

/** What differs between two trees. */
export async function treeDiff(
  workspace: Workspace,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<RawTreeChange[]> {
  if (from === to) return [];
  const key = `${from} ${to}`;
  const other = known.get(`${to} ${from}`);
  if (other) return (await other).map((each) => ({ ...each, before: each.after, after: each.before }));
  const found = known.get(key) ?? readDiff(workspace, from, to, signal);
  known.delete(key);
  known.set(key, found);
  for (const old of known.keys()) if (known.size > mostKnown) known.delete(old);
  try {
    return await found;
  } catch (thrown) {
    known.delete(key);
    throw thrown;
  }
}

async function readDiff(
  { git, repository }: Workspace,
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<RawTreeChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=none', from, to];
  const output = await git.in(repository.commonDir).bytes(args, { signal });
  // The parser expects the line that git writes before each of several.
  return parseTreeDiffs(Buffer.concat([Buffer.from('-\0'), output]))[0] ?? [];
}

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

/** Lines for `git update-index -z --index-info` that lead to the second side of changes. */
export function indexInfo(changes: readonly RawTreeChange[]): Buffer {
  const line = ({ raw, before, after }: RawTreeChange): Buffer[] => [
    Buffer.from(after ? `${after.mode} ${after.oid}\t` : `0 ${'0'.repeat(before?.oid.length ?? 40)}\t`),
    raw,
    Buffer.of(0),
  ];
  // What goes first makes room: a file may have become a folder.
  const [gone, there] = [changes.filter(({ after }) => !after), changes.filter(({ after }) => after)];
  return Buffer.concat([...gone, ...there].flatMap(line));
}
