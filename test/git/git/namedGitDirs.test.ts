import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { undo } from '../../../src/core/recovery/undo.ts';
import { Removals } from '../../support/removals.ts';
import { texts } from '../../support/texts.ts';

/** With `safe.bareRepository=explicit` git looks at no git directory that it was not told of: not even from within that directory. */
describe('where git may use only git directories that it is told of', function () {
  this.timeout(300_000);
  let at: Removals;
  beforeEach(async () => {
    at = await Removals.start();
    await at.repository.git('config', '--global', 'safe.bareRepository', 'explicit');
  });
  afterEach(() => at.dispose());

  const git = (path: string, ...args: string[]): Promise<string> => at.repository.gitIn(path, ...args);

  it('a removal keeps all that only the worktree holds, and its undo brings it back', async () => {
    const path = await at.add('login', { commits: 1 });
    await git(path, 'checkout', '--quiet', '--detach');
    await at.repository.commit('Aside', { 'aside.txt': 'aside\n' }, path);
    await git(path, 'checkout', '--quiet', 'login');
    await at.repository.write(join(path, 'staged.txt'), 'staged\n');
    await git(path, 'add', 'staged.txt');
    await writeFile(join(path, 'login-1.txt'), 'changed\n');
    await git(path, 'update-ref', 'refs/worktree/mine', await git(path, 'commit-tree', 'HEAD^{tree}', '-m', 'mine'));
    const before = [await git(path, 'status', '--porcelain'), await git(path, 'rev-parse', 'HEAD')];
    const { backups } = await at.remove('login', { force: true });
    assert.deepEqual(texts(backups.map(({ what }) => what)), [
      '2 uncommitted files',
      'what was staged',
      'its private ref refs/worktree/mine',
      'a commit that only its log held',
    ]);
    assert.equal(existsSync(path), false);
    await undo(at.workspace);
    assert.deepEqual([await git(path, 'status', '--porcelain'), await git(path, 'rev-parse', 'HEAD')], before);
  });

  it('a removal deletes a branch whose work is in its base, with its settings', async () => {
    await at.add('login', { commits: 1 });
    await at.repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'login');
    await at.repository.git('config', 'branch.login.description', 'The login');
    await at.remove('login');
    assert.deepEqual(await at.branches(), ['main']);
    await undo(at.workspace);
    assert.deepEqual(await at.branches(), ['login', 'main']);
    assert.equal(await at.repository.git('config', 'branch.login.description'), 'The login');
  });
});
