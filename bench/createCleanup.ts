import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compare, type Line } from './compare.ts';
import { makePlace, type Place } from './place.ts';

/** `wt create` and `wt cleanup` of a worktree of 20,000 files, against git's own. */
export async function benchCreateAndCleanup(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say('Making a repository of 20,000 files…');
  const place = await makePlace(20_000);
  const path = (name: string): string => join(place.root, '.worktrees', name);
  const addPlain = async (name: string): Promise<void> =>
    void (await place.git(['worktree', 'add', '--quiet', '-b', name, path(name)]));
  const removePlain = async (name: string): Promise<void> => {
    await place.git(['worktree', 'remove', '--force', path(name)]);
    await place.git(['branch', '-D', name]);
  };
  try {
    // The first one writes ignore rules and launchers, once in a repository's life.
    await place.wt(['create', 'first']);
    const create = await compare(
      { work: 'wt create, 20k files', baseline: 'git worktree add', aim: 1.1 },
      { run: async () => void (await place.wt(['create', 'ours'])), after: () => cleanUp(place, 'ours') },
      { run: () => addPlain('plain'), after: () => removePlain('plain') },
      rounds,
    );
    const cleanup = await compare(
      { work: 'wt cleanup, 20k files', baseline: 'git worktree remove', aim: 0.2 },
      {
        before: async () => void (await place.wt(['create', 'ours'])),
        run: async () => void (await place.wt(['cleanup', 'ours'])),
        after: () => trashGone(place),
      },
      {
        before: () => addPlain('plain'),
        run: async () => void (await place.git(['worktree', 'remove', path('plain')])),
        after: async () => void (await place.git(['branch', '-D', 'plain'])),
      },
      rounds,
    );
    return [create, cleanup];
  } finally {
    await place.dispose();
  }
}

async function cleanUp(place: Place, name: string): Promise<void> {
  await place.wt(['cleanup', name]);
  await trashGone(place);
}

/** Waits until a background deletion has ended, which must not run into the next round. */
export async function trashGone(place: Place): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const left = (await readdir(join(place.root, '.worktrees'))).filter((name) => name.startsWith('.trash'));
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Still there after two minutes: ${left.join(', ')}`);
    await delay(20);
  }
}
