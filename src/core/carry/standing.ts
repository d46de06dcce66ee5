import { lstat } from 'node:fs/promises';
import { withIndexCopy } from '../worktree/indexCopy.ts';
import { isWrittenByGit } from '../checkout/writtenByGit.ts';
import { pathIn } from '../base/rawPaths.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import type { WorkState } from '../operations/operation.ts';
import { inTree, type Tree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { keyOf, treeDiff } from '../worktree/rawTrees.ts';
import { changesBetween, diskTree, obstacleAbove, workIndex, type StateChanges } from './trees.ts';

/** How far a worktree is on its way from one state to another. */
export interface Standing {
  readonly changes: StateChanges;
  /** A tree that has the files of the changes as they are on the disk; empty without any. */
  readonly disk: string;
  /** Files that are as in the first state: they are to be written. */
  readonly files: readonly RawTreeChange[];
  /** Files that are in neither state. */
  readonly otherFiles: readonly RawTreeChange[];
  /** Files and links, ignored ones, in place of a folder that is to be made. */
  readonly obstacles: readonly string[];
  readonly index: readonly RawTreeChange[];
  readonly otherIndex: readonly RawTreeChange[];
}

/**
 * Compares a worktree with two states, by the paths in which they differ.
 *
 * @param variables name a copy of the index, which knows the files as they are on the disk afterwards.
 */
export async function standingOf(
  workspace: Workspace,
  tree: Tree,
  from: WorkState,
  to: WorkState,
  variables: Record<string, string>,
  signal?: AbortSignal,
): Promise<Standing> {
  const { git } = workspace;
  const changes = await changesBetween(workspace, from, to, signal);
  const at = { cwd: tree.path, writes: true, signal, variables };
  const index = changes.index.length === 0 ? '' : (await git.text(inTree(tree, 'write-tree'), at)).trim();
  const raws = changes.files.map(({ raw }) => raw);
  const disk = raws.length === 0 ? '' : await diskTree(workspace, tree, raws, variables, signal);
  const [files, staged] = await Promise.all([
    sortOut(workspace, changes.files, disk, from.work, to.work),
    sortOut(workspace, changes.index, index, from.index, to.index),
  ]);
  return {
    changes,
    disk,
    files: files.first,
    otherFiles: files.other,
    obstacles: await obstaclesTo(tree, files.first, changes.files),
    index: staged.first,
    otherIndex: staged.other,
  };
}

/** The same with a copy of the index of its own. */
export function lookAt(
  workspace: Workspace,
  tree: Tree,
  from: WorkState,
  to: WorkState,
  signal?: AbortSignal,
): Promise<Standing> {
  return withIndexCopy(tree, (variables) => standingOf(workspace, tree, from, to, variables, signal), workIndex);
}

/** Everything of a worktree that is in neither of two states, and what is in the way of files that are to be made; for people. */
export function foreignIn({ otherFiles, otherIndex, obstacles }: Standing): string[] {
  return [...new Set([...otherFiles, ...otherIndex].map(({ path }) => path).concat(obstacles))].sort();
}

/** Everything of a worktree that is not in the first of two states, and what is in the way; for people. */
export function changedSince({ changes, files, index, obstacles }: Standing): string[] {
  const [open, staged] = [new Set(files.map(keyOf)), new Set(index.map(keyOf))];
  const other = [
    ...changes.files.filter((each) => !open.has(keyOf(each))),
    ...changes.index.filter((each) => !staged.has(keyOf(each))),
  ];
  return [...new Set(other.map(({ path }) => path).concat(obstacles))].sort();
}

async function sortOut(
  workspace: Workspace,
  changes: readonly RawTreeChange[],
  now: string,
  from: string,
  to: string,
): Promise<{ readonly first: RawTreeChange[]; readonly other: RawTreeChange[] }> {
  if (changes.length === 0) return { first: [], other: [] };
  const keys = async (tree: string): Promise<Set<string>> => new Set((await treeDiff(workspace, now, tree)).map(keyOf));
  const [unlikeFrom, unlikeTo] = await Promise.all([keys(from), keys(to)]);
  const open = changes.filter((each) => unlikeTo.has(keyOf(each)));
  return {
    first: open.filter((each) => !unlikeFrom.has(keyOf(each))),
    other: open.filter((each) => unlikeFrom.has(keyOf(each))),
  };
}

async function obstaclesTo(
  tree: Tree,
  files: readonly RawTreeChange[],
  changes: readonly RawTreeChange[],
): Promise<string[]> {
  const goes = new Set(changes.filter(({ before, after }) => before && !after).map(keyOf));
  const seen = new Map<string, boolean>();
  const found: string[] = [];
  for (const { raw, after } of files) {
    const obstacle = after && (await obstacleAbove(tree.path, raw, seen));
    if (obstacle && !goes.has(obstacle.toString('base64'))) found.push(obstacle.toString('utf8'));
  }
  return [...new Set(found)];
}

/** Whether a file in neither of two states is what a kill leaves while git writes one of them: nothing, or the beginning of a file. */
export async function isHalfWritten(workspace: Workspace, tree: Tree, change: RawTreeChange): Promise<boolean> {
  const path = pathIn(tree.path, change.raw);
  if (await obstacleAbove(tree.path, change.raw)) return false;
  const found = await lstat(path).catch(() => undefined);
  if (!found) return true;
  if (found.isDirectory()) return false;
  const other = { ...change, after: change.before };
  return (await isWrittenByGit(workspace, tree, change, path)) || isWrittenByGit(workspace, tree, other, path);
}
