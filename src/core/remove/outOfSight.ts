import { Problem } from '../base/problem.ts';
import type { Worktree } from '../worktree/model.ts';
import { quoted } from '../base/quoted.ts';
import type { PathState } from './pathState.ts';

/**
 * Where the folder of a worktree is that cannot be seen as one, as a sentence part. That it is not seen proves nothing: it may have been
 * moved, its disk may not be mounted, the network may be down.
 */
export function whereFolderIs(
  { path }: Worktree,
  pathState: Pick<PathState, 'condition' | 'trouble' | 'what' | 'link'>,
): string {
  const { condition, trouble, what, link } = pathState;
  if (trouble !== undefined) return `its folder cannot be looked at (${trouble})`;
  if (link) return `a link leads from its path to ${link.to}`;
  switch (condition) {
    case 'missing':
      return `its folder is not at ${path}: it was moved or deleted, or its disk is not there`;
    case 'empty':
      return `there is no \`.git\` at ${path}: its disk may not be mounted there, or something else is`;
    case 'foreign':
      return `${what ?? 'something else'} is at its path now`;
    default:
      return what ?? 'its `.git` is damaged';
  }
}

/** What helps where the folder of a worktree is out of sight, without a full stop. */
export function stepsToSee({ name, path }: Worktree, { condition }: Pick<PathState, 'condition'>): string {
  const drop = `\`wt cleanup ${quoted(name)} --force\` drops git's record of it, and \`wt undo\` brings that back`;
  const there = condition === 'missing' || condition === 'empty' || condition === 'foreign';
  const repair = there
    ? 'make its folder visible again; where it was moved, run `git worktree repair <path>`'
    : `\`git worktree repair ${quoted(path)}\` or \`wt doctor --fix\` may help`;
  return `${repair}; ${drop}`;
}

/** Why a worktree that is out of sight stays. Dropping it is a decision for a person, about this one. */
export function outOfSight(
  {
    worktree,
    obstacles,
  }: {
    readonly worktree: Worktree;
    readonly obstacles: readonly { readonly kind: string; readonly message: string }[];
  },
  pathState: PathState,
): Problem {
  const others = obstacles.filter(({ kind }) => kind === 'locked').map(({ message }) => `; ${message}`);
  const message = `${worktree.name} was not removed: ${whereFolderIs(worktree, pathState)}${others.join('')}.`;
  return new Problem('would-lose-work', message, {
    next: stepsToSee(worktree, pathState),
    items: [worktree.path],
    outcome: 'incomplete',
  });
}
