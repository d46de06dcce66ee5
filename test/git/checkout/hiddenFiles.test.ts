import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

/** What a person keeps for themselves in a file that git tracks. */
const mine = 'my local settings\n';

for (const flag of ['assume-unchanged', 'skip-worktree'] as const) {
  describe(`a file that is hidden from git with ${flag}`, function () {
    this.timeout(300_000);
    let at: Stacks;
    beforeEach(async () => {
      at = await Stacks.start();
      await at.commit('main', 'Files', { conf: 'c\n', other: 'o\n', 'b.txt': 'b\n' });
      await at.add('a', 'main', { 'a.txt': 'a\n' });
      await at.add('b', 'a', { 'b.txt': 'b1\n' }, { 'b2.txt': 'b2\n' });
    });
    afterEach(() => at.dispose());

    async function hide(name: string, file = 'conf'): Promise<void> {
      await at.git(name, 'update-index', `--${flag}`, file);
      await at.repository.write(join(at.path(name), file), mine);
    }
    async function isUntouched(name: string, file = 'conf'): Promise<void> {
      assert.equal(await readFile(join(at.path(name), file), 'utf8'), mine);
      assert.match(await at.git(name, 'ls-files', '-v', file), flag === 'skip-worktree' ? /^S / : /^h /);
      assert.equal(await at.git(name, 'status', '--porcelain'), '');
    }

    for (const kind of ['changes', 'deletes', 'replaces with a folder'] as const) {
      it(`is named and stays when the new base ${kind} it`, async () => {
        await hide('a');
        if (kind === 'changes') await at.commit('main', 'News', { conf: 'new\n' });
        else {
          await at.repository.git('rm', '--quiet', 'conf');
          await at.commit('main', 'News', kind === 'deletes' ? {} : { 'conf/inside': 'x\n' });
        }
        const before = await at.picture();
        const { branches } = await at.rebase('a', { wholeStack: true });
        assert.deepEqual(
          branches.map(({ outcome }) => outcome),
          ['held', 'waits'],
        );
        assert.match(textOf(branches[0]?.why ?? ''), /hidden from git \(assume-unchanged or skip-worktree\)/);
        assert.deepEqual(branches[0]?.files, ['conf']);
        assert.match(textOf(branches[0]?.next ?? ''), /git update-index --no-assume-unchanged --no-skip-worktree/);
        assert.deepEqual(await at.picture(), before);
        await isUntouched('a');
      });
    }

    it('stays, hidden, where nothing changes it, and through an undo, a redo, a skip and an abort', async () => {
      for (const name of ['a', 'b']) await hide(name);
      await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
      assert.ok((await at.rebase('a', { wholeStack: true })).stop);
      await isUntouched('a');
      assert.equal(await readFile(join(at.path('b'), 'conf'), 'utf8'), mine);
      const tip = await at.tip('b');
      await at.abort('b');
      for (const name of ['a', 'b']) await isUntouched(name);
      assert.equal(await at.tip('b'), tip);
      assert.ok((await at.rebase('a', { wholeStack: true })).stop);
      await at.resume('b', 'skip');
      for (const name of ['a', 'b']) await isUntouched(name);
      assert.deepEqual(await at.subjects('b', 'a'), ['b 2']);
      await undo(at.workspace);
      for (const name of ['a', 'b']) await isUntouched(name);
      await redo(at.workspace);
      for (const name of ['a', 'b']) await isUntouched(name);
    });

    it('stops an undo that would change it, and a rebase that would conflict', async () => {
      await at.commit('main', 'News', { conf: 'new\n' });
      await at.rebase('a', { wholeStack: true });
      await hide('a');
      const before = await at.picture();
      await assert.rejects(undo(at.workspace), { reason: 'dirty', outcome: 'incomplete', items: ['conf'] });
      assert.deepEqual(await at.picture(), before);
      await isUntouched('a');
      await at.git('a', 'update-index', `--no-${flag}`, 'conf');
      await at.git('a', 'restore', 'conf');
      await hide('b', 'other');
      await at.commit('main', 'More', { other: 'new\n', 'b.txt': 'theirs\n' });
      const { branches, stop } = await at.rebase('a', { wholeStack: true });
      assert.equal(stop, undefined);
      assert.deepEqual(
        branches.map(({ outcome, files }) => [outcome, ...files]),
        [['moves'], ['held', 'other']],
      );
      await isUntouched('b', 'other');
    });
  });
}

describe('a file outside of a sparse checkout', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', { 'in/f': 'f\n', 'out/conf': 'c\n', 'out/gone': 'g\n' });
    await at.add('a', 'main', { 'in/a.txt': 'a\n' });
  });
  afterEach(() => at.dispose());

  for (const expected of [false, true]) {
    for (const cone of shareOf(['--cone', '--no-cone', '--sparse-index'] as const, 3)) {
      it(`with content of a person's stays (${cone}${expected ? ', files are expected there' : ''})`, async () => {
        await at.git('a', 'sparse-checkout', 'set', ...(cone === '--no-cone' ? [cone, '/in/'] : [cone, 'in']));
        await at.repository.git('config', 'sparse.expectFilesOutsideOfPatterns', String(expected));
        await at.repository.git('rm', '--quiet', 'out/gone');
        await at.commit('main', 'News', { 'in/f': 'new\n', 'out/conf': 'new\n' });
        assert.deepEqual(await at.outcomes('a'), { a: 'moves' });
        assert.equal(await readFile(join(at.path('a'), 'in/f'), 'utf8'), 'new\n');
        await undo(at.workspace);
        for (const file of ['out/conf', 'out/gone']) await at.repository.write(join(at.path('a'), file), mine);
        await at.rebase('a').catch(() => undefined);
        for (const file of ['out/conf', 'out/gone'])
          assert.equal(await readFile(join(at.path('a'), file), 'utf8').catch(() => 'lost'), mine, file);
        await at.repository.write(join(at.path('a'), 'out/gone'), 'g\n');
      });
    }
  }
});
