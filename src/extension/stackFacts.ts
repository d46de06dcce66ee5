import type { StackInShort } from '../core/worktrees/read/facts.ts';
import type { Worktree } from '../core/worktrees/model.ts';
import type { PredictedConflict } from '../core/stack/predict.ts';
import type { ShownBranch, ShownRoot } from '../core/stack/stackView.ts';
import type { RepositoryState } from './repositoryModel.ts';

/** What is known of the stacks of a repository at one moment. */
export interface StackFacts {
  /** As they are drawn: trunk first. */
  readonly roots: readonly ShownRoot[];
  /** The stacked branches by name. */
  readonly branches: ReadonlyMap<string, ShownBranch>;
  /** Whether there is an operation that can be taken back, and one that was and can be done again. */
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The place of a worktree's branch in its stack; `undefined` for a worktree that is in none. */
export function shownBranchOf(state: RepositoryState | undefined, worktree: Worktree): ShownBranch | undefined {
  return worktree.branch === undefined ? undefined : state?.stacks?.branches.get(worktree.branch);
}

/** What a row says of the place of a worktree in its stack, and of the conflicts that would come. */
export function stackInShort(state: RepositoryState | undefined, worktree: Worktree): StackInShort | undefined {
  const shown = shownBranchOf(state, worktree);
  if (!state || !shown) return undefined;
  return {
    needsRestack: shown.needsRestack && shown.standing !== 'merged',
    ring: shown.broken === 'cycle' ? shown.base : undefined,
    stopped: shown.stopped && {
      here: shown.stopped.stop?.branch === shown.branch,
      at: shown.stopped.stop?.name ?? '',
    },
    predicted: predictedOf(state.predicted, worktree.name),
  };
}

/** The names of the branches from the trunk up to one, each standing on the one before. */
export function lineOf({ branches }: StackFacts, shown: ShownBranch): string[] {
  const line = [shown.name];
  let base = shown.broken === 'cycle' ? undefined : shown.base;
  for (let at = base === undefined ? undefined : branches.get(base); at; at = branches.get(base ?? '')) {
    line.unshift(at.name);
    base = at.base;
  }
  return base === undefined ? line : [base, ...line];
}

/** The conflicts that one worktree would have; those with others are told at both of them. */
function predictedOf(
  predicted: readonly PredictedConflict[],
  name: string,
): { readonly with: string; readonly files: readonly string[] }[] {
  return predicted.flatMap(({ worktree, with: other, kind, files }) => {
    if (worktree === name) return [{ with: other, files }];
    return kind === 'sibling' && other === name ? [{ with: worktree, files }] : [];
  });
}
