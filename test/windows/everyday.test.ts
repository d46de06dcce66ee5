import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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

  it('begins with a worktree', async () => {
    assert.equal(await home.done(repository.root, 'create', 'one'), '.worktrees/one\n');
    assert.equal(await readFile(at('one', 'README.md'), 'utf8'), '# project\r\n', 'as Git for Windows is configured');
    assert.match(await home.done(repository.root, 'list', '--porcelain'), /^one\t/m);
    assert.match(await home.done(at('one'), 'info'), /one/);
  });

  it('merges it and removes it', async () => {
    await repository.commit('Work', { 'one.txt': 'one\n' }, at('one'));
    assert.match(await home.done(repository.root, 'diff', 'one', '--stat'), /one\.txt/);
    await home.done(repository.root, 'merge', 'one');
    assert.equal(await readFile(join(repository.root, 'one.txt'), 'utf8'), 'one\r\n');
    assert.equal(await repository.git('status', '--porcelain'), '');
    await home.done(repository.root, 'cleanup', 'one');
    assert.equal(existsSync(at('one')), false);
  });
});
