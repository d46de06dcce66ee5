import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { trashGone } from './createCleanup.ts';
import { compare, type Line } from './compare.ts';
import { branches, makeLargePlace } from './largePlace.ts';

/**
 * Removals in a repository of 100,000 commits: of 20,000 files with an index that knows nothing of the times that the files have by now (after a
 * copy, a restore, a change of the clock), and of 100,000 files. Then of a worktree whose branch was squash-merged, which is looked for
 * in the history of `main`.
 */
export async function benchLarge(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say('Making a repository of 100,000 commits…');
  const place = await makeLargePlace();
  const path = (name: string): string => join(place.root, '.worktrees', name);
  const addPlain = async (base: string, name: string): Promise<void> =>
    void (await place.git(['worktree', 'add', '--quiet', '-b', name, path(name), base]));
  /** Gives every file another time, as a copy of the folder does. */
  const age = async (base: keyof typeof branches, name: string): Promise<void> => {
    const when = new Date('2020-01-01T00:00:00Z');
    const files = (await place.git(['ls-files', '-z'], path(name))).split('\0').filter(Boolean);
    if (files.length < branches[base]) throw new Error(`${name} has ${files.length} files.`);
    await Promise.all(files.map((file) => utimes(join(path(name), file), when, when)));
  };
  const removal = (base: keyof typeof branches, work: string, aim: number, prepare?: typeof age): Promise<Line> =>
    compare(
      { work, baseline: 'git worktree remove', aim },
      {
        before: async () => {
          await place.wt(['create', 'ours', '--base', base]);
          await prepare?.(base, 'ours');
        },
        run: async () => void (await place.wt(['cleanup', 'ours'])),
        after: () => trashGone(place),
      },
      {
        before: async () => {
          await addPlain(base, 'plain');
          await prepare?.(base, 'plain');
        },
        run: async () => void (await place.git(['worktree', 'remove', path('plain')])),
        after: async () => void (await place.git(['branch', '-D', 'plain'])),
      },
      rounds,
    );
  try {
    await place.wt(['create', 'first']);
    return [
      await removal('small', 'wt cleanup, 20k files, an index that is not fresh', 1, age),
      await removal('wide', 'wt cleanup, 100k files', 0.3),
    ];
  } finally {
    await place.dispose();
  }
}
