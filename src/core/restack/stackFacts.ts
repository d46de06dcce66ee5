import type { StackInShort } from '../snapshot/facts.ts';
import type { ShownBranch, ShownRoot } from '../stack/stackView.ts';
import type { PredictedConflict } from './predict.ts';

/** Predicted conflicts of one worktree: with what, and in which files. */
export type PredictedOf = StackInShort['predicted'];

/** A stack of which some branches need a restack. */
export interface StackToRestack {
  /** The branch whose row offers the restack: the one next to the trunk, or the first one of the stack that has a worktree. */
  readonly at: ShownBranch;
  /** How many of its branches need it. */
  readonly count: number;
}

/**
 * What facts need to know of a worktree's stack and of predicted conflicts; `undefined` where there is nothing to say.
 *
 * @param shown its branch in the stack; `undefined` when it is in none.
 * @param restacks as {@link stacksToRestack} gives them.
 */
export function stackInShort(
  shown: ShownBranch | undefined,
  predicted: PredictedOf,
  restacks: ReadonlyMap<string, StackToRestack>,
): StackInShort | undefined {
  if (shown) {
    const toRestack = restacks.get(shown.branch)?.count;
    return { stacked: true, ...stateOf(shown), predicted, ...(toRestack === undefined ? {} : { toRestack }) };
  }
  if (predicted.length === 0) return undefined;
  return { stacked: false, needsRestack: false, cycle: undefined, stopped: undefined, predicted };
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

/** The stacks that need a restack, by the branch whose row offers it. One in which a restack has stopped is left out. */
export function stacksToRestack(roots: readonly ShownRoot[]): ReadonlyMap<string, StackToRestack> {
  const found = roots.flatMap(({ kind, branches }) => {
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
  return new Map(found.map((each) => [each.at.branch, each]));
}

/** Predicted conflicts by the names of their worktrees. A conflict between two worktrees is there for both. */
export function predictedByWorktree(predicted: readonly PredictedConflict[]): ReadonlyMap<string, PredictedOf> {
  const found = new Map<string, PredictedOf[number][]>();
  const add = (name: string, each: PredictedOf[number]): void => {
    const all = found.get(name);
    if (all) all.push(each);
    else found.set(name, [each]);
  };
  for (const { worktree, with: other, kind, files } of predicted) {
    add(worktree, { with: other, files });
    if (kind === 'sibling') add(other, { with: worktree, files });
  }
  return found;
}
