import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readConfiguration } from '../../../src/core/repository/configuration.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('a trunk that was renamed on the remote', function () {
  this.timeout(300_000);
  let at: Stacks;
  let origin: string;
  beforeEach(async () => {
    at = await Stacks.start();
    origin = join(at.home.root, 'origin.git');
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    await at.repository.git('clone', '--quiet', '--bare', at.repository.root, origin);
    await at.repository.git('remote', 'add', 'origin', origin);
    await at.repository.git('fetch', '--quiet', 'origin');
    await at.repository.git('remote', 'set-head', 'origin', 'main');
  });
  afterEach(() => at.dispose());

  const rename = async (): Promise<void> => {
    await at.repository.gitIn(origin, 'branch', '-m', 'main', 'stem');
    await at.repository.gitIn(origin, 'symbolic-ref', 'HEAD', 'refs/heads/stem');
  };
  const bases = async (): Promise<unknown> => [(await at.entry('a'))?.base, (await at.entry('b'))?.base];

  for (const [when, fetch] of [
    ['and nobody has fetched since', []],
    [
      'and was fetched by hand',
      [
        ['fetch', '--quiet', '--prune', 'origin'],
        ['remote', 'set-head', 'origin', '--auto'],
      ],
    ],
  ] as [string, string[][]][])
    it(`${when}, is followed and told once`, async () => {
      await rename();
      for (const command of fetch) await at.repository.git(...command);
      const { notes, branches } = await at.plan('b', { wholeStack: true }, {});
      assert.match(
        notes.map((note) => textOf(note)).join(),
        /origin renamed main to stem; branches that were based on main are based on stem now/,
      );
      assert.doesNotMatch(notes.map((note) => textOf(note)).join(), /merged/);
      assert.deepEqual(
        branches.map(({ base, outcome }) => [base, outcome]),
        [
          ['stem', 'current'],
          ['a', 'current'],
        ],
      );
      assert.deepEqual(await bases(), ['stem', 'a']);
      assert.deepEqual((await at.plan('b', { wholeStack: true }, {})).notes, []);
    });

  it('which the configuration names, is followed as well', async () => {
    await at.repository.write('.worktrees.yml', 'stack: { trunk: main }\n');
    Object.assign(at.workspace.configuration, await readConfiguration(at.repository.root));
    await rename();
    const { notes } = await at.plan('a', {}, {});
    assert.match(notes.map((note) => textOf(note)).join(), /set `stack.trunk` to stem there/);
    const { state, notes: later } = await at.plan('a', {}, {});
    assert.deepEqual([state.stack.trunk, later], ['stem', []]);
  });

  it('is not followed to a default branch that lacks what it had, nor where it only cannot be fetched', async () => {
    await at.commit('main', 'Only there', { 'x.txt': 'x\n' });
    await at.git('main', 'push', '--quiet', 'origin', 'main');
    await at.repository.gitIn(origin, 'branch', 'stem', 'main~1');
    await at.repository.gitIn(origin, 'symbolic-ref', 'HEAD', 'refs/heads/stem');
    assert.deepEqual((await at.plan('a', {}, {})).notes, []);
    await at.repository.gitIn(origin, 'branch', '--quiet', '-D', 'main');
    assert.match((await at.plan('a', {}, {})).notes.map((note) => textOf(note)).join(), /Could not fetch from/);
    assert.deepEqual(await bases(), ['main', 'a']);
  });
});
