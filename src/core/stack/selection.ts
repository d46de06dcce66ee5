import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import { chainOf, withDescendants, type Stack, type StackBranch } from './model.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * The branches that a restack is about: one, or all of its stack, which is everything that stands on the same branch next to the trunk;
 * with another base for it, everything that stands on it.
 */
export function selectBranches(
  stack: Stack,
  branch: string,
  how: { readonly wholeStack: boolean; readonly onto: string | undefined },
): string[] {
  if (!how.wholeStack) return [branch];
  const bottom = how.onto === undefined ? chainOf(stack, branch)[0] : branch;
  return withDescendants(stack, bottom ?? branch);
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
      ? `${name} has no branch checked out`
      : branch === stack.trunk
        ? `${branch} is the trunk, which stacks stand on`
        : `${name} is the main working tree, and ${branch} is in no stack`;
  throw new Problem('usage', `${why}, so it cannot be restacked.`, { next: '`wt stack` shows the stacked branches' });
}

/**
 * @throws Problem `usage` when a branch would come to stand on itself, directly or over others.
 */
export function refuseRing(stack: Stack, branch: StackBranch, onto: string): void {
  if (!withDescendants(stack, branch.branch).includes(onto)) return;
  throw new Problem(
    'usage',
    onto === branch.branch
      ? `${branch.branch} cannot stand on itself.`
      : `${onto} stands on ${branch.branch} itself, so ${branch.branch} cannot stand on it.`,
    { next: `move ${onto} first: \`wt move ${quoted(onto)} --onto <branch>\`` },
  );
}

/**
 * @throws Problem `in-use` when one of the branches belongs to an operation that has stopped for a person.
 */
export function refuseStopped(operations: readonly Operation[], branches: readonly string[]): void {
  for (const { state, stop, remaining, moves, title } of operations) {
    if (state !== 'stopped') continue;
    const held = new Set([stop?.branch, ...remaining, ...moves.map(({ branch }) => branch)]);
    const busy = branches.find((branch) => held.has(branch));
    if (busy === undefined) continue;
    const name = quoted(stop?.name ?? busy);
    throw new Problem('in-use', `${busy} belongs to an operation that has stopped: ${title}.`, {
      next: `\`wt rebase ${name} --continue\` goes on with it, \`wt rebase ${name} --abort\` takes it back`,
      outcome: 'incomplete',
    });
  }
}
