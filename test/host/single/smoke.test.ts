import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('smoke', () => {
  it('activates the extension in a window with a repository', async () => {
    const extension = vscode.extensions.getExtension('worktree-stacks.worktree-stacks');
    assert.ok(extension, 'the extension is not installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('shows one trusted folder', () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
    assert.equal(vscode.workspace.isTrusted, true);
  });
});
