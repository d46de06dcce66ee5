import type { Message } from '../messages/message.ts';
import type { Git } from '../git/git.ts';
import { stepCommit, writeCommit } from '../git/commitObject.ts';
import { mergePairs } from '../git/mergePairs.ts';
import { mergeByLines } from '../repository/notesDriver.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { withIndexCopy } from '../remove/backupTree.ts';
import { inTree, type Tree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { Distances } from '../snapshot/distances.ts';
import { PredictionCache } from './predictionCache.ts';
import { withoutNotes } from './predictNotes.ts';
import type { StackState } from '../stack/readStack.ts';
import { tipsOf } from '../snapshot/trunk.ts';
import { restackMessages } from '../messages/restack.ts';

/** A conflict that two lines of work would have if they were merged now, uncommitted changes included. */
export interface PredictedConflict {
  readonly worktree: string;
  /** The other worktree's name, or the base. */
  readonly with: string;
  readonly kind: 'base' | 'sibling';
  readonly files: readonly string[];
}

/** The conflicts found, and what was compared. */
export interface Prediction {
  readonly conflicts: readonly PredictedConflict[];
  /** How many pairs were compared, and how many of them had been before. */
  readonly pairs: number;
  readonly known: number;
  /** Worktrees that could not be compared, and why. */
  readonly left: readonly { readonly worktree: string; readonly why: Message }[];
}

/** A line of work as one commit; its uncommitted changes are in it. */
interface Line {
  readonly worktree: Worktree;
  readonly tip: string;
  readonly commit: string;
}

interface Pair {
  readonly conflict: Omit<PredictedConflict, 'files'>;
  readonly one: string;
  readonly other: string;
}

/** The index that the files of a working tree are put together in, in its git directory; the process id comes behind it. */
export const predictIndex = 'wt-predict-index';

/** The most pairs that one git process compares. */
const together = 500;

/**
 * Finds the worktrees that would conflict with their base or with one another, and the files. Merges in memory only: no branch, no
 * index and no working tree is touched. A worktree is not compared with the worktrees below and above it: the comparison with the base covers them.
 *
 * @param state with the changes of its worktrees read.
 */
export async function predict(
  workspace: Workspace,
  state: StackState,
  options: { readonly cache?: PredictionCache | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Prediction> {
  const { git, repository } = workspace;
  const { cache = new PredictionCache(), signal } = options;
  const left: { worktree: string; why: Message }[] = [];
  const lines = await linesOf(workspace, state.snapshot, left, signal);
  const pairs = [...basePairs(workspace, state, lines), ...(await siblingPairs(workspace, lines, signal))];
  const open = pairs.filter(({ one, other }) => cache.get(one, other) === undefined);
  const batches: Promise<void>[] = [];
  for (let start = 0; start < open.length; start += together) {
    const some = open.slice(start, start + together);
    batches.push(
      mergePairs(git.in(repository.commonDir), some, { settings: mergeByLines, signal }).then(async (all) => {
        const kinds = some.map(({ conflict }) => conflict.kind);
        const left = await withoutNotes(workspace, all, kinds, signal);
        for (const [index, { one, other }] of some.entries()) {
          const files = left[index];
          if (files !== undefined) cache.set(one, other, files);
        }
      }),
    );
  }
  await Promise.all(batches);
  const conflicts = pairs.flatMap(({ conflict, one, other }) => {
    const files = cache.get(one, other) ?? [];
    return files.length === 0 ? [] : [{ ...conflict, files }];
  });
  return { conflicts: reportedOnce(conflicts, lines), pairs: pairs.length, known: pairs.length - open.length, left };
}

/** Where the base of a worktree is checked out in another one, that one adds only what its uncommitted changes do. */
function reportedOnce(conflicts: readonly PredictedConflict[], lines: readonly Line[]): PredictedConflict[] {
  const branches = new Map(lines.map(({ worktree }) => [worktree.name, worktree.branch]));
  const withBase = new Map(conflicts.filter(({ kind }) => kind === 'base').map((each) => [each.worktree, each]));
  const told = (one: string, other: string): readonly string[] => {
    const base = withBase.get(one);
    return base !== undefined && base.with === branches.get(other) ? base.files : [];
  };
  return conflicts.flatMap((conflict) => {
    if (conflict.kind === 'base') return [conflict];
    const { worktree, with: other } = conflict;
    const known = new Set([...told(worktree, other), ...told(other, worktree)]);
    const files = conflict.files.filter((file) => !known.has(file));
    return files.length === 0 ? [] : [{ ...conflict, files }];
  });
}

async function linesOf(
  workspace: Workspace,
  snapshot: Snapshot,
  left: { worktree: string; why: Message }[],
  signal: AbortSignal | undefined,
): Promise<Line[]> {
  const { git, repository, environment } = workspace;
  const repo = git.in(repository.commonDir);
  // A removal that makes a backup of the same tree at this moment has a copy of the index of its own.
  const index = `${predictIndex}-${environment.pid}`;
  const lines = await Promise.all(
    snapshot.worktrees.map(async (worktree): Promise<Line | undefined> => {
      const { main, head, gitDir, path, condition, changes, branch } = worktree;
      if (main || head === undefined || gitDir === undefined || branch === snapshot.trunk) return undefined;
      if (condition !== 'fine')
        return void left.push({ worktree: worktree.name, why: restackMessages.folderMissing() });
      if (!changes || changes.total === 0) return { worktree, tip: head, commit: head };
      const tree = await treeWithChanges(git, { path, gitDir }, index, signal);
      if (tree === undefined) return void left.push({ worktree: worktree.name, why: restackMessages.filesNotRead() });
      return { worktree, tip: head, commit: await writeCommit(repo, stepCommit(tree, [head]), signal) };
    }),
  );
  return lines.filter((line) => line !== undefined);
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

function basePairs({ configuration }: Workspace, { stack, branches }: StackState, lines: readonly Line[]): Pair[] {
  const { remote } = configuration.stack;
  return lines.flatMap(({ worktree, commit }): Pair[] => {
    const branch = worktree.branch === undefined ? undefined : stack.branches.get(worktree.branch);
    const base = branch?.base;
    const tips = base === undefined ? undefined : tipsOf(branches, base, remote);
    const other = base === stack.trunk ? (tips?.remote ?? tips?.local) : (tips?.local ?? tips?.remote);
    if (base === undefined || other === undefined) return [];
    return [{ conflict: { worktree: worktree.name, with: base, kind: 'base' }, one: other, other: commit }];
  });
}

/** Every two lines of work of which neither is based on the other. */
async function siblingPairs(
  { git, repository }: Workspace,
  lines: readonly Line[],
  signal: AbortSignal | undefined,
): Promise<Pair[]> {
  const all = lines.flatMap((line, index) => lines.slice(index + 1).map((other) => ({ line, other })));
  const asked = all.map(({ line, other }) => ({ one: line.tip, other: other.tip }));
  const distances = await Distances.read(git, repository.commonDir, asked, { signal });
  return all.flatMap(({ line, other }, index): Pair[] => {
    const pair = asked[index];
    const distance = pair && distances.of(pair);
    const inLine = distance !== undefined && (distance.ahead === 0 || distance.behind === 0);
    // Two at the same commit, or one based on the other, differ only by uncommitted changes.
    if (inLine && line.commit === line.tip && other.commit === other.tip) return [];
    const [one, two] = line.commit < other.commit ? [line, other] : [other, line];
    const conflict = { worktree: line.worktree.name, with: other.worktree.name, kind: 'sibling' } as const;
    return [{ conflict, one: one.commit, other: two.commit }];
  });
}
