import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import type { RepositoryNode } from '../../../src/extension/views/nodes.ts';
import { extensionUnderTest, folderOfWindow, git, rowsOf, until } from '../../support/hostWindow.ts';

describe('several repositories in one window', () => {
  let handle: TestHandle;

  before(async () => {
    handle = await extensionUnderTest();
  });

  const repositories = async (): Promise<RepositoryNode[]> =>
    (await handle.view.getChildren()).filter((node) => node.kind === 'repository');
  const labels = async (): Promise<string[]> => (await rowsOf(handle)).map((row) => row.label);

  /** Adds a folder behind the others; the first one stays, so the host is not started again. */
  async function addFolder(path: string): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => (subscription.dispose(), resolve()));
    });
    vscode.workspace.updateWorkspaceFolders(vscode.workspace.workspaceFolders?.length ?? 0, 0, {
      uri: vscode.Uri.file(path),
    });
    await changed;
  }

  async function removeLastFolder(): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => (subscription.dispose(), resolve()));
    });
    vscode.workspace.updateWorkspaceFolders((vscode.workspace.workspaceFolders?.length ?? 1) - 1, 1);
    await changed;
  }

  it('shows a row for each repository, in the order of the folders', async () => {
    assert.deepEqual(await labels(), ['orchard', 'brewery']);
  });

  it('shows the worktrees of each below it', async () => {
    for (const repository of await repositories()) {
      const names = (await rowsOf(handle, repository)).map((row) => row.label);
      assert.deepEqual([...names].sort(), ['main', 'old-experiment', 'payment-form', 'release-notes', 'search-index']);
    }
  });

  it('keeps two repositories with equally named worktrees apart', async () => {
    const [, brewery] = await repositories();
    await git(folderOfWindow(1), 'worktree', 'add', '--quiet', '-b', 'hops', '.worktrees/hops');
    await until(
      handle,
      'hops appears',
      async () => (await rowsOf(handle, brewery)).map((row) => row.label),
      (names) => names.includes('hops'),
    );
    const [orchard] = await repositories();
    assert.equal(
      (await rowsOf(handle, orchard)).some((row) => row.label === 'hops'),
      false,
    );
  });

  it('asks for no repository when one is named', async () => {
    await vscode.commands.executeCommand('worktreeStacks.switchActive', { worktree: 'hops', repository: 'brewery' });
    assert.deepEqual(
      handle.repositories.models.map((model) => model.state?.worktrees.find((each) => each.active)?.name),
      [undefined, 'hops'],
    );
    await vscode.commands.executeCommand('worktreeStacks.clearActive', { repository: 'brewery' });
    assert.equal(handle.keys.get('worktreeStacks.hasActive'), false);
  });

  it('takes a worktree that is opened beside its repository for the same repository', async () => {
    await addFolder(join(folderOfWindow(0), '.worktrees/payment-form'));
    await handle.repositories.scan();
    assert.deepEqual(await labels(), ['orchard', 'brewery']);
    const orchard = handle.repositories.models[0];
    await until(
      handle,
      'both are open here',
      () => orchard?.state?.here.length,
      (count) => count === 2,
    );
    await removeLastFolder();
    await until(
      handle,
      'one is open here',
      () => orchard?.state?.here.length,
      (count) => count === 1,
    );
  });

  it('shows a bare layout by its worktrees, without a row for the bare repository', async () => {
    const layout = join(dirname(folderOfWindow(0)), 'cellar');
    await git(folderOfWindow(0), 'clone', '--quiet', '--bare', '.', join(layout, '.bare'));
    await writeFile(join(layout, '.git'), 'gitdir: ./.bare\n');
    await git(layout, 'worktree', 'add', '--quiet', 'trunk', 'main');
    await addFolder(layout);
    await handle.repositories.scan();
    const cellar = (await repositories()).find((each) => each.model.repository.name === 'cellar');
    assert.deepEqual(
      (await rowsOf(handle, cellar)).map((row) => [row.label, row.flags]),
      // The trunk is neither merged, adopted nor pushed.
      [['trunk', 'worktree;linked;fine;inWorkspace;branch;can:remove;next=open']],
    );
    await removeLastFolder();
    await until(handle, 'it is gone', labels, (names) => !names.includes('cellar'));
  });

  it('says what is wrong with a folder whose repository cannot be opened, and shows the others', async () => {
    const broken = join(dirname(folderOfWindow(0)), 'broken');
    await mkdir(broken);
    await writeFile(join(broken, '.git'), 'gitdir: /nowhere/at/all\n');
    await addFolder(broken);
    await handle.repositories.scan();
    assert.equal(handle.keys.get('worktreeStacks.state'), 'ready');
    assert.match(handle.view.tree.message ?? '', /\.git points to \/nowhere\/at\/all/);
    assert.deepEqual(await labels(), ['orchard', 'brewery']);
    await removeLastFolder();
    await until(
      handle,
      'the message is gone',
      () => handle.view.tree.message,
      (message) => !message,
    );
  });

  it('takes a folder that is reached through a link for the repository that it leads to', async () => {
    const link = join(dirname(folderOfWindow(0)), 'link');
    await symlink(folderOfWindow(1), link);
    await addFolder(link);
    await handle.repositories.scan();
    assert.deepEqual(await labels(), ['orchard', 'brewery']);
    await removeLastFolder();
  });

  it('notices a repository that is made in a folder of the window', async () => {
    const fresh = join(dirname(folderOfWindow(0)), 'garden');
    await mkdir(fresh);
    await addFolder(fresh);
    await handle.repositories.scan();
    assert.deepEqual(await labels(), ['orchard', 'brewery']);
    await git(fresh, 'init', '--quiet');
    await until(handle, 'the new repository appears', labels, (names) => names.includes('garden'));
    await rm(join(fresh, '.git'), { recursive: true });
    await until(handle, 'the deleted repository is gone', labels, (names) => !names.includes('garden'));
    await removeLastFolder();
  });
});
