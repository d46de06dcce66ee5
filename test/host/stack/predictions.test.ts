import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, git, until } from '../../support/hostWindow.ts';
import { predictedDecorations } from '../../../src/extension/views/predictedDecorations.ts';

describe('conflicts that would come', () => {
  let handle: TestHandle;
  let folder: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    // They are looked for only while somebody sees the view.
    await vscode.commands.executeCommand('worktreeStacks.worktrees.focus');
  });
  after(async () => {
    await rm(join(folder, '.worktrees/pay-api/src/login.js'), { force: true });
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

  it('are none at first', () => {
    assert.deepEqual(Object.values(badges()).filter(Boolean), []);
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
    await until(
      handle,
      'nothing is told any more',
      badges,
      (all) => Object.values(all).every((each) => each === undefined),
      40_000,
    );
  });

  it('with the base are told as well', async () => {
    await writeFile(join(folder, '.worktrees/pay-api/src/price.js'), 'export const price = 3;\n');
    const seen = await until(handle, 'the conflict is told', badges, (all) => all['pay-api'] !== undefined, 40_000);
    assert.equal(seen['pay-api'], 'Would conflict with main: src/price.js');
  });
});
