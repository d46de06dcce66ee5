import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('smoke, restricted mode', () => {
  it('opens the folder without trusting it', () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
    assert.equal(vscode.workspace.isTrusted, false);
  });
});
