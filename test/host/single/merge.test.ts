import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Aborted, Merged } from '../../../src/core/merge/model.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, git, rowOf, until, worktreeNode } from '../../support/hostWindow.ts';

const session = (...tasks: string[]): string => `# Session\n\n## Pending Tasks\n\n${tasks.join('\n')}\n`;

describe('merging a worktree', () => {
  let handle: TestHandle;
  let folder: string;
  let worktree: string;
  let start: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    start = await git(folder, 'rev-parse', 'HEAD');
    await mkdir(join(folder, 'agents'));
    await writeFile(
      join(folder, 'agents/session.md'),
      session('- [ ] **Prune** the trees', '- [ ] **Press** the apples'),
    );
    await git(folder, 'add', 'agents');
    await git(folder, 'commit', '--quiet', '-m', 'Notes');
    worktree = join(folder, '.worktrees/cider');
    await run('create', { name: 'cider', base: 'main', then: 'stay' });
  });

  after(async () => {
    await run('cleanup', { worktree: 'cider', ask: false, force: true });
    await git(folder, 'switch', '--quiet', '--detach', start);
    await git(folder, 'branch', '--force', 'main', start);
    await git(folder, 'switch', '--quiet', 'main');
    await handle.repositories.refresh();
  });

  const run = <T>(command: string, ...args: unknown[]): Thenable<T> =>
    vscode.commands.executeCommand<T>(`worktreeStacks.${command}`, ...args);
  const commit = async (cwd: string, message: string, files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) await writeFile(join(cwd, path), text);
    await git(cwd, 'add', '.');
    await git(cwd, 'commit', '--quiet', '-m', message);
  };
  const flagsOf = async (name: string): Promise<string> => rowOf(handle, await worktreeNode(handle, name)).flags;

  it('brings its commits and its notes into the worktree that has its base', async () => {
    await commit(worktree, 'Press', {
      'cider.js': 'export const press = 1;\n',
      'agents/session.md': session('- [x] **Press** the apples', '- [ ] **Bottle** the cider'),
    });
    const merged = await run<Merged>('merge', { worktree: 'cider', ask: false });
    assert.equal(merged.state, 'merged');
    assert.equal(merged.commit, await git(folder, 'rev-parse', 'main'));
    assert.equal(await git(folder, 'log', '-1', '--format=%s'), '🔀 Merge wt/cider');
    assert.equal(
      await readFile(join(folder, 'agents/session.md'), 'utf8'),
      session('- [ ] **Prune** the trees', '- [x] **Press** the apples', '- [ ] **Bottle** the cider'),
    );
    assert.equal(await git(folder, 'status', '--porcelain'), '');
  });

  it('takes it back, and does it again', async () => {
    const merged = await git(folder, 'rev-parse', 'HEAD');
    await run('undo', { ask: false });
    assert.notEqual(await git(folder, 'rev-parse', 'HEAD'), merged);
    await run('redo', { ask: false });
    assert.equal(await git(folder, 'rev-parse', 'HEAD'), merged);
  });

  it('does nothing the second time', async () => {
    const head = await git(folder, 'rev-parse', 'main');
    const merged = await run<Merged>('merge', { worktree: 'cider', ask: false });
    assert.equal(merged.state, 'already');
    assert.equal(await git(folder, 'rev-parse', 'main'), head);
  });

  it('stops at a conflict, whose files stand below the worktree that it is in', async () => {
    await commit(folder, 'Ours', { 'cider.js': 'export const press = 2;\n' });
    await commit(worktree, 'Theirs', { 'cider.js': 'export const press = 3;\n' });
    assert.equal(await run('merge', { worktree: 'cider', ask: false }), undefined);
    await until(
      handle,
      'the merge is shown',
      () => flagsOf('main'),
      (flags) => flags.includes('merging'),
    );
    assert.equal(handle.keys.get('worktreeStacks.isMerging'), true);
    const rows = await handle.view.getChildren(await worktreeNode(handle, 'main'));
    assert.equal(rows.map((row) => rowOf(handle, row).spoken)[0], 'cider.js, in conflict, changed on both sides');
  });

  it('does not go on while the conflict is there', async () => {
    assert.equal(await run('continueMerge', { worktree: 'main' }), undefined);
    assert.match(await git(folder, 'status', '--porcelain'), /^AA|^UU/m);
  });

  it('takes it back', async () => {
    const aborted = await run<Aborted>('abortMerge', { worktree: 'main', ask: false });
    assert.equal(aborted.name, 'cider');
    assert.equal(await git(folder, 'status', '--porcelain'), '');
    assert.equal(await readFile(join(folder, 'cider.js'), 'utf8'), 'export const press = 2;\n');
    assert.equal(handle.keys.get('worktreeStacks.isMerging'), false);
  });

  it('goes on when the conflict is resolved', async () => {
    assert.equal(await run('merge', { worktree: 'cider', ask: false }), undefined);
    await writeFile(join(folder, 'cider.js'), 'export const press = 5;\n');
    await git(folder, 'add', 'cider.js');
    await handle.repositories.refresh();
    const merged = await run<Merged>('continueMerge', { worktree: 'main' });
    assert.equal(merged.state, 'merged');
    assert.equal(await git(folder, 'show', 'main:cider.js'), 'export const press = 5;');
    assert.equal((await flagsOf('main')).includes('merging'), false);
  });
});
