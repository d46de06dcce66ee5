import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('smoke, empty window', () => {
  it('has no folder', () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
  });
});
