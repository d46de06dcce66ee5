import assert from 'node:assert/strict';
import { join } from 'node:path';
import { updateCheckout } from '../../../src/core/checkout/updateCheckout.ts';
import { Stacks } from '../../support/stacks.ts';

describe('leading a working tree from one commit to another', function () {
  this.timeout(300_000);
  let at: Stacks;
  let from: string;
  let to: string;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', { 'one.txt': '1\n', 'two.txt': '2\n', 'deep/three.txt': '3\n' });
    await at.add('a', 'main');
    from = await at.tip('a');
    await at.repository.git('switch', '--quiet', '-c', 'next');
    await at.repository.git('rm', '--quiet', 'deep/three.txt');
    to = await at.commit('main', 'Next', { 'one.txt': 'changed\n', 'new.txt': 'new\n' });
  });
  afterEach(() => at.dispose());

  const follow = async (): Promise<number> => {
    const place = { path: at.path('a'), gitDir: join(at.repository.root, '.git/worktrees/a') };
    return (await updateCheckout(at.workspace, place, { from, to })).exitCode;
  };
  const differences = (): Promise<string> => at.git('a', 'diff', '--name-status', to);

  for (const kind of ['ordinary', 'sparse'] as const) {
    it(`keeps what is staged and what is not, and leaves HEAD alone (${kind})`, async () => {
      if (kind === 'sparse') await at.git('a', 'sparse-checkout', 'set', '--no-cone', '/*');
      await at.repository.write(join(at.path('a'), 'two.txt'), 'staged\n');
      await at.git('a', 'add', 'two.txt');
      await at.repository.write(join(at.path('a'), 'two.txt'), 'and more\n');
      await at.repository.write(join(at.path('a'), 'untracked.txt'), 'mine\n');
      assert.equal(await follow(), 0);
      assert.equal(await at.git('a', 'symbolic-ref', 'HEAD'), 'refs/heads/a');
      assert.equal(await at.tip('a'), from);
      assert.equal(await differences(), 'M\ttwo.txt');
      assert.equal(await at.git('a', 'show', ':two.txt'), 'staged');
      assert.equal(await at.git('a', 'ls-files', '--others'), 'untracked.txt');
      assert.equal(await follow(), 0);
      assert.equal(await differences(), 'M\ttwo.txt');
    });
  }

  it('does all or nothing', async () => {
    for (const file of ['one.txt', 'new.txt', 'deep/three.txt']) {
      await at.repository.write(join(at.path('a'), file), 'mine\n');
      const before = await at.git('a', 'status', '--porcelain');
      assert.notEqual(await follow(), 0, file);
      assert.equal(await at.git('a', 'status', '--porcelain'), before);
      await at.git('a', 'clean', '--quiet', '--force');
      await at.git('a', 'restore', '.');
    }
    assert.equal(await follow(), 0);
  });
});
