import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Operation } from '../../../src/core/operations/operation.ts';
import type { Restacked } from '../../../src/core/restack/restack.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { dragAndDrop } from '../../../src/extension/views/dragAndDrop.ts';
import type { Node, WorktreeNode } from '../../../src/extension/views/nodes.ts';
import { extensionUnderTest, folderOfWindow, git, until } from '../../support/hostWindow.ts';
import { StackWindow } from '../../support/stackWindow.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('restacking from the extension', () => {
  let handle: TestHandle;
  let orchard: StackWindow;
  let brewery: StackWindow;
  let start: string;

  before(async () => {
    handle = await extensionUnderTest();
    orchard = new StackWindow(handle, folderOfWindow(0));
    brewery = new StackWindow(handle, folderOfWindow(1));
    start = await orchard.tips();
    await until(
      handle,
      'the stacks are known',
      () => orchard.flags('feat-auth'),
      (flags) => flags.includes('behind'),
    );
  });

  const outcomes = (done: Restacked | undefined): Record<string, string> =>
    Object.fromEntries((done?.branches ?? []).map(({ branch, outcome }) => [branch, outcome]));
  const untilFlags = (name: string, what: string, accept: (flags: readonly string[]) => boolean): Promise<unknown> =>
    until(handle, what, () => orchard.flags(name), accept);
  /** Drags rows onto another one, as VS Code tells it; the question comes later. */
  const drop = async (dragged: readonly WorktreeNode[], onto: WorktreeNode): Promise<void> => {
    const transfer = new vscode.DataTransfer();
    const { token } = new vscode.CancellationTokenSource();
    await dragAndDrop.handleDrag?.(dragged, transfer, token);
    await dragAndDrop.handleDrop?.(onto, transfer, token);
  };

  it('moves nothing when the person leaves the preview', async () => {
    assert.equal(await orchard.leave(orchard.run('rebaseStack', orchard.at('auth-ui'))), undefined);
    assert.equal(await orchard.tips(), start);
    assert.equal(handle.keys.get('worktreeStacks.canUndo'), false);
  });

  it('rebases one worktree once the preview is accepted, and not what stands on it', async () => {
    const before = await orchard.tip('auth-ui');
    const done = await orchard.accept(orchard.run<Restacked>('rebase', orchard.at('feat-auth')));
    assert.deepEqual(outcomes(done), { 'feat-auth': 'moves' });
    assert.equal(await git(orchard.folder, 'rev-parse', 'feat-auth^'), await orchard.tip('main'));
    assert.equal(await orchard.tip('auth-ui'), before);
    await untilFlags('feat-auth', 'feat-auth is level with its base', (flags) => !flags.includes('behind'));
    await untilFlags('auth-ui', 'auth-ui needs to be restacked', (flags) => flags.includes('behind'));
  });

  it('rebases a row with all of its stack, and keeps what is not committed', async () => {
    const done = await orchard.accept(orchard.run<Restacked>('rebaseStack', orchard.row('auth-docs')));
    assert.deepEqual(outcomes(done), { 'feat-auth': 'current', 'auth-ui': 'moves', 'auth-docs': 'moves' });
    assert.deepEqual(await orchard.subjects('auth-docs', 'main'), [
      'Add a login',
      'Show a form',
      'Show a button',
      'Tell about it',
    ]);
    assert.equal(await git(orchard.path('auth-ui'), 'status', '--porcelain'), '?? notes.txt');
    assert.equal(handle.keys.get('worktreeStacks.canUndo'), true);
  });

  it('has nothing to do the second time', async () => {
    const before = await orchard.tips();
    const done = await orchard.run<Restacked>('rebaseStack', orchard.at('auth-ui'));
    assert.equal(done?.operation, undefined);
    assert.deepEqual(outcomes(done), { 'feat-auth': 'current', 'auth-ui': 'current', 'auth-docs': 'current' });
    assert.equal(await orchard.tips(), before);
  });

  it('takes the last operation back that is picked from the log, and then the one before', async () => {
    const last = await orchard.accept(orchard.run<Operation>('undo', { repository: orchard.folder }));
    assert.deepEqual(last?.moves.map(({ branch }) => branch).sort(), ['auth-docs', 'auth-ui']);
    const first = await orchard.accept(orchard.run<Operation>('undo', { repository: orchard.folder }));
    assert.deepEqual(
      first?.moves.map(({ branch }) => branch),
      ['feat-auth'],
    );
    assert.equal(await orchard.tips(), start);
    assert.equal(await git(orchard.path('auth-ui'), 'status', '--porcelain'), '?? notes.txt');
    assert.equal(handle.keys.get('worktreeStacks.canUndo'), false);
    assert.equal(handle.keys.get('worktreeStacks.canRedo'), true);
  });

  it('does it again, and does not take back what has changed since', async () => {
    await orchard.accept(orchard.run<Operation>('redo', { repository: orchard.folder }));
    assert.equal(await git(orchard.folder, 'rev-parse', 'feat-auth^'), await orchard.tip('main'));
    await git(orchard.path('feat-auth'), 'commit', '--quiet', '--allow-empty', '-m', 'Go on');
    const before = await orchard.tips();
    assert.equal(await orchard.run('undo', { repository: orchard.folder, ask: false }), undefined);
    assert.equal(await orchard.tips(), before);
    await git(orchard.path('feat-auth'), 'reset', '--quiet', '--soft', 'HEAD^');
    await orchard.run('undo', { repository: orchard.folder, ask: false });
    assert.equal(await orchard.tips(), start);
  });

  it('lets a row that is dropped on another one stand on it, with a preview first', async () => {
    await drop([orchard.row('pay-api')], orchard.row('feat-auth'));
    const based = until(
      handle,
      'pay-api stands on feat-auth',
      () => orchard.baseOf('pay-api'),
      (base) => base === 'feat-auth',
    );
    await orchard.accept(based);
    assert.equal(await git(orchard.folder, 'rev-parse', 'pay-api^'), await orchard.tip('feat-auth'));
    await orchard.run('undo', { repository: orchard.folder, ask: false });
    assert.equal(await orchard.baseOf('pay-api'), 'main');
    assert.equal(await orchard.tips(), start);
  });

  it('moves with a branch what stands on it, onto another base and back onto the trunk', async () => {
    const move = orchard.at('auth-ui', { onto: 'pay-api', ask: false });
    assert.deepEqual(outcomes(await orchard.run<Restacked>('moveOnto', move)), {
      'auth-ui': 'moves',
      'auth-docs': 'moves',
    });
    assert.deepEqual(await orchard.subjects('auth-docs', 'pay-api'), ['Show a form', 'Show a button', 'Tell about it']);
    const back = orchard.run<Restacked>('moveOnto', { dragged: [orchard.row('auth-ui')], onto: orchard.row('main') });
    assert.deepEqual(outcomes(await orchard.accept(back)), { 'auth-ui': 'moves', 'auth-docs': 'moves' });
    assert.equal(await orchard.baseOf('auth-ui'), 'main');
    await orchard.run('undo', { repository: orchard.folder, ask: false });
    await orchard.run('undo', { repository: orchard.folder, ask: false });
    assert.equal(await orchard.tips(), start);
  });

  it('refuses to move a branch onto itself, onto what stands on it, and into another repository', async () => {
    const dragged = [orchard.row('feat-auth')];
    const refused = [orchard.row('feat-auth'), orchard.row('auth-docs'), brewery.row('pay-api')];
    for (const onto of refused) assert.equal(await orchard.run('moveOnto', { dragged, onto }), undefined);
    assert.equal(await orchard.run('moveOnto', orchard.at('feat-auth', { onto: 'auth-ui' })), undefined);
    assert.equal(await orchard.run('moveOnto', { dragged: [orchard.row('main')], onto: dragged[0] }), undefined);
    const two = [orchard.row('feat-auth'), orchard.row('pay-api')];
    assert.equal(await orchard.run('moveOnto', { dragged: two, onto: orchard.row('main') }), undefined);
    assert.equal(await orchard.tips(), start);
    assert.equal(await brewery.baseOf('pay-api'), 'main');
  });

  it('offers for a move every branch but those that stand on it', async () => {
    // The first base that is offered is the trunk; Enter takes it, and Enter again what the preview says.
    const done = await orchard.accept(orchard.run<Restacked>('moveOnto', orchard.at('auth-ui')));
    assert.deepEqual(outcomes(done), { 'auth-ui': 'moves', 'auth-docs': 'moves' });
    assert.equal(await orchard.baseOf('auth-ui'), 'main');
    await orchard.run('undo', { repository: orchard.folder, ask: false });
    assert.equal(await orchard.tips(), start);
  });

  it('renames a worktree with its branch and what stands on it, and takes it back', async () => {
    const tip = await orchard.tip('feat-auth');
    await orchard.run('rename', { worktree: 'feat-auth', repository: orchard.folder, name: 'sign-in' });
    assert.equal(await orchard.tip('sign-in'), tip);
    assert.equal(await orchard.baseOf('auth-ui'), 'sign-in');
    assert.equal(orchard.row('feat-auth').worktree.name, 'sign-in');
    // A name that is taken changes nothing.
    await orchard.run('rename', { worktree: 'sign-in', repository: orchard.folder, name: 'pay-api' });
    assert.equal(orchard.row('feat-auth').worktree.name, 'sign-in');
    await orchard.run('undo', { repository: orchard.folder, ask: false });
    assert.equal(await orchard.tips(), start);
    assert.equal(await orchard.baseOf('auth-ui'), 'feat-auth');
  });

  it('leaves a branch where it is whose worktree has uncommitted work in the way, and the work too', async () => {
    await writeFile(join(orchard.path('feat-auth'), 'src/price.js'), 'export const price = 3;\n');
    const done = await orchard.run<Restacked>('rebaseStack', orchard.at('feat-auth', { ask: false }));
    assert.equal(done, undefined);
    assert.equal(await orchard.tips(), start);
    assert.equal(await git(orchard.path('feat-auth'), 'status', '--porcelain'), 'M src/price.js');
    await git(orchard.path('feat-auth'), 'restore', 'src/price.js');
  });

  it('moves a branch whose worktree was removed by hand, from its row', async () => {
    await git(orchard.folder, 'worktree', 'remove', '.worktrees/pay-api');
    await vscode.commands.executeCommand('worktreeStacks.viewAsStack');
    const find = async (nodes: readonly Node[]): Promise<Node | undefined> => {
      for (const node of nodes) {
        if (node.kind === 'branch' && node.row.branch === 'pay-api') return node;
        if (node.kind !== 'worktree' && node.kind !== 'branch' && node.kind !== 'repository') continue;
        if (node.kind !== 'repository' && (node.row?.children.length ?? 0) === 0) continue;
        const below = await find(await handle.view.getChildren(node));
        if (below) return below;
      }
      return undefined;
    };
    const [repository] = await handle.view.getChildren();
    assert.ok(repository);
    const row = await until(
      handle,
      'pay-api has a row without a worktree',
      () => find([repository]),
      (found) => found !== undefined,
    );
    const moved = { dragged: [row], onto: orchard.row('feat-auth') };
    assert.deepEqual(outcomes(await orchard.accept(orchard.run<Restacked>('moveOnto', moved))), { 'pay-api': 'moves' });
    assert.equal(await git(orchard.folder, 'rev-parse', 'pay-api^'), await orchard.tip('feat-auth'));
    await orchard.run('undo', { repository: orchard.folder, ask: false });
    await git(orchard.folder, 'worktree', 'add', '--quiet', '.worktrees/pay-api', 'pay-api');
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
    assert.equal(await orchard.tips(), start);
  });

  it('says that the remote could not be asked, and goes by what is known', async () => {
    await git(orchard.folder, 'remote', 'add', 'origin', join(orchard.folder, 'nowhere.git'));
    const done = await orchard.run<Restacked>('rebase', orchard.at('feat-auth', { ask: false, offline: false }));
    assert.match(
      done?.notes.map((note) => textOf(note)).join('\n') ?? '',
      /^Could not fetch from origin; using what was fetched last/,
    );
    assert.deepEqual(outcomes(done), { 'feat-auth': 'moves' });
    await git(orchard.folder, 'remote', 'remove', 'origin');
    await orchard.run('undo', { repository: orchard.folder, ask: false });
    assert.equal(await orchard.tips(), start);
  });

  it('removes all rows that are selected, and brings them back together after a preview', async () => {
    const names = ['auth-docs', 'pay-api'];
    const [branches, base] = [await orchard.tips(), await orchard.baseOf('auth-docs')];
    const rows = names.map((name) => ({ ...orchard.row(name), ask: false }));
    await vscode.commands.executeCommand('worktreeStacks.cleanup', rows[0], rows);
    assert.equal((await git(orchard.folder, 'worktree', 'list')).split('\n').length, 3);
    const done = await orchard.accept(orchard.run<Operation>('undo', { repository: orchard.folder }));
    assert.deepEqual(done?.restored?.map(({ name }) => name).sort(), names);
    assert.deepEqual([await orchard.tips(), await orchard.baseOf('auth-docs')], [branches, base]);
    for (const name of names) assert.equal(await git(orchard.path(name), 'status', '--porcelain'), '');
    assert.equal(handle.keys.get('worktreeStacks.canUndo'), false);
  });

  it('leaves the stacks of the other repository alone', async () => {
    const before = await brewery.tips();
    await orchard.run('rebaseStack', orchard.at('feat-auth', { ask: false }));
    assert.equal(await brewery.tips(), before);
    assert.equal(await readFile(join(brewery.path('auth-ui'), 'notes.txt'), 'utf8'), 'Ask about the colour.\n');
    await orchard.run('undo', { repository: orchard.folder, ask: false });
  });
});
