import type { StackInShort } from '../../core/snapshot/facts.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { PredictedConflict } from '../../core/restack/predict.ts';
import type { ShownBranch } from '../../core/stack/stackView.ts';
import type { RepositoryState, StackFacts } from './repositoryState.ts';

/** The stacked branch that a worktree has checked out; `undefined` for a worktree that is in no stack. */
export function shownBranchOf(state: RepositoryState | undefined, worktree: Worktree): ShownBranch | undefined {
  return worktree.branch === undefined || worktree.main ? undefined : state?.stacks?.branches.get(worktree.branch);
}

/** What a row shows of a worktree's stack and of predicted conflicts. */
export function stackInShort(state: RepositoryState | undefined, worktree: Worktree): StackInShort | undefined {
  if (!state) return undefined;
  const shown = shownBranchOf(state, worktree);
  const predicted = predictedOf(state, worktree.name);
  if (!shown) {
    if (predicted.length === 0) return undefined;
    return { stacked: false, needsRestack: false, cycle: undefined, stopped: undefined, predicted };
  }
  const toRestack = restackOf(state, shown.branch)?.count;
  return { stacked: true, ...stateOf(shown), ...(toRestack === undefined ? {} : { toRestack }), predicted };
}

/** A stack of which some branches need a restack. */
export interface StackToRestack {
  /** The branch whose row offers the restack: the one next to the trunk, or the first one of the stack that has a worktree. */
  readonly at: ShownBranch;
  /** How many of its branches need it. */
  readonly count: number;
}

const restacks = new WeakMap<StackFacts, ReadonlyMap<string, StackToRestack>>();

/** The restack that the row of a branch offers. */
export function restackOf(state: RepositoryState | undefined, branch: string): StackToRestack | undefined {
  return restacksOf(state).get(branch);
}

/** The stacks that need a restack, by the branch whose row offers it. One in which a restack has stopped is left out. */
export function restacksOf(state: RepositoryState | undefined): ReadonlyMap<string, StackToRestack> {
  const stacks = state?.stacks;
  if (!stacks) return new Map();
  let found = restacks.get(stacks);
  if (!found) restacks.set(stacks, (found = new Map(readRestacks(stacks).map((each) => [each.at.branch, each]))));
  return found;
}

function readRestacks({ roots }: StackFacts): StackToRestack[] {
  return roots.flatMap(({ kind, branches }) => {
    if (kind === 'cycle') return [];
    const stacks: ShownBranch[][] = [];
    for (const { depth, shown } of branches) {
      if (depth === 0) stacks.push([]);
      stacks.at(-1)?.push(shown);
    }
    return stacks.flatMap((stack): StackToRestack[] => {
      const count = stack.filter((each) => stateOf(each).needsRestack).length;
      const at = stack.find(({ worktrees }) => worktrees.length > 0) ?? stack[0];
      const canBegin = stack.every(({ stopped, broken }) => stopped === undefined && broken === undefined);
      return at && count > 0 && canBegin ? [{ at, count }] : [];
    });
  });
}

/** The state of a stacked branch, checked out or not. */
export function stateOf(shown: ShownBranch): Pick<StackInShort, 'needsRestack' | 'cycle' | 'stopped'> {
  return {
    needsRestack: shown.needsRestack && shown.standing !== 'merged',
    cycle: shown.broken === 'cycle' ? shown.base : undefined,
    stopped: shown.stopped && {
      here: shown.stopped.stop?.branch === shown.branch,
      at: shown.stopped.stop?.name ?? '',
    },
  };
}

/** The names of the branches from the trunk up to one, each based on the one before. */
export function lineOf({ state }: StackFacts, shown: ShownBranch): string[] {
  const chain = state.stack.chain(shown.branch);
  const base = shown.broken === 'cycle' ? undefined : chain[0]?.base;
  return [...(base === undefined ? [] : [base]), ...chain.map(({ name }) => name)];
}

interface Coming {
  readonly with: string;
  readonly files: readonly string[];
}

const none: readonly Coming[] = [];
const indexes = new WeakMap<readonly PredictedConflict[], ReadonlyMap<string, readonly Coming[]>>();

/** The predicted conflicts of a worktree. A conflict between two worktrees is shown at both. */
function predictedOf({ predicted }: RepositoryState, name: string): readonly Coming[] {
  let index = indexes.get(predicted);
  if (!index) indexes.set(predicted, (index = indexOf(predicted)));
  return index.get(name) ?? none;
}

function indexOf(predicted: readonly PredictedConflict[]): Map<string, readonly Coming[]> {
  const index = new Map<string, Coming[]>();
  const add = (name: string, coming: Coming): void => {
    const all = index.get(name);
    if (all) all.push(coming);
    else index.set(name, [coming]);
  };
  for (const { worktree, with: other, kind, files } of predicted) {
    add(worktree, { with: other, files });
    if (kind === 'sibling') add(other, { with: worktree, files });
  }
  return index;
}
