import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe('a day on Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
  });
  after(() => home.dispose());

  const at = (...path: string[]): string => join(repository.root, '.worktrees', ...path);
  const wt = (...args: string[]): Promise<string> => home.done(repository.root, ...args);
  const names = async (): Promise<string[]> =>
    (await wt('list', '--porcelain')).split('\n').flatMap((line) => line.split('\t')[0] || []);

  it('begins with a worktree that is whole, and of which doctor finds nothing wrong', async () => {
    assert.equal(await wt('create', 'one'), '.worktrees/one\n');
    assert.equal(await readFile(at('one', 'README.md'), 'utf8'), '# project\r\n', 'as Git for Windows is configured');
    assert.deepEqual(await names(), ['one']);
    await wt('doctor');
  });

  it('goes on with one based on it', async () => {
    await repository.commit('Work', { 'one.txt': 'one\n' }, at('one'));
    await wt('create', 'two', '--base', 'one');
    await repository.commit('More', { 'two.txt': 'two\n' }, at('two'));
    await repository.commit('Later', { 'one-more.txt': 'one\n' }, at('one'));
  });

  it('shows what each has, and moves the second one along', async () => {
    assert.match(await wt('diff', 'one', '--stat'), /one\.txt/);
    assert.match(await wt('stack'), /one[^]*two/);
    assert.match(await home.done(at('one'), 'info'), /one/);
    await wt('predict', 'one');
    await wt('rebase', 'two');
    assert.equal(existsSync(at('two', 'one-more.txt')), true);
    await wt('switch', 'two');
    assert.match(await wt('active'), /two/);
  });

  it('takes a restack back, and makes it again', async () => {
    const restacked = await repository.gitIn(at('two'), 'rev-parse', 'HEAD');
    await wt('undo');
    assert.notEqual(await repository.gitIn(at('two'), 'rev-parse', 'HEAD'), restacked);
    assert.equal(existsSync(at('two', 'one-more.txt')), false);
    await wt('redo');
    assert.equal(await repository.gitIn(at('two'), 'rev-parse', 'HEAD'), restacked);
  });

  it('starts no program of the repository in the place of git', async () => {
    const own = await names();
    const planted = join(repository.root, 'git.exe');
    await copyFile(join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'where.exe'), planted);
    try {
      assert.deepEqual(await names(), own);
    } finally {
      await rm(planted);
    }
  });
});
