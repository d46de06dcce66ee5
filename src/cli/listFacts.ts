import { PredictionCache } from '../core/restack/predictionCache.ts';
import { predict, type Prediction } from '../core/restack/predict.ts';
import { predictedByWorktree, stackInShort, stacksToRestack } from '../core/restack/stackFacts.ts';
import { messageOf, stopIfCancelled } from '../core/base/problem.ts';
import type { StatusEntry } from '../core/git/status.ts';
import { distancesAtHand } from '../core/snapshot/distances.ts';
import { byActivity, type StackInShort } from '../core/snapshot/facts.ts';
import { readSnapshot, type SnapshotSources } from '../core/snapshot/snapshot.ts';
import { buildStack } from '../core/stack/model.ts';
import type { StackState } from '../core/stack/readStack.ts';
import { viewStacks, type ShownBranch, type ShownRoot } from '../core/stack/stackView.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import type { Workspace } from '../core/worktree/workspace.ts';

/** What is read and merged for a list at most: who lists does not wait. What earlier runs and the editor have found is there at once. */
const bound = { trees: 4, pairs: 60 };
/** So many worktrees, those with the latest activity, are compared; pairs grow with the square. */
const mostWorktrees = 60;
/** Milliseconds after which nothing more is compared. */
const longest = 1000;

/** A snapshot, and what its worktrees are to one another. */
export interface Listed {
  readonly snapshot: Snapshot;
  /** What there is to say of a worktree's stack and of coming conflicts; `undefined` where there is nothing. */
  stackOf(worktree: Worktree): StackInShort | undefined;
  /** Whether conflicts of that worktree have been looked for. */
  isCompared(worktree: Worktree): boolean;
}

/** Reads the worktrees with all the facts of the tree in the editor. The stacks are read beside the changes. */
export async function readListed(workspace: Workspace, signal: AbortSignal): Promise<Listed> {
  const distances = distancesAtHand();
  const statuses = new Map<string, readonly StatusEntry[]>();
  let sources: SnapshotSources | undefined;
  let stacks: ReturnType<typeof viewStacks> | undefined;
  const cache = PredictionCache.load(workspace.repository);
  const snapshot = await readSnapshot(workspace, {
    signal,
    distances,
    onStatus: (path, entries) => void statuses.set(path, entries),
    onSources: (read) => (sources = read),
    onListed: (listed) => {
      const state = stackState(workspace, listed, sources);
      stacks = state && viewStacks(workspace, state, { signal, cache: distances });
      // It is awaited below; when the list itself fails before, that is what is told.
      stacks?.catch(() => undefined);
    },
  });
  const state = stackState(workspace, snapshot, sources);
  const [roots = [], prediction] = await Promise.all([
    stacks,
    state && predicted(workspace, state, { cache, statuses, signal }),
  ]);
  const conflicts = predictedByWorktree(prediction?.conflicts ?? []);
  const shown = byBranchOf(roots);
  const restacks = stacksToRestack(roots);
  return {
    snapshot,
    stackOf: ({ main, branch, name }) =>
      stackInShort(main || branch === undefined ? undefined : shown.get(branch), conflicts.get(name) ?? [], restacks),
    isCompared: ({ name }) => prediction?.compared.has(name) ?? false,
  };
}

const byBranchOf = (roots: readonly ShownRoot[]): ReadonlyMap<string, ShownBranch> =>
  new Map(roots.flatMap((root) => root.branches.map(({ shown }) => [shown.branch, shown] as const)));

/** The branches and their bases; `undefined` without the registry, which is told as a problem of the snapshot. */
function stackState(
  { configuration }: Workspace,
  snapshot: Snapshot,
  sources: SnapshotSources | undefined,
): StackState | undefined {
  if (!sources?.registry) return undefined;
  const { branches, registry } = sources;
  return { stack: buildStack(snapshot, branches, registry.worktrees, configuration.stack.remote), snapshot, branches };
}

/** The conflicts that are known or soon found. That none can be looked for, as in a repository that may not be written, is no failure. */
async function predicted(
  workspace: Workspace,
  state: StackState,
  options: {
    readonly cache: Promise<PredictionCache>;
    readonly statuses: ReadonlyMap<string, readonly StatusEntry[]>;
    readonly signal: AbortSignal;
  },
): Promise<Prediction | undefined> {
  const { statuses, signal } = options;
  const { snapshot } = state;
  const worktrees = byActivity(snapshot.worktrees.filter(({ main }) => !main)).slice(0, mostWorktrees);
  const cache = await options.cache;
  try {
    const some = { ...state, snapshot: { ...snapshot, worktrees } };
    const soon = AbortSignal.any([signal, AbortSignal.timeout(longest)]);
    return await predict(workspace, some, { cache, statuses, bound, signal: soon });
  } catch (thrown) {
    stopIfCancelled(signal);
    workspace.environment.log.warn(`Coming conflicts could not be looked for: ${messageOf(thrown)}`);
    cache.forgetCommits();
    return undefined;
  } finally {
    await cache.keep(workspace.repository).catch(() => undefined);
  }
}
