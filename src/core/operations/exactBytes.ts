import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdtemp, open, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { rename, rm } from '../base/heldFiles.ts';
import { makeFolders } from '../base/sharing.ts';
import { Problem } from '../base/problem.ts';
import { pathIn } from '../base/rawPaths.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import { withIndexCopy } from '../worktree/indexCopy.ts';
import { indexInfo, keyOf, nulTerminated, plain } from '../worktree/rawTrees.ts';
import { inTree, type Tree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { WorkState } from './operation.ts';
import { bytesFolder } from './staleFiles.ts';

/** Attributes under which git changes the bytes of a file as it writes it. */
const attributes = ['text', 'eol', 'crlf', 'filter', 'ident', 'working-tree-encoding'];
/** The index that files are written from once more, in the git directory of a worktree. */
export const bytesIndex = 'wt-bytes-index';
/** Larger files, in bytes, are left to the filter that is there for them. */
const largest = 64 * 1024 * 1024;

/**
 * Finds the files that git would not write as they are: with line endings of their own kind, or whose filter does not give back what it was
 * given. Their bytes are kept as blobs, which nothing holds yet.
 *
 * @param changes the files; what counts is their first side, which is on the disk.
 */
export async function keepBytes(
  workspace: Workspace,
  tree: Tree,
  changes: readonly RawTreeChange[],
  signal?: AbortSignal,
): Promise<WorkState['bytes']> {
  const files = changes.filter(({ before }) => before?.mode.startsWith('100'));
  const converted = await changedByGit(workspace, tree, files, attributes, signal);
  if (converted.length === 0) return [];
  const entries = converted.map((each): RawTreeChange => ({ ...each, after: each.before }));
  return withWritten(workspace, tree, entries, signal, async (folder, write) => {
    await write().catch((thrown: unknown) => {
      // A filter that cannot write a file any more is one reason more to keep its bytes.
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    });
    const kept: [string, string][] = [];
    for (const each of converted) {
      const path = pathIn(tree.path, each.raw);
      const size = (await lstat(path).catch(() => undefined))?.size ?? largest;
      if (size >= largest || (await hashOf(path)) === (await hashOf(pathIn(folder, each.raw)))) continue;
      const input = await readFile(path);
      const args = inTree(tree, 'hash-object', '-w', '--stdin');
      kept.push([
        keyOf(each),
        (await workspace.git.text(args, { cwd: tree.path, writes: true, input, signal })).trim(),
      ]);
    }
    return kept;
  });
}

/**
 * Tries to write the files that a filter changes, elsewhere: one that fails has made nothing of a worktree then, nor would it keep that from
 * being rolled back.
 *
 * @param changes what counts is their second side.
 * @throws Problem `git-failed` with the words of the filter.
 */
export async function tryFilters(workspace: Workspace, tree: Tree, changes: readonly RawTreeChange[]): Promise<void> {
  const files = changes.filter(({ after }) => after?.mode.startsWith('100'));
  const filtered = await changedByGit(workspace, tree, files, ['filter']);
  if (filtered.length > 0) await withWritten(workspace, tree, filtered, undefined, (_, write) => write());
}

/** Lets a task write the second sides of changes as a checkout would, below a folder that is deleted afterwards. */
async function withWritten<T>(
  workspace: Workspace,
  tree: Tree,
  changes: readonly RawTreeChange[],
  signal: AbortSignal | undefined,
  task: (folder: string, write: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const parent = join(workspace.repository.commonDir, 'worktree-stacks');
  await makeFolders(parent);
  const folder = await mkdtemp(join(parent, bytesFolder));
  try {
    return await task(folder, () => writeAsGit(workspace, tree, changes, folder, signal));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes files once more as they were to the byte, where git has written what stands for them. */
export async function restoreBytes(
  { git }: Workspace,
  side: Tree,
  bytes: WorkState['bytes'],
  changes: readonly RawTreeChange[],
): Promise<void> {
  if (bytes.length === 0) return;
  const written = new Map(changes.map((each) => [keyOf(each), each]));
  for (const [name, blob] of bytes) {
    const change = written.get(name);
    if (!change?.after) continue;
    const path = pathIn(side.path, change.raw);
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isFile()) continue;
    const at = { cwd: side.path };
    // Only what git has written: somebody may have changed it since.
    if ((await git.line(inTree(side, 'hash-object', '--', change.path), at)) !== change.after.oid) continue;
    const content = await git.bytes(inTree(side, 'cat-file', 'blob', blob), at);
    const copy = join(side.gitDir, `wt-bytes-${basename(blob)}`);
    await writeFile(copy, content);
    await chmod(copy, found.mode);
    await sync(copy);
    await rename(copy, path).catch(() => writeFile(path, content));
    await rm(copy, { force: true });
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Of some files those to which one of some attributes applies. */
async function changedByGit(
  { git }: Workspace,
  tree: Tree,
  files: readonly RawTreeChange[],
  names: readonly string[],
  signal?: AbortSignal,
): Promise<readonly RawTreeChange[]> {
  if (files.length === 0) return [];
  const at = { cwd: tree.path, signal };
  if (names.includes('text')) {
    const setting = await git.line(inTree(tree, 'config', '--get', 'core.autocrlf'), at);
    if (setting !== undefined && !['false', 'no', 'off', '0'].includes(setting.toLowerCase())) return files;
  }
  const input = nulTerminated(files.map(({ raw }) => raw));
  const args = inTree(tree, 'check-attr', '-z', '--stdin', ...names);
  const fields = fieldsOf(await git.text(args, { ...at, input }));
  const found = new Set<string>();
  for (let index = 0; index + 2 < fields.length; index += 3)
    if (!['unspecified', 'unset'].includes(fields[index + 2] ?? '')) found.add(fields[index] ?? '');
  return files.filter(({ path }) => found.has(path));
}

/** A tree that holds kept bytes: as long as a ref names it git deletes none of them. */
export async function treeOfBytes(
  { git, repository }: Workspace,
  bytes: WorkState['bytes'],
  signal?: AbortSignal,
): Promise<string> {
  const input = bytes.map(([, blob], at) => `100644 blob ${blob}\t${at}\n`).join('');
  return (await git.in(repository.commonDir).text(['mktree'], { writes: true, input, signal })).trim();
}

async function writeAsGit(
  { git }: Workspace,
  tree: Tree,
  files: readonly RawTreeChange[],
  folder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await withIndexCopy(
    tree,
    async (variables) => {
      const at = { cwd: tree.path, writes: true, variables, signal };
      const fill = inTree(tree, ...plain, 'update-index', '--replace', '-z', '--index-info');
      await git.text(fill, { ...at, input: indexInfo(files) });
      const write = inTree(tree, ...plain, 'checkout-index', '--force', `--prefix=${folder}/`, '-z', '--stdin');
      await git.text(write, { ...at, input: nulTerminated(files.map(({ raw }) => raw)) });
    },
    bytesIndex,
  );
}

async function hashOf(path: Buffer): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}
