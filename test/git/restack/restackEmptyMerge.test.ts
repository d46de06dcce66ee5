import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Stacks } from '../../support/stacks.ts';

describe('a rebase that has stopped at a merge of which nothing is staged', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', { 'one.txt': 'one\n' });
    await at.add('a', 'main', { 'one.txt': 'a\n' });
    await at.repository.git('worktree', 'add', '-q', '-b', 'side', '.worktrees/side', 'main');
    await at.repository.commit('Side', { 'one.txt': 'side\n', 'side.txt': 'side\n' }, at.path('side'));
    await assert.rejects(at.git('a', 'merge', '-q', 'side'));
    await at.repository.commit('Merge', { 'one.txt': 'both\n' }, at.path('a'));
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    assert.deepEqual((await at.rebase('a')).stop?.files, ['one.txt']);
  });
  afterEach(() => at.dispose());

  it('does not go on, since all of it would be lost', async () => {
    await at.git('a', 'read-tree', '--reset', '-u', 'HEAD');
    await assert.rejects(at.resume('a'), {
      outcome: 'incomplete',
      message: /^Nothing of the merge is staged in .*a, so all of it would be lost/,
      next: /checkout [0-9a-f]{12} -- <file>.*wt rebase a --abort.*`git commit` there, then `wt rebase a --continue`/,
    });
    await at.git('a', 'checkout', 'MERGE_HEAD', '--', 'side.txt');
    assert.equal((await at.resume('a')).stop, undefined);
    assert.equal(await at.git('a', 'show', 'a:side.txt'), 'side');
    assert.equal(await at.git('a', 'log', '-1', '--format=%s'), 'Merge');
  });

  it('goes on with what a person has staged', async () => {
    await at.repository.write(join(at.path('a'), 'one.txt'), 'resolved\n');
    await at.git('a', 'add', 'one.txt');
    assert.equal((await at.resume('a')).stop, undefined);
    assert.equal(await at.git('a', 'show', 'a:one.txt'), 'resolved');
    assert.equal(await at.git('a', 'show', 'a:side.txt'), 'side');
  });
});
