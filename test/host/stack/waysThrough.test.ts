import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, git } from '../../support/hostWindow.ts';

describe('ways through a stack', () => {
  let handle: TestHandle;
  let folder: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const file = (name: string, path: string): vscode.Uri =>
    vscode.Uri.file(name === 'main' ? join(folder, path) : join(folder, '.worktrees', name, path));
  const show = async (name: string, path: string): Promise<vscode.TextEditor> =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file(name, path)));
  const go = (command: string, argument?: unknown): Thenable<unknown> =>
    vscode.commands.executeCommand(`worktreeStacks.${command}`, argument);
  const active = (): string => vscode.window.activeTextEditor?.document.uri.fsPath ?? '';

  it('lead to the next and the previous worktree, in the order in which stacks are drawn', async () => {
    await show('feat-auth', 'src/login.js');
    const order: unknown[] = [];
    for (const name of ['feat-auth', 'auth-ui', 'auth-docs']) {
      const node = handle.view.find(join(folder, '.worktrees', name));
      assert.ok(node, name);
      order.push(await go('nextInStack', node));
    }
    assert.deepEqual(
      order,
      ['auth-ui', 'auth-docs', 'pay-api'].map((name) => join(folder, '.worktrees', name)),
    );
    assert.equal(await go('previousInStack'), folder, 'from the file of the editor');
  });

  it('lead on while the view is drawn anew', async () => {
    const answers: unknown[] = [];
    for (let round = 0; round < 12; round++) {
      const going = ['feat-auth', 'auth-ui', 'auth-docs'].map((name) =>
        go('nextInStack', handle.view.find(join(folder, '.worktrees', name))),
      );
      await go(round % 2 === 0 ? 'viewAsList' : 'viewAsStack');
      answers.push(...(await Promise.all(going)));
    }
    const names = ['auth-ui', 'auth-docs', 'pay-api'];
    assert.deepEqual(
      [...new Set(answers)],
      names.map((name) => join(folder, '.worktrees', name)),
    );
  });

  it('end with a sentence where the stack ends', async () => {
    const last = handle.view.find(join(folder, '.worktrees/pay-api'));
    assert.equal(await go('nextInStack', last), 'pay-api is the last worktree of its stack.');
    const first = handle.view.find(folder);
    assert.equal(await go('previousInStack', first), 'main is the first worktree of its stack.');
  });

  it('open the same file of the branch above and below, at the same place', async () => {
    const editor = await show('auth-ui', 'src/login.js');
    editor.selection = new vscode.Selection(0, 7, 0, 12);
    await go('sameFileAbove');
    assert.equal(active(), file('feat-auth', 'src/login.js').fsPath);
    assert.deepEqual(
      [
        vscode.window.activeTextEditor?.selection.start.character,
        vscode.window.activeTextEditor?.selection.end.character,
      ],
      [7, 12],
    );
    await go('sameFileBelow');
    assert.equal(active(), file('auth-ui', 'src/login.js').fsPath);
  });

  it('say why where there is no such branch or file', async () => {
    await show('main', 'README.md');
    assert.equal(await go('sameFileAbove'), 'main has no base: it is the trunk.');
    await show('auth-docs', 'docs/login.md');
    assert.equal(await go('sameFileBelow'), 'auth-docs has no dependents.');
    assert.equal(await go('sameFileAbove'), 'auth-ui has no file docs/login.md.');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(await go('sameFileAbove'), 'Open a file of a worktree first.');
    const loose = vscode.Uri.file(join(folder, '..', 'loose.txt'));
    assert.equal(await go('sameFileAbove', loose), 'This file is in no worktree of a repository in this window.');
  });

  it('lead from the lowest branch to the trunk, where the main working tree has it', async () => {
    await show('pay-api', 'src/price.js');
    await go('sameFileAbove');
    assert.equal(active(), file('main', 'src/price.js').fsPath);
  });

  it('go on from the row that is selected', async () => {
    const selected = (): string | undefined => {
      const [node] = handle.view.tree.selection;
      return node?.kind === 'worktree' ? node.worktree.name : undefined;
    };
    await show('feat-auth', 'src/login.js');
    await go('nextInStack');
    assert.equal(selected(), 'auth-ui');
    const names: (string | undefined)[] = [];
    for (const command of ['nextInStack', 'previousInStack', 'previousInStack', 'previousInStack']) {
      await go(command, { from: 'selection' });
      names.push(selected());
    }
    assert.deepEqual(names, ['auth-docs', 'auth-ui', 'feat-auth', 'main']);
  });

  it('each have a key, which nothing else of this extension has', async () => {
    const { keybindings } = (
      JSON.parse(await readFile(join(handle.context.extensionPath, 'package.json'), 'utf8')) as {
        contributes: { keybindings: { command: string; key: string; when: string }[] };
      }
    ).contributes;
    for (const name of ['nextInStack', 'previousInStack', 'sameFileAbove', 'sameFileBelow'])
      assert.ok(
        keybindings.some(({ command }) => command === `worktreeStacks.${name}`),
        name,
      );
    const places = keybindings.map(({ key, when }) => `${key} ${when}`);
    assert.deepEqual([...new Set(places)], places);
  });

  it('show the file as it is in a branch that no working tree has checked out', async () => {
    await git(folder, 'worktree', 'remove', '--force', '.worktrees/auth-ui');
    await handle.repositories.refresh();
    try {
      await show('auth-docs', 'src/form.js');
      const opened = await go('sameFileAbove');
      assert.ok(opened instanceof vscode.Uri && opened.scheme !== 'file');
      const { document } = vscode.window.activeTextEditor ?? assert.fail();
      assert.equal(document.getText(), 'export const form = [];\n');
      assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme), false);
      assert.equal(await go('sameFileAbove'), 'feat-auth has no file src/form.js.');
      await go('sameFileBelow');
      assert.equal(active(), file('auth-docs', 'src/form.js').fsPath);
      // From there the way goes on.
      await show('auth-docs', 'src/login.js');
      await go('sameFileAbove');
      await go('sameFileAbove');
      assert.equal(active(), file('feat-auth', 'src/login.js').fsPath);
    } finally {
      await git(folder, 'worktree', 'add', '--quiet', '.worktrees/auth-ui', 'auth-ui');
      await handle.repositories.refresh();
    }
  });
});
