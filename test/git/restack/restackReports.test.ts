import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Stacks } from '../../support/stacks.ts';

/** What users of other tools have reported, and what must not happen here. */
describe('a restack after something below has landed', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
  });
  afterEach(() => at.dispose());

  /** Merges a branch into trunk as one commit of its own, as the button of a host does. */
  const squash = async (branch: string): Promise<void> => {
    await at.git('main', 'merge', '--quiet', '--squash', branch);
    await at.git('main', 'commit', '--quiet', '-m', `${branch} (#1)`);
  };
  const files = (branch: string): Promise<string> => at.repository.git('ls-tree', '--name-only', branch);

  it('leaves a sibling of the merged branch with its own commits', async () => {
    await at.add('a', 'main', { 'a.txt': 'a1\n' }, { 'a.txt': 'a2\n' });
    await at.add('b', 'main', { 'b.txt': 'b1\n' });
    await squash('a');
    assert.deepEqual(await at.outcomes('b', { wholeStack: true }), { b: 'moves' });
    assert.deepEqual(await at.subjects('b'), ['b 1']);
    assert.equal(await files('b'), 'README.md\na.txt\nb.txt');
  });

  it('does not bring back a file that the branch above deleted', async () => {
    await at.add('a', 'main', { 'a.txt': 'a\n', 'draft.txt': 'draft\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    await at.git('b', 'rm', '--quiet', 'draft.txt');
    await at.git('b', 'commit', '--quiet', '-m', 'Delete the draft');
    await squash('a');
    await at.rebase('b', { wholeStack: true });
    assert.deepEqual(await at.subjects('b'), ['b 1', 'Delete the draft']);
    assert.equal(await files('b'), 'README.md\na.txt\nb.txt');
    assert.equal(await at.git('b', 'status', '--porcelain'), '');
  });

  it('takes along what stands on the merged branch in other worktrees, wherever it is asked for', async () => {
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    await at.add('c', 'a', { 'c.txt': 'c\n' });
    await at.add('d', 'c', { 'd.txt': 'd\n' });
    await at.repository.write(join(at.path('c'), 'mine.txt'), 'mine\n');
    await squash('a');
    await at.rebase('b', { wholeStack: true });
    for (const [branch, subjects] of [
      ['b', ['b 1']],
      ['c', ['c 1']],
      ['d', ['c 1', 'd 1']],
    ] as const) {
      assert.deepEqual(await at.subjects(branch), subjects, branch);
      assert.equal(await at.repository.git('merge-base', 'main', branch), await at.tip('main'), branch);
    }
    assert.equal(await at.git('c', 'status', '--porcelain'), '?? mine.txt');
  });

  it('knows commits that have landed under other ids, and carries none of them along', async () => {
    await at.add('a', 'main', { 'a.txt': 'a1\n' }, { 'a.txt': 'a2\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    await at.git('main', 'cherry-pick', 'a~1', 'a');
    await at.rebase('b', { wholeStack: true });
    assert.deepEqual(await at.subjects('b'), ['b 1']);
  });

  it('leaves branches alone that stand on something else', async () => {
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    await at.add('other', 'main', { 'other.txt': 'other\n' });
    await at.add('above', 'other', { 'above.txt': 'above\n' });
    const before = [await at.tip('other'), await at.tip('above')];
    await squash('a');
    await at.rebase('b');
    assert.deepEqual([await at.tip('other'), await at.tip('above')], before);
  });
});
