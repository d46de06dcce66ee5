import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { drawn, extensionUnderTest, folderOfWindow, git, rowOf, until } from '../../support/hostWindow.ts';

describe('the Worktrees view in stack mode', () => {
  let handle: TestHandle;
  let folder: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    await vscode.commands.executeCommand('worktreeStacks.viewAsStack');
    await until(
      handle,
      'stacks are shown',
      () => drawn(handle),
      (rows) => rows.some((row) => row.includes('needs restack')),
    );
  });

  after(async () => {
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
  });

  const shape = async (): Promise<string[]> => (await drawn(handle)).map((row) => row.replace(/:.*/, ''));
  const untilShape = (what: string, wanted: readonly string[]): Promise<string[]> =>
    until(handle, what, shape, (rows) => JSON.stringify(rows) === JSON.stringify(wanted));
  const editRegistry = async (change: (worktrees: Record<string, { base: string }>) => void): Promise<void> => {
    const file = join(folder, '.worktrees/stack.json');
    const registry = JSON.parse(await readFile(file, 'utf8')) as { worktrees: Record<string, { base: string }> };
    change(registry.worktrees);
    await writeFile(file, JSON.stringify(registry));
    await handle.repositories.refresh();
  };

  it('has the trunk at the root, and each branch below the one that it stands on', async () => {
    assert.deepEqual(await shape(), ['main', '  feat-auth', '    auth-ui', '      auth-docs', '  pay-api']);
    assert.equal(handle.keys.get('worktreeStacks.viewMode'), 'stack');
  });

  it('does not name the base of a row that stands on it, nor in the list', async () => {
    const uiRow = (await drawn(handle))[2] ?? '';
    assert.match(uiRow, /auth-ui: 1 changed · ↑2$/);
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
    const list = await drawn(handle);
    assert.ok(list.includes('auth-ui: 1 changed · ↑2'));
    assert.ok(list.includes('feat-auth: needs restack'));
    await vscode.commands.executeCommand('worktreeStacks.viewAsStack');
  });

  it('says which branch needs to be restacked, and which does not', async () => {
    const rows = await drawn(handle);
    assert.match(rows[1] ?? '', /feat-auth: needs restack$/);
    assert.doesNotMatch(rows[2] ?? '', /needs restack/);
  });

  it('keeps the changed files of a worktree that others stand on in a row of their own', async () => {
    const node = handle.view.find(join(folder, '.worktrees/auth-ui'));
    assert.ok(node);
    const below = await handle.view.getChildren(node);
    assert.deepEqual(
      below.map((each) => rowOf(handle, each).label),
      ['Changes', 'auth-docs'],
    );
    const [group] = below;
    assert.ok(group);
    const files = await handle.view.getChildren(group);
    assert.deepEqual(files.map((each) => rowOf(handle, each).label).sort(), ['button.js', 'form.js', 'notes.txt']);
    const [file] = files;
    assert.equal(file && handle.view.getParent(file), group);
  });

  it('shows the files of a worktree that nothing stands on right below it', async () => {
    const node = handle.view.find(join(folder, '.worktrees/pay-api'));
    assert.ok(node);
    const [file] = await handle.view.getChildren(node);
    assert.equal(file && rowOf(handle, file).label, 'pay.js');
  });

  it('tells in the tooltip where in its stack a worktree is', async () => {
    const node = handle.view.find(join(folder, '.worktrees/auth-ui'));
    assert.ok(node);
    const { token } = new vscode.CancellationTokenSource();
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value.replaceAll('\\', ''), /\| Stack \| main › feat-auth › auth-ui, position 2 \|/);
  });

  it('shows a ring of bases as one, and each that is in it', async () => {
    await editRegistry((worktrees) => ((worktrees['feat-auth'] ?? assert.fail()).base = 'auth-ui'));
    await untilShape('the ring is shown', [
      'main',
      '  pay-api',
      'Base cycle',
      '  auth-docs',
      '  auth-ui',
      '  feat-auth',
    ]);
    const node = handle.view.find(join(folder, '.worktrees/feat-auth'));
    assert.ok(node);
    assert.match(rowOf(handle, node).description, /^base cycle with auth-ui/);
    assert.equal(rowOf(handle, node).icon, 'warning');
    await editRegistry((worktrees) => ((worktrees['feat-auth'] ?? assert.fail()).base = 'main'));
  });

  it('shows a base that is gone as the root of what stood on it', async () => {
    await editRegistry((worktrees) => ((worktrees['pay-api'] ?? assert.fail()).base = 'spike'));
    await untilShape('the base that is gone is shown', [
      'main',
      '  feat-auth',
      '    auth-ui',
      '      auth-docs',
      'spike',
      '  pay-api',
    ]);
    assert.equal((await drawn(handle))[4], 'spike: gone');
    await editRegistry((worktrees) => ((worktrees['pay-api'] ?? assert.fail()).base = 'main'));
  });

  it('keeps a branch whose worktree was removed by hand in its place', async () => {
    await git(folder, 'worktree', 'remove', '--force', '.worktrees/auth-ui');
    await until(
      handle,
      'the branch is there without a worktree',
      () => drawn(handle),
      (rows) => rows[2] === '    auth-ui: no worktree' && rows[3]?.startsWith('      auth-docs') === true,
    );
    await git(folder, 'worktree', 'add', '--quiet', '.worktrees/auth-ui', 'auth-ui');
    await until(
      handle,
      'the worktree is back',
      () => handle.view.find(join(folder, '.worktrees/auth-ui'))?.worktree.condition,
      (condition) => condition === 'fine',
    );
  });

  it('goes back to the list, with the same rows', async () => {
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
    assert.equal((await shape())[0], 'main');
    assert.deepEqual((await shape()).sort(), ['auth-docs', 'auth-ui', 'feat-auth', 'main', 'pay-api']);
    assert.equal(handle.keys.get('worktreeStacks.viewMode'), 'list');
  });
});
