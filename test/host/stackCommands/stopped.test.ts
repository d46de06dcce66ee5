import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Restacked } from '../../../src/core/restack/restack.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, git, rowOf, until } from '../../support/hostWindow.ts';
import { StackWindow } from '../../support/stackWindow.ts';

describe('a rebase that stops for a person', () => {
  let handle: TestHandle;
  let brewery: StackWindow;
  let start: string;

  before(async () => {
    handle = await extensionUnderTest();
    brewery = new StackWindow(handle, folderOfWindow(1));
    await writeFile(join(brewery.folder, 'src/login.js'), 'export const login = () => false;\n');
    await git(brewery.folder, 'add', '.');
    await git(brewery.folder, 'commit', '--quiet', '-m', 'Log nobody in');
    start = await brewery.tips();
  });

  const stop = async (): Promise<void> => {
    const done = await brewery.run<Restacked>('rebaseStack', brewery.at('auth-ui', { ask: false }));
    assert.equal(done?.stop?.branch, 'feat-auth');
    assert.deepEqual(done.stop.files, ['src/login.js']);
    await until(
      handle,
      'the row says that it has stopped',
      () => brewery.flags('feat-auth'),
      (flags) => flags.includes('stopped'),
    );
  };
  const undo = (): Thenable<unknown> => brewery.run('undo', { repository: brewery.folder, ask: false });

  it('shows where it waits, and what waits for it', async () => {
    await stop();
    assert.equal(handle.keys.get('worktreeStacks.isRestacking'), true);
    const stopped = rowOf(handle, brewery.row('feat-auth'));
    // Its rebase is not told twice.
    assert.match(stopped.description, /^restack stopped · 1 conflict · /);
    assert.equal(stopped.icon, 'warning');
    assert.ok(!brewery.flags('feat-auth').some((flag) => flag === 'waits' || flag === 'behind'));
    for (const name of ['auth-ui', 'auth-docs']) {
      assert.match(rowOf(handle, brewery.row(name)).description, /^⏸ feat-auth/);
      assert.ok(brewery.flags(name).includes('waits'));
    }
    assert.ok(!brewery.flags('pay-api').some((flag) => flag === 'stopped' || flag === 'waits'));
    const [conflict] = await handle.view.getChildren(brewery.row('feat-auth'));
    assert.equal(conflict?.kind === 'conflict' && conflict.file.path, 'src/login.js');
    const { token } = new vscode.CancellationTokenSource();
    const node = brewery.row('feat-auth');
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value.replaceAll('\\', ''), /\| Next \| Resolve the conflicts and continue the restack/);
  });

  it('does not begin another one on the same stack', async () => {
    assert.equal(await brewery.run('rebase', brewery.at('auth-docs', { ask: false })), undefined);
    assert.equal(await brewery.run('moveOnto', brewery.at('auth-ui', { onto: 'pay-api', ask: false })), undefined);
    assert.ok(brewery.flags('feat-auth').includes('stopped'));
  });

  it('does not go on while the conflict is there', async () => {
    assert.equal(await brewery.run('continueRebase', brewery.row('feat-auth')), undefined);
    assert.ok(brewery.flags('feat-auth').includes('stopped'));
  });

  it('takes all of it back', async () => {
    await brewery.run('abortRebase', brewery.at('auth-docs', { ask: false }));
    assert.equal(await brewery.tips(), start);
    assert.equal(await git(brewery.path('feat-auth'), 'branch', '--show-current'), 'feat-auth');
    assert.equal(handle.keys.get('worktreeStacks.isRestacking'), false);
  });

  it('goes on without a worktree being named when it is the only one, up to the top of the stack', async () => {
    await stop();
    await writeFile(join(brewery.path('feat-auth'), 'src/login.js'), 'export const login = () => undefined;\n');
    await git(brewery.path('feat-auth'), 'add', '.');
    const done = await brewery.run<Restacked>('continueRebase');
    assert.equal(done?.stop, undefined);
    assert.deepEqual(await brewery.subjects('auth-docs', 'main'), [
      'Add a login',
      'Show a form',
      'Show a button',
      'Tell about it',
    ]);
    assert.equal(await git(brewery.path('auth-ui'), 'status', '--porcelain'), '?? notes.txt');
    assert.equal(handle.keys.get('worktreeStacks.isRestacking'), false);
    await undo();
    assert.equal(await brewery.tips(), start);
  });

  it('goes on without the commit that is in conflict', async () => {
    await stop();
    const done = await brewery.run<Restacked>('skipRebase', brewery.at('feat-auth', { ask: false }));
    assert.equal(done?.stop, undefined);
    assert.deepEqual(await brewery.subjects('auth-docs', 'main'), ['Show a form', 'Show a button', 'Tell about it']);
    await undo();
    assert.equal(await brewery.tips(), start);
  });

  it('takes all of it back when git itself was told to end it', async () => {
    await stop();
    await git(brewery.path('feat-auth'), 'rebase', '--abort');
    const done = await brewery.run<Restacked & { aborted: boolean }>('continueRebase', brewery.at('feat-auth'));
    assert.equal(done?.aborted, true);
    assert.equal(await brewery.tips(), start);
    assert.equal(handle.keys.get('worktreeStacks.isRestacking'), false);
  });

  it('has nothing to go on with when none has stopped', async () => {
    for (const command of ['continueRebase', 'skipRebase', 'abortRebase'])
      assert.equal(await brewery.run(command), undefined);
    assert.equal(await brewery.tips(), start);
  });
});
