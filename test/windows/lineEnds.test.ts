import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe('the line ends of Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
    assert.equal(await repository.git('config', 'core.autocrlf'), 'true');
    await repository.commit('Lines', { 'lines.txt': '1\r\n2\r\n3\r\n4\r\n5\r\n', 'other.txt': 'a\r\nb\r\n' });
    await wt('create', 'one');
  });
  after(() => home.dispose());

  const at = (...path: string[]): string => join(repository.root, '.worktrees', ...path);
  const wt = (...args: string[]): Promise<string> => home.done(repository.root, ...args);
  const status = (name: string): Promise<string> => repository.gitIn(at(name), 'status', '--porcelain');

  it('are nothing that was changed, also in a file that was written anew with them', async () => {
    await writeFile(at('one', 'lines.txt'), await readFile(at('one', 'lines.txt')));
    const { worktrees } = JSON.parse(await wt('list', '--json')) as {
      worktrees: { name: string; main: boolean; changes: { total: number } }[];
    };
    assert.deepEqual(
      worktrees.filter(({ main }) => !main).map(({ name, changes }) => [name, changes.total]),
      [['one', 0]],
    );
    await wt('cleanup', 'one');
    assert.equal(existsSync(at('one')), false);
    await wt('undo');
    assert.equal(await readFile(at('one', 'lines.txt'), 'utf8'), '1\r\n2\r\n3\r\n4\r\n5\r\n');
    assert.equal(await status('one'), '');
  });

  it('come back byte for byte with the work of a worktree that was removed, whatever they are', async () => {
    const work: Readonly<Record<string, string>> = {
      'lines.txt': '1\r\n2, changed\r\n3\r\n4\r\n5\r\n',
      'other.txt': 'a\nb, by a program that writes no carriage return\n',
      'new.txt': 'new\r\nfile\r\n',
      'run.sh': '#!/bin/sh\necho done\n',
      'mixed.txt': 'one\r\ntwo\nthree\r\n',
    };
    for (const [file, text] of Object.entries(work)) await writeFile(at('one', file), text);
    await repository.gitIn(at('one'), 'add', 'lines.txt');
    const before = await status('one');
    await wt('cleanup', 'one', '--force');
    assert.equal(existsSync(at('one')), false);
    await wt('undo');
    const found = await Promise.all(
      Object.keys(work).map(async (file) => [file, await readFile(at('one', file), 'utf8')]),
    );
    assert.deepEqual(Object.fromEntries(found), work);
    assert.equal(await status('one'), before);
    await repository.gitIn(at('one'), 'reset', '--quiet', '--hard');
    await repository.gitIn(at('one'), 'clean', '--quiet', '--force');
  });

  it('are no conflict, foretold or met, where two sides change one file', async () => {
    await repository.commit('One', { 'lines.txt': '1 of one\r\n2\r\n3\r\n4\r\n5\r\n' }, at('one'));
    await wt('create', 'two', '--base', 'one');
    await repository.commit('Two', { 'lines.txt': '1 of one\r\n2\r\n3\r\n4\r\n5 of two\r\n' }, at('two'));
    await repository.commit('Trunk', { 'lines.txt': '1\r\n2\r\n3 of main\r\n4\r\n5\r\n' });
    const foretold = JSON.parse(await wt('predict', '--json')) as { conflicts: unknown[] };
    assert.deepEqual(foretold.conflicts, []);
    await wt('rebase', 'one', '--stack');
    assert.equal(await readFile(at('two', 'lines.txt'), 'utf8'), '1 of one\r\n2\r\n3 of main\r\n4\r\n5 of two\r\n');
    for (const name of ['one', 'two']) {
      assert.equal(await status(name), '');
      assert.doesNotMatch(await repository.gitIn(at(name), 'show', ':lines.txt'), /\r/);
    }
  });
});
