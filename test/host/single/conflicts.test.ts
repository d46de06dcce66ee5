import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import type { Node } from '../../../src/extension/views/nodes.ts';
import {
  extensionUnderTest,
  folderOfWindow,
  git,
  rowOf,
  until,
  untilEvent,
  worktreeNode,
} from '../../support/hostWindow.ts';

describe('files in conflict', () => {
  let handle: TestHandle;
  let folder: string;
  let worktree: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    worktree = join(folder, '.worktrees/clash');
    await git(folder, 'worktree', 'add', '--quiet', '-b', 'clash', '.worktrees/clash');
    const change = async (side: string, gone: string): Promise<void> => {
      await writeFile(join(worktree, 'README.md'), `# ${side}\n`);
      await writeFile(join(worktree, 'new.txt'), `${side}\n`);
      await writeFile(join(worktree, 'src/search.js'), `export const ${side} = 1;\n`);
      await git(worktree, 'rm', '--quiet', '--force', gone);
      await git(worktree, 'add', '.');
      await git(worktree, 'commit', '--quiet', '-m', side);
    };
    await change('Ours', 'src/cart.js');
    await git(worktree, 'switch', '--quiet', '-c', 'clash-theirs', 'main');
    await writeFile(join(worktree, 'src/cart.js'), 'export const total = () => 1;\n');
    await change('Theirs', 'src/search.js');
    await git(worktree, 'switch', '--quiet', 'clash');
    await assert.rejects(git(worktree, 'merge', '--quiet', 'clash-theirs'));
  });

  after(async () => {
    // A merge editor begins with a result of its own, and would ask whether to save that.
    for (let left = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length; left > 0; left--)
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await git(worktree, 'merge', '--abort').catch(() => undefined);
    await git(folder, 'worktree', 'remove', '--force', '.worktrees/clash');
    await git(folder, 'branch', '-D', 'clash', 'clash-theirs');
    await handle.repositories.refresh();
  });

  const children = async (): Promise<Node[]> => handle.view.getChildren(await worktreeNode(handle, 'clash'));
  const labelOf = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
  const open = async (path: string): Promise<void> => {
    const node = (await children()).find((each) => each.kind === 'conflict' && each.file.path === path);
    assert.ok(node, `no row for ${path}`);
    const { command } = handle.view.getTreeItem(node);
    assert.ok(command);
    await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
  };

  it('stand first below their worktree, once each, with what the sides did', async () => {
    await until(
      handle,
      'the conflicts are known',
      () => handle.repositories.models[0]?.state?.worktrees.find((each) => each.name === 'clash')?.changes?.conflicts,
      (count) => count === 4,
    );
    const rows = (await children()).map((node) => [node.kind, rowOf(handle, node).spoken]);
    assert.deepEqual(rows, [
      ['conflict', 'README.md, in conflict, changed on both sides'],
      ['conflict', 'new.txt, in conflict, added on both sides'],
      ['conflict', 'src/cart.js, in conflict, deleted in the current version'],
      ['conflict', 'src/search.js, in conflict, deleted in the incoming version'],
    ]);
  });

  it("open VS Code's merge editor with the two sides and a base of VS Code's git, whose button it needs", async () => {
    await open('README.md');
    await untilEvent(
      vscode.window.tabGroups.onDidChangeTabs,
      'the merge editor opens',
      labelOf,
      (label) => label === 'Merging: README.md',
    );
    const texts = await untilEvent(
      vscode.workspace.onDidOpenTextDocument,
      'both sides and the base are read',
      () =>
        vscode.workspace.textDocuments
          .filter((each) => ['worktree-stacks-base', 'git'].includes(each.uri.scheme))
          .map((each) => `${each.uri.scheme} ${each.getText().split('\n')[0]}`),
      (found) => found.length === 3,
    );
    assert.deepEqual(texts.sort(), ['git # Orchard', 'worktree-stacks-base # Ours', 'worktree-stacks-base # Theirs']);
  });

  it('open it with nothing as the base where both sides added the file', async () => {
    await open('new.txt');
    await untilEvent(
      vscode.window.tabGroups.onDidChangeTabs,
      'the merge editor opens',
      labelOf,
      (label) => label === 'Merging: new.txt',
    );
  });

  it('open as they are on disk where one side deleted them', async () => {
    await open('src/cart.js');
    await untilEvent(
      vscode.window.onDidChangeActiveTextEditor,
      'the file opens',
      labelOf,
      (label) => label === 'cart.js',
    );
  });

  it('are gone from the rows once they are resolved', async () => {
    await writeFile(join(worktree, 'README.md'), '# Both\n');
    await rm(join(worktree, 'src/cart.js'));
    await git(worktree, 'add', '--all', '.');
    await until(
      handle,
      'no conflict is left',
      () => handle.repositories.models[0]?.state?.worktrees.find((each) => each.name === 'clash')?.changes?.conflicts,
      (count) => count === 0,
    );
    assert.deepEqual(new Set((await children()).map((node) => node.kind)), new Set(['change']));
  });
});
