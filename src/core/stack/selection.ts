import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import type { Stack, StackBranch } from './model.ts';
import type { Operation } from '../operations/operation.ts';
import { stackMessages } from '../messages/stack.ts';

/**
 * The branches that a restack is about: one, or its whole stack, which is the branch next to the trunk with everything based on it; when
 * it gets another base, the branch with its descendants.
 */
export function selectBranches(
  stack: Stack,
  branch: string,
  how: { readonly wholeStack: boolean; readonly onto: string | undefined },
): string[] {
  if (!how.wholeStack) return [branch];
  const [bottom] = how.onto === undefined ? stack.chain(branch) : [];
  return withDescendants(stack, bottom?.branch ?? branch);
}

/** A branch and everything based on it, each after its parent. */
function withDescendants(stack: Stack, branch: string): string[] {
  return [branch, ...stack.descendants(branch).map((each) => each.branch)];
}

/**
 * The branch of a worktree, as part of a stack.
 *
 * @throws Problem `usage` for the trunk and for a worktree without a branch.
 */
export function stackedBranch(
  stack: Stack,
  worktree: { readonly name: string; readonly branch: string | undefined; readonly main: boolean },
): StackBranch {
  const { name, branch } = worktree;
  const found = branch === undefined ? undefined : stack.branches.get(branch);
  if (found) return found;
  const why =
    branch === undefined
      ? stackMessages.noBranchCheckedOut({ name })
      : branch === stack.trunk
        ? stackMessages.isTrunk({ branch })
        : stackMessages.isMainWorkingTree({ name, branch });
  throw new Problem('usage', stackMessages.cannotRestacked({ why }), { next: stackMessages.stackShows() });
}

/**
 * @throws Problem `usage` when the new base of a branch is the branch itself or one of its descendants.
 */
export function refuseCycle(stack: Stack, branch: StackBranch, onto: string): void {
  if (!withDescendants(stack, branch.branch).includes(onto)) return;
  throw new Problem(
    'usage',
    onto === branch.branch
      ? stackMessages.branchCannotOwn({ onto })
      : stackMessages.cannotBasedBased({ branchBranch: branch.branch, onto }),
    { next: stackMessages.moveFirst({ onto, word: quoted(onto) }) },
  );
}

/**
 * @throws Problem `in-use` when one of the branches is part of a stopped operation.
 */
export function refuseStopped(operations: readonly Operation[], branches: readonly string[]): void {
  for (const { state, stop, remaining, moves, title } of operations) {
    if (state !== 'stopped') continue;
    const held = new Set([stop?.branch, ...remaining, ...moves.map(({ branch }) => branch)]);
    const busy = branches.find((branch) => held.has(branch));
    if (busy === undefined) continue;
    const name = quoted(stop?.name ?? busy);
    throw new Problem('in-use', stackMessages.partOperationStopped({ busy, title }), {
      next: stackMessages.continueOrAbort({ name }),
      outcome: 'incomplete',
    });
  }
}
