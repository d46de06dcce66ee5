import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, git, untilRows } from '../../support/hostWindow.ts';

describe('uncommitted work', () => {
  let handle: TestHandle;
  let folder: string;
  const at = (name: string): string => join(folder, '.worktrees', name);
  const run = <T>(command: string, argument: object): Thenable<T> =>
    vscode.commands.executeCommand<T>(`worktreeStacks.${command}`, { ask: false, ...argument });
  const status = (name: string): Promise<string> => git(at(name), 'status', '--porcelain');
  const untilChanged = (name: string): Promise<unknown> =>
    untilRows(handle, `two files of ${name} are changed`, (rows) =>
      rows.some(({ label, spoken }) => label === name && spoken.includes('2 files changed')),
    );

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    await run('create', { name: 'leek', base: 'main', then: 'stay' });
    await run('create', { name: 'mint', base: 'main', then: 'stay' });
    await writeFile(join(at('leek'), 'tart.md'), '# Tart\n');
    await git(at('leek'), 'add', 'tart.md');
    await writeFile(join(at('leek'), 'jam.md'), '# Jam\n');
    await untilChanged('leek');
  });
  after(async () => {
    for (const worktree of ['leek', 'mint', 'nettle']) await run('cleanup', { worktree, force: true });
  });

  it('goes to another worktree, with what is staged', async () => {
    const carried = await run<{ files: string[] }>('carryChanges', { worktree: 'leek', to: 'mint', changes: 'move' });
    assert.deepEqual(carried.files, ['jam.md', 'tart.md']);
    assert.deepEqual([await status('leek'), await status('mint')], ['', 'A  tart.md\n?? jam.md']);
    await untilChanged('mint');
  });

  it('goes along to a worktree that is created from it, and stays where it is as well when it is copied', async () => {
    await run('create', { name: 'nettle', base: 'mint', then: 'stay', changes: 'copy' });
    assert.deepEqual(
      [await status('mint'), await status('nettle')],
      ['A  tart.md\n?? jam.md', 'A  tart.md\n?? jam.md'],
    );
  });

  it('stays where it is when a program does not speak of it', async () => {
    await run('create', { name: 'oregano', base: 'mint', then: 'stay' });
    assert.deepEqual([await status('mint'), await status('oregano')], ['A  tart.md\n?? jam.md', '']);
    await run('cleanup', { worktree: 'oregano' });
  });

  it('comes back with an undo', async () => {
    await run('carryChanges', { worktree: 'mint', to: 'leek', changes: 'move' });
    assert.deepEqual([await status('leek'), await status('mint')], ['A  tart.md\n?? jam.md', '']);
    await run('undo', {});
    assert.deepEqual([await status('leek'), await status('mint')], ['', 'A  tart.md\n?? jam.md']);
  });
});
