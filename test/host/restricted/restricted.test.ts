import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow } from '../../support/hostWindow.ts';

describe('restricted mode', () => {
  let handle: TestHandle;

  before(async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    handle = await extensionUnderTest();
  });

  const calls = (): Promise<string> => readFile(process.env['WORKTREE_STACKS_TEST_GIT_LOG'] ?? '', 'utf8');

  it('starts and says that the folder is not trusted', () => {
    assert.equal(handle.keys.get('worktreeStacks.state'), 'untrusted');
  });

  it('shows no rows, so that the view can explain itself', async () => {
    assert.deepEqual(await handle.view.getChildren(), []);
  });

  it('runs no git, neither by itself nor when a command is called', async () => {
    await handle.repositories.refresh();
    await vscode.commands.executeCommand('worktreeStacks.refresh');
    const made = await vscode.commands.executeCommand('worktreeStacks.create', {
      name: 'sly',
      base: 'main',
      then: 'stay',
    });
    assert.equal(made, undefined);
    const onStacks = [
      'rebase',
      'rebaseStack',
      'continueRebase',
      'skipRebase',
      'abortRebase',
      'moveOnto',
      'rename',
      'undo',
    ];
    for (const command of [...onStacks, 'redo'])
      await vscode.commands.executeCommand(`worktreeStacks.${command}`, { worktree: 'sly', ask: false });
    assert.equal(await calls(), '');
    // The recorder itself works: otherwise an empty record would prove nothing.
    spawnSync('git', ['--version']);
    assert.match(await calls(), /--version/);
  });

  it('starts no Claude, and does not even look for its plugin', async () => {
    const before = vscode.window.terminals.length;
    assert.equal(await vscode.commands.executeCommand('worktreeStacks.installClaudePlugin'), undefined);
    await vscode.commands.executeCommand('worktreeStacks.startClaude', 'payment-form');
    await vscode.commands.executeCommand('worktreeStacks.showDecisions', 'payment-form');
    assert.equal(vscode.window.terminals.length, before);
    assert.equal(vscode.window.activeTextEditor, undefined);
    assert.equal(handle.keys.get('worktreeStacks.claudePlugin'), undefined);
  });

  it('touched nothing in the repository', async () => {
    const exclude = await readFile(join(folderOfWindow(), '.git/info/exclude'), 'utf8');
    assert.equal(exclude.includes('dev-worktree'), false);
  });
});
