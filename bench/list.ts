import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readConfiguration } from '../src/core/repository/configuration.ts';
import { readSnapshot, type SnapshotSources } from '../src/core/snapshot/snapshot.ts';
import { SnapshotCache } from '../src/core/snapshot/snapshotCache.ts';
import { besides, readStacks, stackStateOf } from '../src/extension/repository/readStacks.ts';
import { compare, quantile, type Line } from './compare.ts';
import { bareGit, makePlace, openWorkspace, type Place } from './place.ts';

const worktrees = 200;

/**
 * 200 worktrees of 1,000 files: `wt list`, and what the extension reads again while it watches them, when nothing has changed and
 * when one file of one worktree has. The measure is the git commands that a first look cannot avoid, at their best parallelism, and
 * the status of that one worktree.
 */
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
    const baseline = `the git commands it cannot avoid, ${parallel} at a time`;
    const cold = await compare(
      { work: 'wt list, 200 worktrees, cold', baseline, aim: 1.15 },
      { run: async () => void (await place.wt(['list', '--json'])) },
      { run: () => unavoidable(parallel) },
      rounds,
    );
    const { readAgain, cache } = await treeReader(place, all);
    const warm = await compare(
      { work: 'the same, nothing changed, warm (extension)', baseline, aim: 0.05 },
      { run: readAgain },
      { run: () => unavoidable(parallel) },
      rounds,
    );
    const changed = join(paths[worktrees / 2] ?? place.root, 'area0/part0/file0.txt');
    const change = (): Promise<void> => appendFile(changed, 'one more\n');
    const refresh = await compare(
      { work: 'tree refresh after one of 200 worktrees changed', baseline: 'status of that one worktree', aim: 1.5 },
      {
        before: change,
        run: async () => {
          cache.invalidate(changed);
          await readAgain();
        },
      },
      {
        before: change,
        run: () =>
          bareGit(['status', '--porcelain=v2', '-z', '--untracked-files=normal'], dirname(changed), place.variables),
      },
      rounds,
    );
    return [cold, warm, refresh];
  } finally {
    await place.dispose();
  }
}

/** What the extension's model of a repository reads when a watcher has spoken, after it has read everything once. */
export async function treeReader(
  place: Place,
  watched: readonly string[],
): Promise<{ readonly readAgain: () => Promise<void>; readonly cache: SnapshotCache }> {
  const opened = await openWorkspace(place);
  const cache = new SnapshotCache();
  const stackDistances = besides(cache);
  for (const path of watched) cache.watch(path);
  const { signal } = new AbortController();
  const readAgain = async (): Promise<void> => {
    const workspace = { ...opened, configuration: await readConfiguration(place.root) };
    let sources: SnapshotSources | undefined;
    const snapshot = await readSnapshot(workspace, {
      cache,
      signal,
      near: true,
      onSources: (read) => (sources = read),
    });
    const state = sources && stackStateOf(workspace, snapshot, sources);
    if (state) await readStacks(workspace, state, { signal, cache: stackDistances });
  };
  await readAgain();
  return { readAgain, cache };
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
