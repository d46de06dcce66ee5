import assert from 'node:assert/strict';
import { shareOf } from '../../support/share.ts';
import { CarryPair } from '../../support/carryPair.ts';

describe('carrying uncommitted work in sparse checkouts', function () {
  this.timeout(300_000);
  let pair: CarryPair;

  beforeEach(async () => {
    pair = await CarryPair.start({
      'top.txt': 'top\n',
      'in/one.txt': 'one\n',
      'in/two.txt': 'two\n',
      'out/far.txt': 'far\n',
      'out/deep/far.txt': 'far\n',
    });
  });
  afterEach(() => pair.dispose());

  const ways: Record<string, readonly string[]> = {
    'with a cone': ['--cone', 'in'],
    'with a cone and a sparse index': ['--cone', '--sparse-index', 'in'],
    'without a cone': ['--no-cone', '/*', '!/out/'],
  };
  const narrow = (name: string, how: string): Promise<string> =>
    pair.git(name, 'sparse-checkout', 'set', ...(ways[how] ?? []));

  /** Staged, unstaged, untracked work, a deletion and a name that is staged alone. */
  async function work(): Promise<void> {
    pair.write('a', 'in/one.txt', 'staged\n');
    await pair.git('a', 'add', 'in/one.txt');
    pair.write('a', 'in/one.txt', 'unstaged\n');
    pair.write('a', 'top.txt', 'changed\n');
    pair.write('a', 'in/new/untracked.txt', 'new\n');
    pair.write('a', 'in/meant.txt', 'meant\n');
    await pair.git('a', 'add', '--intent-to-add', 'in/meant.txt');
    await pair.git('a', 'rm', '--quiet', 'in/two.txt');
  }
  const expected = 'MM in/one.txt\n A in/meant.txt\nD  in/two.txt\n M top.txt\n?? in/new/untracked.txt';
  const lines = (text: string): string[] => text.split('\n').sort();

  for (const how of shareOf(Object.keys(ways), 3)) {
    for (const sides of [['a', 'b'], ['a'], ['b']]) {
      it(`takes nothing for deleted, and nothing outside appears (${how}, in ${sides.join(' and ')})`, async () => {
        for (const side of sides) await narrow(side, how);
        await work();
        const before = await pair.both();
        const { files } = await pair.carry();
        assert.deepEqual(files, ['in/meant.txt', 'in/new/untracked.txt', 'in/one.txt', 'in/two.txt', 'top.txt']);
        assert.equal(await pair.status('a'), '');
        assert.deepEqual(lines(await pair.status('b')), lines(expected));
        for (const side of ['a', 'b'])
          assert.equal(pair.isThere(side, 'out/far.txt'), !sides.includes(side), `in ${side}`);
        await pair.thereAndBack(before);
      });
    }

    it(`refuses a change outside, on either side, and names it (${how})`, async () => {
      await narrow('b', how);
      pair.write('a', 'out/far.txt', 'changed\n');
      const items = ['out/far.txt'];
      await pair.refused({ reason: 'dirty', id: 'carry.outsideSparse', items });
      await pair.git('b', 'sparse-checkout', 'disable');
      await pair.git('a', 'commit', '--quiet', '--all', '-m', 'Far');
      await narrow('a', how);
      await pair.git('a', 'reset', '--quiet', '--soft', 'HEAD~1');
      const refused = await pair.refused({ reason: 'dirty', id: 'carry.outsideSparse', items });
      assert.match(refused.next ?? '', /sparse-checkout add <folder>` in .*\/a,/);
      const before = await pair.both();
      await pair.carry('copy');
      assert.equal(pair.text('b', 'out/far.txt'), 'changed\n');
      assert.equal(await pair.status('b'), 'M  out/far.txt');
      await pair.thereAndBack(before);
    });

    it(`brings new files outside, which git shows and does not hide (${how})`, async () => {
      await narrow('b', how);
      pair.write('a', 'out/untracked.txt', 'new\n');
      pair.write('a', 'out/staged.txt', 'staged\n');
      await pair.git('a', 'add', 'out/staged.txt');
      pair.write('a', 'out/meant.txt', 'meant\n');
      await pair.git('a', 'add', '--intent-to-add', 'out/meant.txt');
      const before = await pair.both();
      await pair.carry();
      assert.deepEqual(
        lines(await pair.status('b')),
        lines('A  out/staged.txt\n A out/meant.txt\n?? out/untracked.txt'),
      );
      assert.equal(pair.text('b', 'out/staged.txt'), 'staged\n');
      assert.ok(!pair.isThere('b', 'out/far.txt'));
      await pair.thereAndBack(before);
    });

    it(`brings a file that is there although it is outside (${how})`, async () => {
      await narrow('a', how);
      pair.write('a', 'out/far.txt', 'changed\n');
      const before = await pair.both();
      const { files } = await pair.carry();
      assert.deepEqual(files, ['out/far.txt']);
      assert.equal(await pair.status('a'), '');
      assert.equal(pair.text('b', 'out/far.txt'), 'changed\n');
      await pair.thereAndBack(before);
    });
  }
});
