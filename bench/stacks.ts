import { join } from 'node:path';
import { limitTo } from '../src/core/base/concurrency.ts';
import { predict } from '../src/core/restack/predict.ts';
import { readStack } from '../src/core/stack/readStack.ts';
import { readSnapshot } from '../src/core/snapshot/snapshot.ts';
import type { Workspace } from '../src/core/worktree/workspace.ts';
import { writeFile } from 'node:fs/promises';
import { compare, type Line } from './compare.ts';
import { bareGit, makePlace, openWorkspace, type Place } from './place.ts';

/** `wt rebase --stack` and the prediction of conflicts, against what they replace. */
export async function benchStacks(rounds: number, say: (text: string) => void): Promise<Line[]> {
  return [await restack(rounds, say), await pairwise(rounds, say)];
}

const depth = 10;

/** Ten branches on one another, three commits each, every one in its worktree; trunk has moved. */
async function restack(rounds: number, say: (text: string) => void): Promise<Line> {
  say('Making a stack of ten worktrees of 20,000 files each…');
  const place = await makePlace(20_000);
  try {
    const names = Array.from({ length: depth }, (_, index) => `s${index + 1}`);
    const path = (name: string): string => join(place.root, '.worktrees', name);
    const old = new Map([['main', (await place.git(['rev-parse', 'main'])).trim()]]);
    let base = 'main';
    for (const name of names) {
      await place.wt(['create', name, '--base', base]);
      for (let number = 1; number <= 3; number++) await commit(place, path(name), `${name}-${number}.txt`);
      old.set(name, (await place.git(['rev-parse', name])).trim());
      base = name;
    }
    await commit(place, place.root, 'news.txt');
    return await compare(
      { work: 'wt rebase --stack, 10 deep, 20k files', baseline: 'ten git rebase --onto', aim: 0.4 },
      {
        run: async () => void (await place.wt(['rebase', 's1', '--stack', '--offline'])),
        after: async () => void (await place.wt(['undo'])),
      },
      {
        run: async () => {
          let below = 'main';
          for (const name of names) {
            await place.git(['rebase', '--quiet', '--onto', below, old.get(below) ?? ''], path(name));
            below = name;
          }
        },
        after: async () => {
          for (const name of names) await place.git(['reset', '--quiet', '--hard', old.get(name) ?? ''], path(name));
        },
      },
      rounds,
    );
  } finally {
    await place.dispose();
  }
}

/** Twenty worktrees, some with uncommitted changes, each with each. */
async function pairwise(rounds: number, say: (text: string) => void): Promise<Line> {
  say('Making twenty worktrees of 1,000 files each…');
  const place = await makePlace(1_000);
  try {
    const names = Array.from({ length: 20 }, (_, index) => `w${index + 1}`);
    for (const [index, name] of names.entries()) {
      const path = join(place.root, '.worktrees', name);
      await place.wt(['create', name, '--base', 'main']);
      await commit(place, path, `shared-${index % 5}.txt`, name);
    }
    const { workspace, state } = await look(place);
    const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
    return await compare(
      { work: 'predict conflicts of 20 worktrees pairwise', baseline: 'one git merge-tree for each pair', aim: 0.2 },
      { run: async () => void (await predict(workspace, state)) },
      {
        run: async () => {
          const limit = limitTo(4);
          const merge = ([one, other]: readonly [string, string]): Promise<void> =>
            limit(() =>
              bareGit(['merge-tree', '--write-tree', '--name-only', one, other], place.root, place.variables).catch(
                () => undefined,
              ),
            );
          await Promise.all(pairs.map(merge));
        },
      },
      rounds,
    );
  } finally {
    await place.dispose();
  }
}

async function look(place: Place): Promise<{ workspace: Workspace; state: Awaited<ReturnType<typeof readStack>> }> {
  const workspace = await openWorkspace(place);
  const snapshot = await readSnapshot(workspace);
  return { workspace, state: await readStack(workspace, { snapshot }) };
}

async function commit(place: Place, path: string, file: string, text = file): Promise<void> {
  await writeFile(join(path, file), `${text}\n`);
  await place.git(['add', file], path);
  await place.git(['commit', '--quiet', '-m', file], path);
}
