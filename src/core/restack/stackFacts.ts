import type { StackInShort } from '../snapshot/facts.ts';
import type { ShownBranch } from '../stack/stackView.ts';
import type { PredictedConflict } from './predict.ts';

/** Predicted conflicts of one worktree: with what, and in which files. */
export type PredictedOf = StackInShort['predicted'];

/**
 * What facts need to know of a worktree's stack and of predicted conflicts; `undefined` where there is nothing to say.
 *
 * @param shown its branch in the stack; `undefined` when it is in none.
 */
export function stackInShort(shown: ShownBranch | undefined, predicted: PredictedOf): StackInShort | undefined {
  if (shown) return { stacked: true, ...stateOf(shown), predicted };
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
