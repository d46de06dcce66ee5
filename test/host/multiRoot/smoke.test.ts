import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('smoke, several folders', () => {
  it('shows both repositories', () => {
    const names = vscode.workspace.workspaceFolders?.map((folder) => folder.name);
    assert.deepEqual(names, ['orchard', 'brewery']);
  });
});
