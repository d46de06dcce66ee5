import type { StackInShort } from '../../core/snapshot/facts.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { PredictedConflict } from '../../core/restack/predict.ts';
import { predictedByWorktree, stackInShort as factsOfStack, type PredictedOf } from '../../core/restack/stackFacts.ts';
import type { ShownBranch } from '../../core/stack/stackView.ts';
import type { RepositoryState, StackFacts } from './repositoryState.ts';

/** The stacked branch that a worktree has checked out; `undefined` for a worktree that is in no stack. */
export function shownBranchOf(state: RepositoryState | undefined, worktree: Worktree): ShownBranch | undefined {
  return worktree.branch === undefined || worktree.main ? undefined : state?.stacks?.branches.get(worktree.branch);
}

/** What a row shows of a worktree's stack and of predicted conflicts. */
export function stackInShort(state: RepositoryState | undefined, worktree: Worktree): StackInShort | undefined {
  return state && factsOfStack(shownBranchOf(state, worktree), predictedOf(state, worktree.name));
}

/** The names of the branches from the trunk up to one, each based on the one before. */
export function lineOf({ state }: StackFacts, shown: ShownBranch): string[] {
  const chain = state.stack.chain(shown.branch);
  const base = shown.broken === 'cycle' ? undefined : chain[0]?.base;
  return [...(base === undefined ? [] : [base]), ...chain.map(({ name }) => name)];
}

const none: PredictedOf = [];
const indexes = new WeakMap<readonly PredictedConflict[], ReadonlyMap<string, PredictedOf>>();

/** The predicted conflicts of a worktree. A conflict between two worktrees is shown at both. */
function predictedOf({ predicted }: RepositoryState, name: string): PredictedOf {
  let index = indexes.get(predicted);
  if (!index) indexes.set(predicted, (index = predictedByWorktree(predicted)));
  return index.get(name) ?? none;
}
