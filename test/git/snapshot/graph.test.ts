import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Distances } from '../../../src/core/snapshot/distances.ts';
import type { Pair } from '../../../src/core/snapshot/commitGraph.ts';
import { SnapshotCache } from '../../../src/core/snapshot/snapshotCache.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';

/** Random, but the same in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

suite('distances between branches', () => {
  let home: TestHome;
  let repository: TestRepository;
  let workspace: Workspace;

  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    workspace = await testWorkspace(home, repository.root);
  });
  teardown(() => home.dispose());

  /** Commits of a given shape in one process; the ids in order. */
  const importCommits = async (commits: readonly { parents: readonly number[]; time: number }[]): Promise<string[]> => {
    const lines = commits.map(({ parents: [first, ...others], time }, index) =>
      [
        `commit refs/heads/c${index}`,
        `mark :${index + 1}`,
        `committer Ada Example <ada@example.com> ${time} +0000`,
        'data 1',
        'x',
        ...(first === undefined ? [] : [`from :${first + 1}`]),
        ...others.map((parent) => `merge :${parent + 1}`),
        '',
      ].join('\n'),
    );
    const importing = promisify(execFile)('git', ['fast-import', '--quiet', '--force'], {
      cwd: repository.root,
      env: home.variables,
    });
    importing.child.stdin?.end(lines.join('\n'));
    await importing;
    const output = await repository.git('for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads/c*');
    const oids = new Map(
      output.split('\n').map((line): [string, string] => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
    );
    return commits.map((_, index) => oids.get(`c${index}`) ?? '');
  };

  /** What git itself counts. */
  const counted = async ({ one, other }: Pair): Promise<{ ahead: number; behind: number }> => {
    const [ahead, behind] = (await repository.git('rev-list', '--count', '--left-right', `${one}...${other}`))
      .split('\t')
      .map(Number);
    return { ahead: ahead ?? NaN, behind: behind ?? NaN };
  };

  test('are what git counts, in a history with merges, several roots and clocks that went wrong', async () => {
    const random = randomNumbers(7);
    const oids = await importCommits(
      Array.from({ length: 120 }, (_, index) => ({
        parents:
          index === 0 || random(30) === 0
            ? []
            : [...new Set([Math.max(0, index - 1 - random(6)), ...(random(4) === 0 ? [random(index)] : [])])],
        time: 1_700_000_000 + index * 60 + (random(10) === 0 ? random(100_000) - 50_000 : 0),
      })),
    );
    const pairs = Array.from({ length: 60 }, () => ({ one: oids[random(120)] ?? '', other: oids[random(120)] ?? '' }));
    const distances = await Distances.read(workspace.git, workspace.repository.commonDir, pairs);
    for (const pair of pairs) assert.deepEqual(distances.of(pair), await counted(pair));
  });

  test('are right for a branch that was left thousands of commits ago', async () => {
    const length = 9_000;
    const commits = Array.from({ length }, (_, index) => ({
      parents: index === 0 ? [] : [index - 1],
      time: 1_600_000_000 + index,
    }));
    const oids = await importCommits([...commits, { parents: [10], time: 1_600_000_000 }]);
    const [tip = '', recent = '', stale = ''] = [oids[length - 1], oids[length - 5], oids[length]];
    const pairs = [
      { one: recent, other: tip },
      { one: stale, other: tip },
    ];
    const distances = await Distances.read(workspace.git, workspace.repository.commonDir, pairs);
    assert.deepEqual(
      pairs.map((pair) => distances.of(pair)),
      [
        { ahead: 0, behind: 4 },
        { ahead: 1, behind: length - 11 },
      ],
    );
  });

  test('that were read once need no git any more', async () => {
    const main = await repository.git('rev-parse', 'HEAD');
    const other = await repository.commit('Second', {});
    const cache = new SnapshotCache();
    const pairs = [{ one: other, other: main }];
    await Distances.read(workspace.git, workspace.repository.commonDir, pairs, { cache });
    const again = await Distances.read(workspace.git, '/nowhere', pairs, { cache });
    assert.deepEqual(again.of({ one: other, other: main }), { ahead: 1, behind: 0 });
  });
});
