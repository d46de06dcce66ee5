import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import {
  extensionUnderTest,
  folderOfWindow,
  git,
  rowOf,
  until,
  untilEvent,
  type Row,
} from '../../support/hostWindow.ts';

describe('conflicts that would come', () => {
  let handle: TestHandle;
  let folder: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
  });
  after(async () => {
    for (const file of ['pay-api/src/login.js', 'pay-api/src/form.js', 'auth-docs/src/pay.js'])
      await rm(join(folder, '.worktrees', file), { force: true });
    await git(join(folder, '.worktrees/pay-api'), 'checkout', '--quiet', '--', '.');
  });

  const item = (name: string): vscode.TreeItem => {
    const node = handle.view.find(join(folder, '.worktrees', name));
    assert.ok(node, name);
    return handle.view.getTreeItem(node);
  };
  /** What is read aloud of the conflicts to come, by worktree. */
  const told = (): Record<string, string | undefined> =>
    Object.fromEntries(
      ['feat-auth', 'auth-ui', 'auth-docs', 'pay-api'].map((name) => [
        name,
        /would conflict with .* in \d+ files?/.exec(row(name).spoken)?.[0],
      ]),
    );

  const untilNothingIsTold = (): Promise<unknown> =>
    until(
      handle,
      'nothing is told any more',
      told,
      (all) => Object.values(all).every((each) => each === undefined),
      40_000,
    );

  const row = (name: string): Row => {
    const node = handle.view.find(join(folder, '.worktrees', name));
    assert.ok(node, name);
    return rowOf(handle, node);
  };

  const tooltipOf = async (name: string): Promise<string> => {
    const node = handle.view.find(join(folder, '.worktrees', name));
    assert.ok(node, name);
    const { token } = new vscode.CancellationTokenSource();
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    return tooltip.value.replaceAll('\\', '');
  };

  it('are not looked for while nobody sees the view', async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await untilEvent(
      handle.view.tree.onDidChangeVisibility,
      'the view is hidden',
      () => handle.view.tree.visible,
      (visible) => !visible,
    );
    await writeFile(join(folder, '.worktrees/pay-api/src/form.js'), 'export const form = "pay";\n');
    await handle.repositories.refresh();
    assert.deepEqual(handle.repositories.models[0]?.state?.predicted, []);
    assert.deepEqual(Object.values(told()).filter(Boolean), []);
  });

  it('are told first in the rows of both modes once it is seen, one file as one', async () => {
    await vscode.commands.executeCommand('worktreeStacks.worktrees.focus');
    await until(
      handle,
      'pay-api says so',
      () => row('pay-api').description,
      (words) => /^⚠ (auth-ui|auth-docs) \+1 · needs restack · /.test(words),
      40_000,
    );
    assert.match(row('auth-ui').description, /^⚠ pay-api · /);
    assert.match(row('auth-ui').spoken, /would conflict with pay-api in 1 file/);
    await vscode.commands.executeCommand('worktreeStacks.viewAsStack');
    assert.match(row('auth-ui').description, /^⚠ pay-api · /);
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
    const { iconPath, resourceUri } = item('auth-ui');
    assert.ok(iconPath instanceof vscode.ThemeIcon);
    assert.deepEqual(
      [iconPath.id, iconPath.color?.id, resourceUri],
      ['warning', 'worktreeStacks.comingConflictForeground', undefined],
    );
    assert.match(await tooltipOf('auth-ui'), /\| Would conflict \| with pay-api: src\/form\.js \|/);
  });

  it('follow what changes, with the number of files', async () => {
    await writeFile(join(folder, '.worktrees/auth-docs/src/pay.js'), 'export const pay = "docs";\n');
    await until(
      handle,
      'auth-docs has two',
      () => told()['auth-docs'],
      (words) => words?.endsWith('in 2 files') ?? false,
      40_000,
    );
    assert.match(row('auth-docs').spoken, /would conflict with pay-api in 2 files/);
    await rm(join(folder, '.worktrees/pay-api/src/form.js'));
    await rm(join(folder, '.worktrees/auth-docs/src/pay.js'));
    await untilNothingIsTold();
    assert.doesNotMatch(row('pay-api').description, /⚠/);
  });

  it('are told at both worktrees, with the other’s name and the files, before anything is committed', async () => {
    await writeFile(join(folder, '.worktrees/pay-api/src/login.js'), 'export const login = () => "paid";\n');
    const seen = await until(handle, 'the conflict is told', told, (all) => all['pay-api'] !== undefined, 40_000);
    assert.match(seen['pay-api'] ?? '', /would conflict with .*feat-auth.* in 1 file/);
    assert.match(seen['feat-auth'] ?? '', /would conflict with pay-api in 1 file/);
    const tooltips = await Promise.all(['pay-api', 'feat-auth'].map(tooltipOf));
    assert.match(tooltips[0] ?? '', /\| Would conflict \| with feat-auth: src\/login\.js \|/);
    assert.match(tooltips[1] ?? '', /\| Would conflict \| with pay-api: src\/login\.js \|/);
  });

  it('go when they would not come any more', async () => {
    await rm(join(folder, '.worktrees/pay-api/src/login.js'));
    await untilNothingIsTold();
  });

  it('with the base are told as well', async () => {
    await writeFile(join(folder, '.worktrees/pay-api/src/price.js'), 'export const price = 3;\n');
    const seen = await until(handle, 'the conflict is told', told, (all) => all['pay-api'] !== undefined, 40_000);
    assert.match(seen['pay-api'] ?? '', /would conflict with main in 1 file/);
    assert.match(await tooltipOf('pay-api'), /\| Would conflict \| with main: src\/price\.js \|/);
  });
});
