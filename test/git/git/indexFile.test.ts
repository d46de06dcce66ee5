import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mayHoldSpecialEntries } from '../../../src/core/git/indexFile.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';

suite('a quick look at an index', () => {
  let home: TestHome;
  let repository: TestRepository;
  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    const long = `${'long/'.repeat(40)}${'x'.repeat(200)}`;
    const names = ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'abcdefgh', 'ü', 'two words', long];
    await repository.commit('More', Object.fromEntries(names.map((name) => [name, name])));
    await repository.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${await repository.git('hash-object', '-w', 'a')},link`,
    );
  });
  teardown(() => home.dispose());

  const look = async (): Promise<boolean> =>
    mayHoldSpecialEntries(await readFile(join(repository.root, '.git', 'index')));

  test('passes plain files and links, with and without further sections', async () => {
    assert.equal(await look(), false);
    await repository.git('update-index', '--force-untracked-cache');
    await repository.git('status');
    assert.equal(await look(), false);
  });

  test('passes a name that is longer than its field for the length', async () => {
    const blob = await repository.git('hash-object', '-w', 'a');
    const name = Array.from({ length: 30 }, () => 'y'.repeat(150)).join('/');
    await repository.git('update-index', '--add', '--cacheinfo', `100644,${blob},${name}`);
    assert.equal(await look(), false);
  });

  test('finds a submodule', async () => {
    await repository.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${await repository.git('rev-parse', 'HEAD')},sub`,
    );
    assert.equal(await look(), true);
  });

  for (const mark of ['assume-unchanged', 'skip-worktree']) {
    test(`finds ${mark}`, async () => {
      await repository.git('update-index', `--${mark}`, 'abc');
      assert.equal(await look(), true);
    });
  }

  test('finds what is to be added', async () => {
    await repository.write('new', 'x');
    await repository.git('add', '--intent-to-add', 'new');
    assert.equal(await look(), true);
  });

  test('is in doubt about a split index and about the fourth format', async () => {
    await repository.git('update-index', '--split-index');
    assert.equal(await look(), true);
    await repository.git('update-index', '--no-split-index');
    assert.equal(await look(), false);
    await repository.git('update-index', '--index-version', '4');
    assert.equal(await look(), true);
  });

  test('is in doubt about an index of another kind of id', async () => {
    const other = join(home.root, 'other');
    await repository.git('init', '--quiet', '--object-format=sha256', other);
    await repository.commit('More', { a: 'a', b: 'b' }, other);
    assert.equal(mayHoldSpecialEntries(await readFile(join(other, '.git', 'index'))), true);
  });

  test('is in doubt about what ends before its last entry, and about what is no index', async () => {
    const whole = await readFile(join(repository.root, '.git', 'index'));
    for (let length = 0; length < whole.length / 2; length++) {
      assert.equal(mayHoldSpecialEntries(whole.subarray(0, length)), true, `${length} bytes`);
    }
    await writeFile(join(repository.root, '.git', 'index'), 'nonsense'.repeat(100));
    assert.equal(await look(), true);
  });
});
