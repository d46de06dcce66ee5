import { join } from 'node:path';
import { compare, quantile, type Line } from './compare.ts';
import { bareGit, makePlace } from './place.ts';

const worktrees = 200;

/** `wt list` with 200 worktrees of 1,000 files, against the git commands that it cannot avoid at their best parallelism. */
export async function benchList(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say(`Making ${worktrees} worktrees…`);
  const place = await makePlace(1000);
  try {
    const paths = Array.from({ length: worktrees }, (_, n) => join(place.root, '.worktrees', `task-${n}`));
    for (const [n, path] of paths.entries()) {
      await place.git(['worktree', 'add', '--quiet', '--no-track', '-b', `task-${n}`, path]);
    }
    const all = [place.root, ...paths];
    const unavoidable = async (parallel: number): Promise<void> => {
      const { variables, root } = place;
      const queue = all.values();
      const work = async (): Promise<void> => {
        for (const path of queue)
          await bareGit(['status', '--porcelain=v2', '-z', '--untracked-files=normal'], path, variables);
      };
      await Promise.all([
        bareGit(['worktree', 'list', '--porcelain', '-z'], root, variables),
        bareGit(['for-each-ref', '--format=%(refname) %(objectname) %(upstream:track)'], root, variables),
        ...Array.from({ length: parallel }, work),
      ]);
    };
    const parallel = await best([2, 4, 8], unavoidable);
    return [
      await compare(
        {
          work: 'wt list, 200 worktrees, cold',
          baseline: `the git commands it cannot avoid, ${parallel} at a time`,
          aim: 1.15,
        },
        { run: async () => void (await place.wt(['list', '--json'])) },
        { run: () => unavoidable(parallel) },
        rounds,
      ),
    ];
  } finally {
    await place.dispose();
  }
}

/** The parallelism with the lowest median of three runs. */
async function best(choices: readonly number[], run: (parallel: number) => Promise<void>): Promise<number> {
  const medians: { choice: number; median: number }[] = [];
  for (const choice of choices) {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const started = performance.now();
      await run(choice);
      times.push(performance.now() - started);
    }
    medians.push({ choice, median: quantile(times, 0.5) });
  }
  return medians.sort((a, b) => a.median - b.median)[0]?.choice ?? 4;
}
