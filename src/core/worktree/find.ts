import { resolve } from 'node:path';
import { isWithin, realPathOf } from '../base/paths.ts';
import { sameLetters } from '../base/composed.ts';
import { findAtPlace, realNeighbours } from '../base/realNeighbours.ts';
import { Problem } from '../base/problem.ts';
import type { Snapshot, Worktree } from './model.ts';
import { worktreeMessages } from '../messages/worktree.ts';

/**
 * The worktree that a word means: its name, its slug, its branch, the name of its folder, `@` for the main working tree, `^`
 * for the same with a place to work in, `.` for the one that holds the folder, or a path. A name beats a slug, a slug beats a branch.
 *
 * @param cwd where paths start.
 * @throws Problem `not-found` with the names there are, `ambiguous` when a branch is checked out twice.
 */
export async function findWorktree(snapshot: Snapshot, word: string, cwd: string): Promise<Worktree> {
  if (word === '@') return snapshot.worktrees.find((each) => each.main) ?? unknown(snapshot, word);
  if (word === '^') return homeOf(snapshot) ?? unknown(snapshot, word);
  if (word === '.') return (await holderOf(snapshot, cwd)) ?? unknown(snapshot, word);
  const linked = snapshot.worktrees.filter((each) => !each.main);
  const ways: ((each: Worktree) => boolean)[] = [
    (each) => each.name === word,
    (each) => each.slug === word,
    (each) => each.branch === word,
    // A shell of macOS completes names with the accents as its disk has them.
    (each) => [each.name, each.branch].some((name) => sameLetters(name, word)),
  ];
  for (const way of ways) {
    const found = linked.filter(way);
    if (found.length === 1 && found[0]) return found[0];
    if (found.length > 1) {
      throw new Problem(
        'ambiguous',
        worktreeMessages.meansWorktrees({ word: JSON.stringify(word), count: found.length }),
        {
          next: worktreeMessages.nameOnePath(),
          items: found.map((each) => each.path),
        },
      );
    }
  }
  const atPath = await findAtPlace(snapshot.worktrees, resolve(cwd, word));
  if (atPath) return atPath;
  const main = snapshot.worktrees.find((each) => each.main && each.branch === word);
  return main ?? unknown(snapshot, word);
}

/** The main working tree; where the repository is bare, the worktree of the trunk, which people use in its place. */
function homeOf({ worktrees, trunk }: Snapshot): Worktree | undefined {
  const main = worktrees.find((each) => each.main);
  return main && !main.bare ? main : worktrees.find(({ branch }) => branch !== undefined && branch === trunk);
}

/** The innermost worktree that holds a folder; worktrees nest. */
export async function holderOf(snapshot: Snapshot, folder: string): Promise<Worktree | undefined> {
  const real = await realPathOf(folder);
  const roots = await realNeighbours(snapshot.worktrees.map(({ path }) => path));
  let best: { worktree: Worktree; root: string } | undefined;
  for (const [index, worktree] of snapshot.worktrees.entries()) {
    if (worktree.bare) continue;
    const root = roots[index] ?? '';
    if (isWithin(root, real) && (!best || root.length > best.root.length)) best = { worktree, root };
  }
  return best?.worktree;
}

function unknown(snapshot: Snapshot, word: string): never {
  const names = snapshot.worktrees.filter((each) => !each.main).map((each) => each.name);
  throw new Problem(
    'not-found',
    word === '.'
      ? worktreeMessages.folderNoWorktree()
      : worktreeMessages.noWorktreeNamed({ word: JSON.stringify(word) }),
    {
      next: names.length > 0 ? worktreeMessages.useOneNames() : worktreeMessages.makeOne(),
      items: names.slice(0, 30),
    },
  );
}
