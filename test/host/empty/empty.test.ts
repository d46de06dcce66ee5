import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest } from '../../support/hostWindow.ts';

describe('a window without a folder', () => {
  let handle: TestHandle;

  before(async () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    handle = await extensionUnderTest();
  });

  it('says that there is no folder', () => {
    assert.equal(handle.keys.get('worktreeStacks.state'), 'noFolder');
    assert.equal(handle.keys.get('worktreeStacks.hasWorktrees'), false);
  });

  it('shows no rows and nothing in the status bar', async () => {
    assert.deepEqual(await handle.view.getChildren(), []);
    assert.equal(handle.statusBar.text, '');
  });

  it('does not fail when it is asked to look again', async () => {
    await vscode.commands.executeCommand('worktreeStacks.refresh');
    assert.equal(handle.keys.get('worktreeStacks.state'), 'noFolder');
  });
});
