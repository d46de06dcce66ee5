import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

describe('a restack over a worktree whose folder is out of sight', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', { 'one.txt': 'one\n' });
    await at.add('low', 'main', { 'low.txt': 'low\n' });
    await at.add('middle', 'low', { 'middle.txt': 'middle\n' });
    await at.add('high', 'middle', { 'high.txt': 'high\n' });
  });
  afterEach(() => at.dispose());

  /** How the folder of a worktree gets out of sight, and comes back. */
  const ways: Record<string, (path: string, away: string) => Promise<() => Promise<void>>> = {
    'was moved by hand': async (path, away) => {
      await rename(path, away);
      return () => rename(away, path);
    },
    'is on a disk that is not mounted': async (path, away) => {
      await rename(path, away);
      await mkdir(path);
      return async () => {
        await rm(path, { recursive: true });
        await rename(away, path);
      };
    },
    'has a damaged .git': async (path, away) => {
      await rename(join(path, '.git'), away);
      await writeFile(join(path, '.git'), 'gitdir: /nowhere/at/all\n');
      return () => rename(away, join(path, '.git'));
    },
  };
  for (const [title, hide] of shareOf(Object.entries(ways), 2)) {
    for (const conflict of [false, true]) {
      it(`that ${title} leaves its branch${conflict ? ' that would conflict' : ''} where it is, and goes on when it is back`, async () => {
        await writeFile(join(at.path('middle'), 'one.txt'), 'one, not committed\n');
        await at.commit('main', 'News', conflict ? { 'middle.txt': 'main\n' } : { 'main.txt': 'main\n' });
        const tip = await at.tip('middle');
        const above = await at.tip('high');
        const bring = await hide(at.path('middle'), join(at.home.root, 'away'));

        const { branches } = await at.rebase('low', { wholeStack: true });
        assert.deepEqual(
          branches.map(({ branch, outcome }) => [branch, outcome]),
          [
            ['low', 'moves'],
            ['middle', 'held'],
            ['high', 'waits'],
          ],
        );
        const held = branches.find(({ branch }) => branch === 'middle');
        assert.match(textOf(held?.why ?? ''), /cannot be found/);
        assert.ok(textOf(held?.next ?? '').includes(at.path('middle')));
        assert.deepEqual([await at.tip('middle'), await at.tip('high')], [tip, above]);

        await bring();
        assert.equal(await at.git('middle', 'status', '--porcelain'), ' M one.txt');
        await at.git('middle', 'checkout', '--quiet', 'one.txt');
        const again = await at.rebase('low', { wholeStack: true });
        if (conflict) return assert.equal(again.stop?.branch, 'middle');
        assert.deepEqual(await at.subjects('high'), ['low 1', 'middle 1', 'high 1']);
        assert.equal(await at.git('middle', 'status', '--porcelain'), '');
      });
    }
  }

  it('leaves alone what a branch that has nothing to do needs no folder for', async () => {
    await rename(at.path('high'), join(at.home.root, 'away'));
    const outcomes = await at.outcomes('low', { wholeStack: true });
    assert.deepEqual(outcomes, { low: 'current', middle: 'current', high: 'current' });
  });

  it('forgets a folder that was deleted once git does', async () => {
    await at.commit('main', 'News', { 'main.txt': 'main\n' });
    await rm(at.path('high'), { recursive: true });
    assert.equal((await at.outcomes('low', { wholeStack: true }))['high'], 'held');
    await at.repository.git('worktree', 'prune');
    assert.equal((await at.outcomes('low', { wholeStack: true }))['high'], 'moves');
  });
});
