import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compare, type Line } from './compare.ts';
import { treeReader } from './list.ts';
import { bareGit, makePlace, type Place } from './place.ts';

const [few, many] = [10, 1000];

/** Commands in a repository of 1,000 worktrees: against git's own work for as many, and against what they cost among ten. */
export async function benchMany(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say(`Making ${many} worktrees…`);
  const [small, large] = [await crowded(few), await crowded(many)];
  try {
    const status = ['status', '--porcelain=v2', '-z', '--untracked-files=normal'];
    const twoLoops = async (): Promise<void> => {
      const queue = large.paths.values();
      const loop = async (): Promise<void> => {
        for (const path of queue) await bareGit(status, path, large.place.variables);
      };
      await Promise.all([loop(), loop()]);
    };
    const list = await compare(
      { work: 'wt list, 1,000 worktrees', baseline: 'git status in each, two at a time', aim: 0.5 },
      { run: async () => void (await large.place.wt(['list', '--json'])) },
      { run: twoLoops },
      rounds,
    );
    const among = (work: string, run: (place: Place) => Promise<void>, after?: (place: Place) => Promise<void>) =>
      compare(
        { work: `${work} among 1,000`, baseline: 'the same among ten', aim: 2 },
        { run: () => run(large.place), ...(after ? { after: () => after(large.place) } : {}) },
        { run: () => run(small.place), ...(after ? { after: () => after(small.place) } : {}) },
        rounds,
      );
    const stack = await among('wt stack', async (place) => void (await place.wt(['stack', '--json'])));
    const create = await among(
      'wt create',
      async (place) => void (await place.wt(['create', 'ours'])),
      async (place) => void (await place.wt(['cleanup', 'ours'])),
    );
    const { readAgain, cache } = await treeReader(large.place, [large.place.root, ...large.paths]);
    const changed = join(large.paths[many / 2] ?? '', 'area0/part0/file0.txt');
    const before = (): Promise<void> => appendFile(changed, 'one more\n');
    const refresh = await compare(
      { work: 'tree refresh after one of 1,000 worktrees changed', baseline: 'status of that one worktree', aim: 1.5 },
      {
        before,
        run: async () => {
          cache.invalidate(changed);
          await readAgain();
        },
      },
      { before, run: () => bareGit(status, dirname(changed), large.place.variables) },
      rounds,
    );
    return [list, stack, create, refresh];
  } finally {
    await Promise.all([small.place.dispose(), large.place.dispose()]);
  }
}

/** A repository of 50 files with so many worktrees beside the main one. */
async function crowded(count: number): Promise<{ readonly place: Place; readonly paths: readonly string[] }> {
  const place = await makePlace(50);
  await place.wt(['create', 'first']);
  const paths = Array.from({ length: count }, (_, n) => join(place.root, '.worktrees', `task-${n}`));
  for (const [n, path] of paths.entries())
    await place.git(['worktree', 'add', '--quiet', '--no-track', '-b', `task-${n}`, path]);
  return { place, paths: [join(place.root, '.worktrees', 'first'), ...paths] };
}
