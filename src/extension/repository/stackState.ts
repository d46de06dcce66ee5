import type { StackInShort } from '../../core/snapshot/facts.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { PredictedConflict } from '../../core/restack/predict.ts';
import {
  predictedByWorktree,
  stackInShort as factsOfStack,
  stacksToRestack,
  type PredictedOf,
  type StackToRestack,
} from '../../core/restack/stackFacts.ts';
import type { ShownBranch } from '../../core/stack/stackView.ts';
import type { RepositoryState, StackFacts } from './repositoryState.ts';

/** The stacked branch that a worktree has checked out; `undefined` for a worktree that is in no stack. */
export function shownBranchOf(state: RepositoryState | undefined, worktree: Worktree): ShownBranch | undefined {
  return worktree.branch === undefined || worktree.main ? undefined : state?.stacks?.branches.get(worktree.branch);
}

/** What a row shows of a worktree's stack and of predicted conflicts. */
export function stackInShort(state: RepositoryState | undefined, worktree: Worktree): StackInShort | undefined {
  const shown = shownBranchOf(state, worktree);
  return state && factsOfStack(shown, predictedOf(state, worktree.name), restacksOf(state));
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
  if (!found) restacks.set(stacks, (found = stacksToRestack(stacks.roots)));
  return found;
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
