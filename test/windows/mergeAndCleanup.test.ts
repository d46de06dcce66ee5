import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe('what is merged and removed on Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
    await wt('create', 'one');
    await repository.commit('Work', { 'one.txt': 'one\n' }, at('one'));
    await wt('create', 'two');
  });
  after(() => home.dispose());

  const at = (...path: string[]): string => join(repository.root, '.worktrees', ...path);
  const wt = (...args: string[]): Promise<string> => home.done(repository.root, ...args);
  const names = async (): Promise<string[]> =>
    (await wt('list', '--porcelain')).split('\n').flatMap((line) => line.split('\t')[0] || []);

  it('is merged, and no longer after an undo', async () => {
    await wt('merge', 'one');
    assert.equal(await readFile(join(repository.root, 'one.txt'), 'utf8'), 'one\r\n');
    assert.equal(await repository.git('status', '--porcelain'), '');
    await wt('undo');
    assert.equal(existsSync(join(repository.root, 'one.txt')), false);
    await wt('redo');
    assert.equal(await repository.git('status', '--porcelain'), '');
  });

  it('comes back as it was', async () => {
    await wt('cleanup', 'two');
    assert.equal(existsSync(at('two')), false);
    await wt('undo');
    assert.deepEqual((await names()).sort(), ['one', 'two']);
    assert.equal(await repository.gitIn(at('two'), 'status', '--porcelain'), '');
    assert.match(await repository.git('worktree', 'list', '--porcelain'), /\/\.worktrees\/two$/m);
    await wt('doctor');
  });
});
