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
import { predictedDecorations } from '../../../src/extension/views/predictedDecorations.ts';

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
  const badge = (name: string): vscode.FileDecoration | undefined => {
    const { resourceUri } = item(name);
    const { token } = new vscode.CancellationTokenSource();
    const given = resourceUri && predictedDecorations.provideFileDecoration(resourceUri, token);
    return given instanceof vscode.FileDecoration ? given : undefined;
  };
  const badges = (): Record<string, string | undefined> =>
    Object.fromEntries(['feat-auth', 'auth-ui', 'auth-docs', 'pay-api'].map((name) => [name, badge(name)?.tooltip]));

  const untilNothingIsTold = (): Promise<unknown> =>
    until(
      handle,
      'nothing is told any more',
      badges,
      (all) => Object.values(all).every((each) => each === undefined),
      40_000,
    );

  const row = (name: string): Row => {
    const node = handle.view.find(join(folder, '.worktrees', name));
    assert.ok(node, name);
    return rowOf(handle, node);
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
    assert.deepEqual(Object.values(badges()).filter(Boolean), []);
  });

  it('are told first in the rows of both modes once it is seen, one file as one', async () => {
    await vscode.commands.executeCommand('worktreeStacks.worktrees.focus');
    await until(
      handle,
      'pay-api says so',
      () => row('pay-api').description,
      (words) => /^conflicts with (auth-ui|auth-docs) \+1: 1 file · needs restack · /.test(words),
      40_000,
    );
    assert.match(row('auth-ui').description, /^conflicts with pay-api: 1 file · /);
    assert.match(row('auth-ui').spoken, /would conflict with pay-api in 1 file/);
    await vscode.commands.executeCommand('worktreeStacks.viewAsStack');
    assert.match(row('auth-ui').description, /^conflicts with pay-api: 1 file · /);
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
    assert.equal(badge('auth-ui')?.tooltip, 'Would conflict with pay-api: src/form.js');
    const node = handle.view.find(join(folder, '.worktrees/auth-ui'));
    assert.ok(node);
    const { token } = new vscode.CancellationTokenSource();
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value.replaceAll('\\', ''), /\| Would conflict \| with pay-api: src\/form\.js \|/);
  });

  it('follow what changes, with the number of files', async () => {
    await writeFile(join(folder, '.worktrees/auth-docs/src/pay.js'), 'export const pay = "docs";\n');
    const two = /^conflicts with pay-api: 2 files · /;
    await until(
      handle,
      'auth-docs has two',
      () => row('auth-docs').description,
      (words) => two.test(words),
      40_000,
    );
    assert.equal(badge('auth-docs')?.badge, '2');
    await rm(join(folder, '.worktrees/pay-api/src/form.js'));
    await rm(join(folder, '.worktrees/auth-docs/src/pay.js'));
    await untilNothingIsTold();
    assert.doesNotMatch(row('pay-api').description, /conflicts/);
  });

  it('are told at both worktrees, with the other’s name and the files, before anything is committed', async () => {
    await writeFile(join(folder, '.worktrees/pay-api/src/login.js'), 'export const login = () => "paid";\n');
    const seen = await until(handle, 'the conflict is told', badges, (all) => all['pay-api'] !== undefined, 40_000);
    const lines = seen['pay-api']?.split('\n') ?? [];
    assert.ok(lines.includes('Would conflict with feat-auth: src/login.js'), seen['pay-api']);
    assert.equal(seen['feat-auth'], 'Would conflict with pay-api: src/login.js');
    assert.equal(badge('feat-auth')?.badge, '1');
    assert.match(item('pay-api').accessibilityInformation?.label ?? '', /would conflict/i);
  });

  it('go when they would not come any more', async () => {
    await rm(join(folder, '.worktrees/pay-api/src/login.js'));
    await untilNothingIsTold();
  });

  it('with the base are told as well', async () => {
    await writeFile(join(folder, '.worktrees/pay-api/src/price.js'), 'export const price = 3;\n');
    const seen = await until(handle, 'the conflict is told', badges, (all) => all['pay-api'] !== undefined, 40_000);
    assert.equal(seen['pay-api'], 'Would conflict with main: src/price.js');
  });
});
