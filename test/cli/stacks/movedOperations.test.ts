import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wtHome, type Ran, type WtHome } from '../support/wt.ts';

/** Each command runs in a repository that was renamed since the one before. */
describe('a repository that is renamed between a command and the next', function () {
  this.timeout(300_000);
  let home: WtHome;
  let root: string;
  let moves = 0;
  let git: (folder: string, ...args: string[]) => Promise<string>;
  beforeEach(async () => {
    home = await wtHome();
    const repository = await home.repository();
    root = repository.root;
    git = (folder, ...args) => repository.gitIn(join(root, folder), ...args);
    await repository.commit('Files', { 'one.txt': 'one\n' });
    await home.done(root, 'create', 'low');
    await repository.commit('Low', { 'one.txt': 'one of low\n', 'low.txt': 'low\n' }, join(root, low));
    await home.done(root, 'create', 'high', '--base', 'low');
    await repository.commit('High', { 'high.txt': 'high\n' }, join(root, high));
  });
  afterEach(() => home.dispose());

  const low = '.worktrees/low';
  const high = '.worktrees/high';
  const commit = async (folder: string, file: string, text: string): Promise<void> => {
    await writeFile(join(root, folder, file), text);
    await git(folder, 'add', '--all');
    await git(folder, 'commit', '--quiet', '-m', `Change ${file}`);
  };
  const moved = async (...args: string[]): Promise<Ran> => {
    const next = join(home.root, `place${++moves}`);
    await rename(root, next);
    root = next;
    return home.wt(root, args);
  };
  const movedAndDone = async (...args: string[]): Promise<Ran> => {
    const ran = await moved(...args);
    assert.equal(ran.code, 0, ran.stderr);
    return ran;
  };

  it('rebases, and takes it back', async () => {
    await commit('.', 'main.txt', 'main\n');
    const before = await git(high, 'rev-parse', 'low', 'high');
    const { stderr } = await movedAndDone('rebase', 'low', '--stack');
    assert.ok(stderr.includes(`git works in ${join(root, low)} again`), stderr);
    assert.equal(await git(high, 'status', '--porcelain'), '');
    assert.equal(await git('.', 'log', '--format=%s', 'main..high'), 'High\nLow');
    await movedAndDone('undo');
    assert.equal(await git(high, 'rev-parse', 'low', 'high'), before);
    await movedAndDone('redo');
    assert.equal(await git(high, 'status', '--porcelain'), '');
  });

  it('goes on with a rebase that has stopped, or takes it back', async () => {
    await commit('.', 'one.txt', 'one of main\n');
    assert.equal((await moved('rebase', 'low', '--stack')).code, 1);
    const before = await git('.', 'rev-parse', 'high');
    await movedAndDone('rebase', 'low', '--abort');
    assert.equal(await git(low, 'log', '-1', '--format=%s'), 'Low');
    assert.equal((await moved('rebase', 'low', '--stack')).code, 1);
    await writeFile(join(root, low, 'one.txt'), 'one of both\n');
    // Git itself works there only once it has been told where the worktree is.
    await moved('doctor', '--fix');
    await git(low, 'add', 'one.txt');
    await movedAndDone('rebase', 'low', '--continue');
    assert.equal(await git('.', 'log', '--format=%s', 'main..high'), 'High\nLow');
    assert.equal(await git(high, 'status', '--porcelain'), '');
    await movedAndDone('undo');
    assert.equal(await git(high, 'rev-parse', 'high'), before);
  });

  it('goes on with a merge that has stopped, or takes it back', async () => {
    await commit('.', 'one.txt', 'one of main\n');
    const before = await git('.', 'rev-parse', 'main');
    assert.equal((await moved('merge', 'low')).code, 1);
    await movedAndDone('merge', 'low', '--abort');
    assert.equal(await git('.', 'status', '--porcelain'), '');
    assert.equal((await moved('merge', 'low')).code, 1);
    await writeFile(join(root, 'one.txt'), 'one of both\n');
    await git('.', 'add', 'one.txt');
    await movedAndDone('merge', 'low');
    assert.equal(await git('.', 'show', 'main:low.txt'), 'low');
    await movedAndDone('undo');
    assert.equal(await git('.', 'rev-parse', 'main'), before);
  });

  it('removes a worktree with what is not committed in it, and brings it back', async () => {
    await writeFile(join(root, high, 'high.txt'), 'high, changed\n');
    await movedAndDone('cleanup', 'high', '--force');
    await movedAndDone('undo');
    assert.equal(await git(high, 'status', '--porcelain'), ' M high.txt');
    assert.equal((await moved('doctor')).code, 1);
    await movedAndDone('doctor', '--fix');
    assert.equal((await home.wt(root, ['doctor'])).code, 0);
  });
});
