import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { rm, rmdir } from '../base/heldFiles.ts';
import { isThere } from '../base/isThere.ts';
import { pathIn } from '../base/rawPaths.ts';
import { carryMessages } from '../messages/carry.ts';
import { checkoutMessages } from '../messages/checkout.ts';
import type { CarrySide, WorkState } from '../operations/operation.ts';
import { withIndexCopy } from '../worktree/indexCopy.ts';
import { inTree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import { bytesIndex, restoreBytes } from '../operations/exactBytes.ts';
import { stageNames, withChanges } from './readWork.ts';
import { foreignIn, isHalfWritten, lookAt, standingOf } from './standing.ts';
import { indexInfo, keyOf, plain, treeDiff } from '../worktree/rawTrees.ts';
import { nextIndex, workIndex } from './trees.ts';

/**
 * Leads a worktree from one state of its uncommitted work to another: its files, and then its index, which git writes at once. Only paths
 * in which the two differ are touched. Where it is there already nothing happens, so that it can be run again after a process died in it.
 *
 * @param how.lenient what is in neither state stays as it is, and what git has half written is written anew: for recovery.
 * @param how.begins called before anything is touched.
 * @returns the files that stay as they are.
 * @throws Problem `dirty` when something is in neither state, unless that is allowed; `git-failed`, `not-writable`.
 */
export async function leadTo(
  workspace: Workspace,
  side: CarrySide,
  from: WorkState,
  to: WorkState,
  how: { readonly lenient?: boolean; readonly begins?: () => Promise<void> } = {},
): Promise<string[]> {
  const { standing, left } = await withIndexCopy(
    side,
    async (variables) => {
      const standing = await standingOf(workspace, side, from, to, variables);
      const foreign = how.lenient ? [] : foreignIn(standing);
      if (foreign.length > 0) throw changedMeanwhile(side, foreign);
      await how.begins?.();
      const isBlocked = ({ path }: RawTreeChange): boolean =>
        standing.obstacles.some((each) => path.startsWith(`${each}/`));
      const files = standing.files.filter((each) => !isBlocked(each));
      const others: RawTreeChange[] = [];
      for (const each of standing.otherFiles)
        ((await isHalfWritten(workspace, side, each)) ? files : others).push(each);
      await writeFiles(workspace, side, standing.disk, files, variables);
      return { standing, left: [...others, ...standing.otherIndex, ...standing.files.filter(isBlocked)] };
    },
    workIndex,
  );
  const { changes, index } = standing;
  await makeFolders(side, changes.links);
  await writeIndex(workspace, side, index, from, to);
  await restoreBytes(workspace, side, to.bytes, changes.files);
  await workspace.git.run(inTree(side, ...plain, 'update-index', '-q', '--refresh'), {
    cwd: side.path,
    writes: true,
    keepsSparse: true,
  });
  if (!how.lenient) await checkThere(workspace, side, from, to);
  return [...new Set(left.map(({ path }) => path))];
}

/** The problem of a worktree that has changed since it was looked at. */
export function changedMeanwhile({ name }: Pick<CarrySide, 'name'>, items: readonly string[]): Problem {
  return new Problem('dirty', carryMessages.changedMeanwhile({ name }), {
    next: checkoutMessages.again(),
    items: items.slice(0, 20),
    outcome: 'incomplete',
  });
}

/** Git writes all files or none: the tree of the disk becomes one with the other entries in it. */
async function writeFiles(
  workspace: Workspace,
  side: CarrySide,
  disk: string,
  files: readonly RawTreeChange[],
  variables: Record<string, string>,
): Promise<void> {
  if (files.length === 0) return;
  const wanted = await withChanges(workspace, side, disk, indexInfo(files));
  const args = inTree(side, ...plain, '-c', 'core.sparseCheckout=false', 'read-tree', '-m', '-u', disk, wanted);
  await workspace.git.text(args, { cwd: side.path, writes: true, variables });
}

/** Git makes the folder of a submodule that it does not fill; one that is empty goes with it. */
async function makeFolders(side: CarrySide, links: readonly RawTreeChange[]): Promise<void> {
  for (const { raw, before, after } of links) {
    const folder = pathIn(side.path, raw);
    const found = await lstat(folder).catch(() => undefined);
    if (after && !before && !found) await mkdir(folder, { recursive: true });
    if (before && !after && found?.isDirectory()) await rmdir(folder).catch(() => undefined);
  }
}

async function writeIndex(
  workspace: Workspace,
  side: CarrySide,
  index: readonly RawTreeChange[],
  from: WorkState,
  to: WorkState,
): Promise<void> {
  const [before, after] = [new Set(from.intent), new Set(to.intent)];
  const staged = await namesIn(workspace, side, [...before, ...after]);
  const changed = new Set(index.map(keyOf));
  const dropped = from.intent
    .filter((name) => !after.has(name) && !staged.has(name) && !changed.has(name))
    .map((name): RawTreeChange => ({ ...named(name), before: { mode: '100644', oid: to.index }, after: undefined }));
  const input = indexInfo([...dropped, ...index]);
  if (input.length > 0) {
    const args = inTree(side, ...plain, 'update-index', '--replace', '-z', '--index-info');
    await workspace.git.text(args, { cwd: side.path, writes: true, keepsSparse: true, input });
  }
  const names: Buffer[] = [];
  for (const name of to.intent) {
    const raw = Buffer.from(name, 'base64');
    if ((before.has(name) && !changed.has(name)) || staged.has(name)) continue;
    if (await lstat(pathIn(side.path, raw)).catch(() => undefined)) names.push(raw);
  }
  await stageNames(workspace, side, names);
}

/** Of some paths those whose content is staged. */
async function namesIn(workspace: Workspace, side: CarrySide, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const { git } = workspace;
  const at = { cwd: side.path, writes: true };
  const empty = (await git.text(inTree(side, 'mktree'), { ...at, input: '' })).trim();
  const tree = await withIndexCopy(
    side,
    async (variables) => (await git.text(inTree(side, 'write-tree'), { ...at, variables })).trim(),
    workIndex,
  );
  const there = new Set((await treeDiff(workspace, empty, tree)).map(keyOf));
  return new Set(names.filter((name) => there.has(name)));
}

const named = (name: string): Pick<RawTreeChange, 'path' | 'raw'> => {
  const raw = Buffer.from(name, 'base64');
  return { raw, path: raw.toString('utf8') };
};

/** Git ends well also when it could not write a file. */
async function checkThere(workspace: Workspace, side: CarrySide, from: WorkState, to: WorkState): Promise<void> {
  const { files, otherFiles, index, otherIndex } = await lookAt(workspace, side, from, to);
  const missing = [...files, ...otherFiles, ...index, ...otherIndex].map(({ path }) => path);
  if (missing.length === 0) return;
  throw new Problem('not-writable', carryMessages.notWritten({ name: side.name }), {
    file: side.path,
    next: checkoutMessages.seeSpaceDisk(),
    items: [...new Set(missing)].slice(0, 20),
    outcome: 'incomplete',
  });
}

/** Deletes what a killed process has left in git's directory of a worktree. */
export async function dropIndexes({ gitDir }: Pick<CarrySide, 'gitDir'>): Promise<void> {
  for (const name of [workIndex, nextIndex, bytesIndex])
    for (const file of [name, `${name}.lock`]) await rm(join(gitDir, file), { force: true });
}

/** Whether a worktree is still there. */
export const isStillThere = async ({ path, gitDir }: CarrySide): Promise<boolean> =>
  (await isThere(join(path, '.git'))) && (await isThere(gitDir));
