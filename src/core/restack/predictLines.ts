import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Message } from '../messages/message.ts';
import { restackMessages } from '../messages/restack.ts';
import { stepCommit, writeCommit } from '../git/commitObject.ts';
import type { Git } from '../git/git.ts';
import type { StatusEntry } from '../git/status.ts';
import { withIndexCopy } from '../worktree/indexCopy.ts';
import { fingerprintsOf } from '../snapshot/fileFingerprint.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { inTree, type Tree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { PredictionCache } from './predictionCache.ts';

/** A line of work as one commit; its uncommitted changes are in it. */
export interface Line {
  readonly worktree: Worktree;
  readonly tip: string;
  readonly commit: string;
}

/** How the lines of work are read. */
export interface LineOptions {
  readonly cache: PredictionCache;
  readonly signal: AbortSignal | undefined;
  /**
   * What git has just said of working trees, by their paths: where a tree is as it was in an earlier run, that one's commit is taken. A tree
   * with new folders is read anew.
   */
  readonly statuses?: ReadonlyMap<string, readonly StatusEntry[]> | undefined;
  /** The most working trees that are read; the others have no line. All by default. */
  readonly most?: number | undefined;
}

/** The index that the files of a working tree are put together in, in its git directory; the process id comes behind it. */
export const predictIndex = 'wt-predict-index';

/**
 * Reads the worktrees as one commit each.
 *
 * @param left gets those that could not be read, and why.
 */
export async function linesOf(
  workspace: Workspace,
  snapshot: Snapshot,
  left: { worktree: string; why: Message }[],
  options: LineOptions,
): Promise<Line[]> {
  const { git, repository, environment } = workspace;
  const { cache, signal, statuses, most = Infinity } = options;
  const repo = git.in(repository.commonDir);
  // A removal that makes a backup of the same tree at this moment has a copy of the index of its own.
  const index = `${predictIndex}-${environment.pid}`;
  let reads = 0;
  const lines = await Promise.all(
    snapshot.worktrees.map(async (worktree): Promise<Line | undefined> => {
      const { main, head, gitDir, path, condition, changes, branch } = worktree;
      if (main || head === undefined || gitDir === undefined || branch === snapshot.trunk) return undefined;
      if (condition !== 'fine')
        return void left.push({ worktree: worktree.name, why: restackMessages.folderMissing() });
      if (!changes || changes.total === 0) return { worktree, tip: head, commit: head };
      const entries = statuses?.get(path);
      // Before the files are read: what is written meanwhile makes another one.
      const state = entries && (await stateOf(worktree, entries, environment.now()));
      const known = state === undefined ? undefined : cache.commitOf(state);
      if (known !== undefined) return { worktree, tip: head, commit: known };
      if (++reads > most) return undefined;
      const tree = await treeWithChanges(git, { path, gitDir }, index, signal);
      if (tree === undefined) return void left.push({ worktree: worktree.name, why: restackMessages.filesNotRead() });
      const commit = await writeCommit(repo, stepCommit(tree, [head]), signal);
      if (state !== undefined) cache.setCommit(state, commit);
      return { worktree, tip: head, commit };
    }),
  );
  return lines.filter((line) => line !== undefined);
}

/** Identifies the uncommitted changes of a worktree; `undefined` where equal ones could be others. */
async function stateOf(
  { path, head }: Worktree,
  entries: readonly StatusEntry[],
  now: Date,
): Promise<string | undefined> {
  // Of a folder that is new as a whole, and of a submodule, the times say nothing of the files within.
  if (entries.some((entry) => entry.path.endsWith('/') || entry.submodule !== undefined)) return undefined;
  const prints = await fingerprintsOf(
    entries.map((entry) => join(path, entry.path)),
    now,
  );
  if (prints.includes(undefined)) return undefined;
  const words = entries.map((entry, index) => [entry.kind, entry.code, entry.from ?? '', entry.path, prints[index]]);
  return createHash('sha256')
    .update(JSON.stringify([path, head, words]))
    .digest('hex');
}

/** The files of a working tree as a tree object, ignored ones apart. */
async function treeWithChanges(
  git: Git,
  tree: Tree,
  index: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const read = async (variables: Record<string, string>): Promise<string | undefined> => {
    const options = { cwd: tree.path, writes: true, signal, variables };
    const quiet = ['-c', 'core.safecrlf=false', '-c', 'advice.addEmbeddedRepo=false', '-c', 'core.fsmonitor=false'];
    await git.run(inTree(tree, ...quiet, 'add', '--all', '--ignore-errors', '--', '.'), options);
    return git.line(inTree(tree, 'write-tree'), options);
  };
  return withIndexCopy(tree, read, index);
}
