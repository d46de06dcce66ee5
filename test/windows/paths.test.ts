import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { otherDrive, windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe('one repository by all of its spellings on Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
    await home.done(repository.root, 'create', 'one');
  });
  after(() => home.dispose());

  const namesIn = async (folder: string, ...before: string[]): Promise<string[]> =>
    (await home.done(folder, ...before, 'list', '--porcelain'))
      .split('\n')
      .flatMap((line) => line.split('\t')[0] || []);

  it('is listed alike', async () => {
    const { root } = repository;
    for (const folder of [otherDrive(root), root.toUpperCase(), otherDrive(join(root, '.worktrees', 'one'))])
      assert.deepEqual(await namesIn(folder), ['one'], folder);
    assert.deepEqual(await namesIn(home.root, '-C', `\\\\?\\${root}`), ['one']);
    assert.deepEqual(await namesIn(home.root, '-C', root.replaceAll('\\', '/')), ['one']);
  });

  it('has each worktree once, wherever it was made from', async () => {
    await home.done(otherDrive(repository.root), 'create', 'two');
    await home.done(repository.root.toUpperCase(), 'create', 'three');
    assert.deepEqual((await namesIn(repository.root)).sort(), ['one', 'three', 'two']);
    await home.done(otherDrive(repository.root), 'doctor');
  });

  it('is known where git was told of it by another drive letter', async () => {
    await repository.git('config', 'core.worktree', otherDrive(repository.root).replaceAll('\\', '/'));
    assert.deepEqual((await namesIn(otherDrive(repository.root))).sort(), ['one', 'three', 'two']);
    await repository.git('config', '--unset', 'core.worktree');
  });
});
