import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Binding {
  readonly key: string;
  readonly command: string;
  readonly when?: string;
}

describe('the keys', () => {
  it('that work everywhere in the window are none of VS Code’s own', async () => {
    const defaults = await vscode.workspace.openTextDocument(
      vscode.Uri.parse('vscode://defaultsettings/keybindings.json'),
    );
    // A list of objects behind comments; those of commands without a key stand in comments at its end.
    const text = defaults.getText();
    const theirs = [
      ...text.matchAll(/^\{ "key": "([^"]+)",\s+"command": "([^"]+)"(?:,\s+"when": "((?:[^"\\]|\\.)*)")?/gm),
    ]
      .map(([, key = '', command = '', when]): Binding => ({ key, command, ...(when === undefined ? {} : { when }) }))
      .filter(({ command }) => !command.startsWith('worktreeStacks.'));
    assert.ok(theirs.length > 500, `only ${theirs.length} keys were found in ${text.slice(0, 500)}`);
    const { contributes } = vscode.extensions.getExtension('worktree-stacks.worktree-stacks')?.packageJSON as {
      contributes: { keybindings: Binding[] };
    };
    // The others work within a view or an editor of our own only.
    const ours = contributes.keybindings.filter(({ key }) => key.startsWith('ctrl+k '));
    assert.ok(ours.length > 0);
    const taken = ours.flatMap(({ key, command }) =>
      theirs
        .filter((other) => other.key === key)
        .map((other) => `${command}: ${other.key} is ${other.command} when ${other.when ?? 'ever'}`),
    );
    assert.deepEqual(taken, []);
  });
});
