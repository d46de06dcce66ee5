import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOperations } from '../../../src/core/operations/store.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { recoverKilled } from '../../support/killEveryStep.ts';
import { runRestack } from '../../support/runRestack.ts';
import { savePlace, type SavedPlace } from '../../support/savedPlace.ts';
import { Stacks } from '../../support/stacks.ts';
import { isInShare } from '../../support/share.ts';

describe('going on with a rebase, ending and undoing it, killed', function () {
  this.timeout(900_000);
  let at: Stacks;
  let saved: SavedPlace | undefined;
  beforeEach(async () => {
    saved = undefined;
    at = await Stacks.start();
    // Copies have other inodes, which git would take for changes.
    await at.repository.git('config', '--global', 'core.checkStat', 'minimal');
    await at.repository.git('config', '--global', 'core.trustctime', 'false');
    await at.add('a', 'main', { 'a.txt': 'a1\n' });
    await at.add('b', 'a', { 'b.txt': 'b1\n' });
    await at.add('c', 'b', { 'c.txt': 'c1\n' });
    await at.repository.write(join(at.path('a'), 'notes.txt'), 'mine\n');
    await at.repository.write(join(at.path('b'), 'b.txt'), 'b1\nmine\n');
  });
  afterEach(async () => {
    saved?.forget();
    await at.dispose();
  });

  const run = (what: string, name: string, step: number | string): Promise<boolean> => runRestack(at, what, name, step);

  /** Each run begins with an empty log. */
  async function forget(): Promise<void> {
    await rm(join(at.repository.root, '.git/worktree-stacks/log'), { recursive: true, force: true });
  }

  for (const command of ['commit', 'abort', 'undo'] as const) {
    it(`between any two steps of ${command === 'commit' ? 'going on' : `an ${command}`} can be asked for the same again`, async () => {
      await at.repository.write(join(at.path('b'), 'b.txt'), 'b1\n');
      await at.commit('main', 'News', { 'b.txt': command === 'undo' ? 'b1\n' : 'theirs\n' });
      if (command === 'undo') await at.repository.git('reset', '--quiet', '--hard', 'HEAD');
      if (command === 'undo') {
        // That the work of b is in main is learnt by the first rebase, and stays known.
        await at.rebase('a', { wholeStack: true });
        await undo(at.workspace);
        await forget();
      }
      const before = await at.picture();
      await at.rebase('a', { wholeStack: true });
      if (command === 'commit') {
        await at.repository.write(join(at.path('b'), 'b.txt'), 'both\n');
        await at.git('b', 'add', 'b.txt');
      }
      // A copy is as if nothing had been killed before, and takes less than another rebase.
      saved = savePlace(at.home.root, 'saved');
      for (let step = 1; ; step++) {
        assert.ok(step < 200, 'it has an end');
        if (!isInShare(step, 3)) continue;
        saved.restore();
        const what = command === 'commit' ? 'continue' : command;
        const ended = await run(what, 'b', step);
        await recoverKilled(at.workspace, () => at.picture());
        if (!ended) {
          const operations = await readOperations(at.workspace);
          const open = operations.find(({ state }) => state === 'stopped');
          const undone = operations.some(({ kind }) => kind === 'undo');
          if (command === 'undo' ? !undone : open)
            assert.ok(await run(what, 'b', 'never'), `killed after step ${step}`);
        }
        if (command === 'commit') {
          assert.deepEqual(await at.subjects('c'), ['a 1', 'b 1', 'c 1'], `killed after step ${step}`);
          assert.equal(await at.git('c', 'show', 'HEAD:b.txt'), 'both');
          await undo(at.workspace);
        }
        assert.deepEqual(await at.picture(), before, `killed after step ${step}`);
        if (ended) break;
      }
    });
  }
});
