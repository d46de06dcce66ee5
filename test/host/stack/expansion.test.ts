import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Expansion } from '../../../src/extension/views/expansion.ts';
import type { Node, WorktreeNode } from '../../../src/extension/views/nodes.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { drawn, extensionUnderTest, folderOfWindow, until, untilEvent } from '../../support/hostWindow.ts';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

describe('what is expanded in the Worktrees view', () => {
  let handle: TestHandle;
  let folder: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    await vscode.commands.executeCommand('worktreeStacks.worktrees.focus');
    // Nobody has chosen: there is a stack.
    await until(
      handle,
      'stacks are shown',
      () => drawn(handle),
      (rows) => rows.some((row) => row.startsWith('      auth-docs')),
    );
  });

  after(async () => {
    await view('Stack');
    await turn('auth-ui', true);
    await view('List');
  });

  const view = (mode: 'List' | 'Stack'): Thenable<unknown> =>
    vscode.commands.executeCommand(`worktreeStacks.viewAs${mode}`);
  const node = (name: string): WorktreeNode => handle.view.find(join(folder, '.worktrees', name)) ?? assert.fail(name);
  const stateOf = (name: string): vscode.TreeItemCollapsibleState | undefined =>
    handle.view.getTreeItem(node(name)).collapsibleState;

  /** Expands or collapses a row with the keyboard's commands, as a person does. */
  async function turn(name: string, expanded: boolean): Promise<void> {
    const { tree } = handle.view;
    await tree.reveal(node(name), { select: true, focus: true });
    const event = expanded ? tree.onDidExpandElement : tree.onDidCollapseElement;
    const state = expanded ? Expanded : Collapsed;
    const turned = untilEvent(
      event,
      `${name} is turned to ${state}`,
      () => stateOf(name),
      (now) => now === state,
    );
    await vscode.commands.executeCommand(expanded ? 'list.expand' : 'list.collapse');
    await turned;
  }

  it('is remembered for each mode, whichever is shown meanwhile', async () => {
    await turn('auth-ui', false);
    await view('List');
    assert.equal(stateOf('auth-ui'), Collapsed, 'files come collapsed in the list');
    await turn('pay-api', true);
    await view('Stack');
    assert.equal(stateOf('auth-ui'), Collapsed);
    assert.equal(stateOf('feat-auth'), Expanded);
    assert.equal(stateOf('pay-api'), Collapsed, 'was expanded in the list only');
    await view('List');
    assert.equal(stateOf('pay-api'), Expanded);
    await turn('pay-api', false);
    await view('Stack');
  });

  it('does not change when a row is selected that is hidden in the other mode', async () => {
    assert.equal(stateOf('auth-ui'), Collapsed);
    await view('List');
    await handle.view.tree.reveal(node('auth-docs'), { select: true });
    await view('Stack');
    assert.equal(stateOf('auth-ui'), Collapsed);
    await view('List');
    await handle.view.tree.reveal(node('pay-api'), { select: true });
    await view('Stack');
    assert.deepEqual(handle.view.tree.selection, [node('pay-api')], 'one in sight stays selected');
  });

  it('is kept with the workspace, for the next window', () => {
    const silent = new vscode.EventEmitter<{ readonly element: Node }>();
    const tree = { onDidExpandElement: silent.event, onDidCollapseElement: silent.event };
    const next = new Expansion(tree, handle.context.workspaceState);
    assert.equal(next.itemOf(node('auth-ui')).collapsibleState, Collapsed);
    assert.equal(next.isExpanded(node('auth-ui')), false);
    assert.equal(next.isExpanded(node('feat-auth')), true);
    silent.dispose();
    next.dispose();
  });

  it('of a row that was expanded and collapsed again is as it comes, also when others come to stand on it', async () => {
    await turn('pay-api', true);
    await turn('pay-api', false);
    const file = join(folder, '.worktrees/stack.json');
    const before = await readFile(file, 'utf8');
    const { worktrees, ...rest } = JSON.parse(before) as { worktrees: Record<string, { base: string }> };
    const { 'auth-docs': docs } = worktrees;
    assert.ok(docs);
    docs.base = 'pay-api';
    await writeFile(file, JSON.stringify({ ...rest, worktrees }));
    try {
      await handle.repositories.refresh();
      assert.equal(stateOf('pay-api'), Expanded);
      assert.ok((await drawn(handle)).some((row) => row.startsWith('    auth-docs')));
    } finally {
      await writeFile(file, before);
      await handle.repositories.refresh();
    }
    assert.equal(stateOf('pay-api'), Collapsed);
  });

  it('has the files of today below it, although the row looks the same', async () => {
    const changed = new Set<string>();
    const path = join(folder, '.worktrees/auth-ui');
    await turn('auth-ui', true);
    const group = (await handle.view.getChildren(node('auth-ui'))).find(({ kind }) => kind === 'changes');
    assert.ok(group);
    await handle.view.tree.reveal(group, { select: true, focus: true });
    await vscode.commands.executeCommand('list.expand');
    await untilEvent(
      handle.view.tree.onDidExpandElement,
      'the group is expanded',
      () => handle.view.getTreeItem(group).collapsibleState,
      (state) => state === Expanded,
    );
    const subscription = handle.view.onDidChangeTreeData((each) => each && changed.add(each.id));
    try {
      await rm(join(path, 'notes.txt'));
      await writeFile(join(path, 'other.txt'), 'Something else.\n');
      await handle.repositories.refresh();
      await until(
        handle,
        'the group is read again',
        () => [...changed],
        (ids) => ids.includes(group.id),
      );
    } finally {
      subscription.dispose();
      await rm(join(path, 'other.txt'));
      await writeFile(join(path, 'notes.txt'), 'Ask about the colour.\n');
      await handle.repositories.refresh();
    }
  });
});
