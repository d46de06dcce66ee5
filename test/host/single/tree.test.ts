import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import {
  extensionUnderTest,
  folderOfWindow,
  git,
  rowOf,
  rowsOf,
  until,
  untilRows,
  worktreeNode,
  type Row,
} from '../../support/hostWindow.ts';

const named = (rows: readonly Row[], label: string): Row | undefined => rows.find((row) => row.label === label);

describe('the Worktrees view', () => {
  let handle: TestHandle;
  let folder: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    // The first facts come without the changes.
    await untilRows(
      handle,
      'changes are known',
      (rows) => named(rows, 'search-index')?.description.includes('2 changed') ?? false,
    );
  });

  const untilMessage = (what: string, accept: (message: string) => boolean): Promise<string> =>
    until(handle, what, () => handle.view.tree.message ?? '', accept);

  it('shows every worktree, the main one first, then those with changes', async () => {
    const labels = (await rowsOf(handle)).map((row) => row.label);
    assert.deepEqual(labels.slice(0, 2), ['main', 'search-index']);
    assert.deepEqual(labels.slice(2).sort(), ['old-experiment', 'payment-form', 'release-notes']);
  });

  it('tells the most pressing facts of each', async () => {
    const rows = await rowsOf(handle);
    assert.equal(named(rows, 'main')?.description, 'this window');
    assert.equal(named(rows, 'search-index')?.description, '2 changed');
    assert.equal(named(rows, 'payment-form')?.description, '↑1');
    assert.equal(named(rows, 'release-notes')?.description, 'locked: waits for the release on Friday');
    assert.equal(named(rows, 'old-experiment')?.description, 'folder missing');
  });

  it('warns only where something needs a person', async () => {
    const warned = (await rowsOf(handle)).filter((row) => row.icon === 'warning').map((row) => row.label);
    assert.deepEqual(warned, ['old-experiment']);
  });

  it('reads each row aloud in words', async () => {
    const rows = await rowsOf(handle);
    assert.equal(named(rows, 'main')?.spoken, 'main, main working tree, open in this window');
    assert.equal(named(rows, 'payment-form')?.spoken, 'payment-form, 1 ahead of main');
    assert.equal(named(rows, 'search-index')?.spoken, 'search-index, 2 files changed, up to date with main');
  });

  it('expands only rows that have changed something', async () => {
    const collapsible = (await handle.view.getChildren()).filter(
      (node) => handle.view.getTreeItem(node).collapsibleState !== vscode.TreeItemCollapsibleState.None,
    );
    assert.deepEqual(collapsible.map((node) => rowOf(handle, node).label).sort(), ['payment-form', 'search-index']);
  });

  it('shows below a row the files that it changed against its base, committed or not', async () => {
    const committed = await rowsOf(handle, await worktreeNode(handle, 'payment-form'));
    assert.deepEqual(
      committed.map((row) => [row.label, row.description]),
      [['payment.js', 'src']],
    );
    const uncommitted = await rowsOf(handle, await worktreeNode(handle, 'search-index'));
    assert.deepEqual(
      uncommitted.map((row) => row.spoken),
      ['src/search.js, modified, lines: 1 added, 1 removed', 'src/searchIndex.js, untracked'],
    );
  });

  it('tells the whole truth in the tooltip, and what to do next', async () => {
    const node = await worktreeNode(handle, 'old-experiment');
    const token = new vscode.CancellationTokenSource().token;
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    const text = tooltip.value.replaceAll('\\', '');
    assert.match(text, /\| Path \| .*\.worktrees\/old-experiment \|/);
    assert.match(text, /\| Base \| main at [0-9a-f]{7}: up to date with main \|/);
    assert.match(
      text,
      /\| Next \| Restore the folder, for example by mounting its disk\. The worktree is kept until then\. \|/,
    );
  });

  it('shows a worktree that was made in a terminal, by itself', async () => {
    await git(folder, 'worktree', 'add', '--quiet', '-b', 'by-hand', '.worktrees/by-hand');
    const rows = await untilRows(handle, 'by-hand appears', (all) => named(all, 'by-hand')?.description === '');
    assert.match(named(rows, 'by-hand')?.flags ?? '', /^worktree;linked;fine;inWorkspace;.*;can:adopt;/);
  });

  it('shows what became of its work, as soon as somebody has written that down, until it goes on', async () => {
    const file = join(folder, '.worktrees', 'stack.json');
    const before = await readFile(file, 'utf8').catch(() => undefined);
    const path = join(folder, '.worktrees/payment-form');
    const [head, branch] = [await git(path, 'rev-parse', 'HEAD'), await git(path, 'branch', '--show-current')];
    const write = async (entry: object): Promise<void> => {
      const worktrees = { 'payment-form': { path, branch, base: 'main', ...entry } };
      await writeFile(file, JSON.stringify({ version: 1, worktrees }));
    };
    const described = (what: string, description: RegExp): Promise<readonly Row[]> =>
      untilRows(handle, what, (rows) => description.test(named(rows, 'payment-form')?.description ?? ''));
    try {
      await write({ pr: null, lifecycle: 'merged', merged: { head, into: 'main' } });
      const merged = await described('the merge is shown', /^merged\b/);
      assert.match(named(merged, 'payment-form')?.flags ?? '', /;finished/);
      const node = await worktreeNode(handle, 'payment-form');
      const token = new vscode.CancellationTokenSource().token;
      const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
      assert.match(
        tooltip instanceof vscode.MarkdownString ? tooltip.value.replaceAll('\\', '') : '',
        /Remove the worktree: its work was merged/,
      );
      await write({ pr: null, lifecycle: 'merged', merged: { head, into: 'main' }, autoCleanup: false });
      await untilRows(handle, 'its removal is not offered any more', (rows) => {
        const { description = '', flags = '' } = named(rows, 'payment-form') ?? {};
        return description.startsWith('merged') && flags.startsWith('worktree;') && !flags.includes('finished');
      });
      await write({ pr: { number: 7, url: 'https://example.com/o/r/pull/7', state: 'closed' } });
      const rows = await described('the closed pull request is shown', /^#7 closed\b/);
      assert.equal(named(rows, 'payment-form')?.icon, 'git-pull-request-closed');
      await write({ pr: null, lifecycle: 'merged', merged: { head: '0'.repeat(40), into: 'main' } });
      await described('the work goes on', /^(?!.*(?:merged|closed))/);
    } finally {
      await (before === undefined ? rm(file) : writeFile(file, before));
      await described('it is as it was', /^↑1$/);
    }
  });

  it('follows the edits in a worktree', async () => {
    const file = join(folder, '.worktrees/by-hand/README.md');
    await appendFile(file, 'One line more.\n');
    await untilRows(handle, 'the edit is counted', (rows) => named(rows, 'by-hand')?.description === '1 changed');
    await writeFile(join(folder, '.worktrees/by-hand/new.txt'), 'new\n');
    await untilRows(handle, 'the new file is counted', (rows) => named(rows, 'by-hand')?.description === '2 changed');
    await git(join(folder, '.worktrees/by-hand'), 'checkout', '--quiet', 'README.md');
    await untilRows(handle, 'the edit is gone', (rows) => named(rows, 'by-hand')?.description === '1 changed');
  });

  it('shows that it is a sparse checkout', async () => {
    const worktree = join(folder, '.worktrees/by-hand');
    await git(worktree, 'sparse-checkout', 'set', 'src');
    await untilRows(handle, 'it is sparse', (rows) => named(rows, 'by-hand')?.description === '1 changed · sparse');
    await git(worktree, 'sparse-checkout', 'disable');
    await untilRows(handle, 'it is whole', (rows) => named(rows, 'by-hand')?.description === '1 changed');
  });

  it('follows its commits and its branch', async () => {
    const worktree = join(folder, '.worktrees/by-hand');
    await git(worktree, 'add', '.');
    await git(worktree, 'commit', '--quiet', '-m', 'Add a file');
    await untilRows(handle, 'the commit is counted', (rows) => named(rows, 'by-hand')?.description === '↑1');
    await git(worktree, 'switch', '--quiet', '-c', 'fruit/by-hand');
    await untilRows(
      handle,
      'the branch is named',
      (rows) => named(rows, 'by-hand')?.description.includes('fruit/by-hand') ?? false,
    );
  });

  it('is narrowed down by a filter, and shows all again without it', async () => {
    const filter = async (to: string): Promise<string[]> => {
      await vscode.commands.executeCommand('worktreeStacks.filter', { to });
      return (await rowsOf(handle)).map(({ label }) => label).sort();
    };
    try {
      assert.deepEqual(await filter('needsMe'), ['old-experiment']);
      assert.equal(handle.view.tree.description, 'Needs Me');
      assert.deepEqual(await filter('changed'), ['search-index']);
      assert.deepEqual(await filter('agents'), []);
      assert.equal(handle.keys.get('worktreeStacks.filter'), 'agents');
    } finally {
      await vscode.commands.executeCommand('worktreeStacks.clearFilter');
    }
    assert.ok((await rowsOf(handle)).length > 4);
    assert.deepEqual([handle.view.tree.description, handle.keys.get('worktreeStacks.filter')], ['', '']);
  });

  it('keeps the rows of what did not change', async () => {
    const before = await worktreeNode(handle, 'payment-form');
    await handle.repositories.refresh();
    assert.equal(await worktreeNode(handle, 'payment-form'), before);
  });

  it('draws again only what looks different', async () => {
    const drawn: (string | undefined)[] = [];
    const subscription = handle.view.onDidChangeTreeData((node) =>
      drawn.push(node?.kind === 'worktree' ? node.worktree.name : node?.kind),
    );
    try {
      await appendFile(join(folder, '.worktrees/by-hand/new.txt'), 'newer\n');
      await untilRows(
        handle,
        'the edit is counted',
        (rows) => named(rows, 'by-hand')?.description.startsWith('1 changed') ?? false,
      );
    } finally {
      subscription.dispose();
    }
    assert.equal(drawn.includes('payment-form'), false, `drawn: ${JSON.stringify(drawn)}`);
  });

  it('drops a worktree that was removed in a terminal, by itself', async () => {
    await git(folder, 'worktree', 'remove', '--force', '.worktrees/by-hand');
    await untilRows(handle, 'by-hand is gone', (rows) => named(rows, 'by-hand') === undefined);
  });

  it('shows a rebase that is under way, and the conflict that stopped it', async () => {
    const worktree = join(folder, '.worktrees/by-hand');
    await git(folder, 'worktree', 'add', '--quiet', '-b', 'clash', '.worktrees/by-hand');
    await writeFile(join(worktree, 'README.md'), '# Theirs\n');
    await git(worktree, 'commit', '--quiet', '-am', 'Change the title');
    await git(folder, 'branch', 'other', 'main');
    await git(folder, 'worktree', 'add', '--quiet', '.worktrees/other', 'other');
    await writeFile(join(folder, '.worktrees/other/README.md'), '# Ours\n');
    await git(join(folder, '.worktrees/other'), 'commit', '--quiet', '-am', 'Change the title otherwise');
    await assert.rejects(git(worktree, 'rebase', '--quiet', 'other'));
    const rows = await untilRows(
      handle,
      'the rebase is shown',
      (all) => named(all, 'by-hand')?.description.startsWith('rebasing · 1 conflict') ?? false,
    );
    assert.equal(named(rows, 'by-hand')?.icon, 'warning');
    await git(worktree, 'rebase', '--abort');
    await untilRows(handle, 'the rebase is over', (all) => named(all, 'by-hand')?.icon !== 'warning');
    for (const name of ['by-hand', 'other']) await git(folder, 'worktree', 'remove', '--force', `.worktrees/${name}`);
    await git(folder, 'branch', '-D', 'clash', 'other');
    await untilRows(handle, 'both are gone', (all) => !named(all, 'by-hand') && !named(all, 'other'));
  });

  it('says above the rows what cannot be read, by file and line, and keeps the rows', async () => {
    const before = (await rowsOf(handle)).length;
    const registry = join(folder, '.worktrees/stack.json');
    await writeFile(registry, '{ "worktrees": {\n  oops\n');
    await untilMessage('the registry is reported', (message) => message.startsWith('.worktrees/stack.json, line 2'));
    assert.equal((await rowsOf(handle)).length, before);
    await rm(registry);
    await untilMessage('the report is gone', (message) => message === '');
  });

  it('says above the rows which removed worktree could not be deleted, until it is gone', async () => {
    const id = '0123456789ab';
    const bin = join(folder, '.git/worktree-stacks/trash', id);
    const tree = join(folder, `.worktrees/.trash-pear-${id}`);
    for (const path of [bin, tree]) await mkdir(path, { recursive: true });
    const stuck = { message: `${tree} could not be deleted completely.`, next: 'close what uses it', items: [] };
    await writeFile(join(bin, 'bin.json'), JSON.stringify({ version: 1, was: 'pear', tree, stuck }));
    await vscode.commands.executeCommand('worktreeStacks.refresh');
    await untilMessage('it is named', (message) =>
      message.includes(`.trash-pear-${id} could not be deleted completely`),
    );
    for (const path of [bin, tree]) await rm(path, { recursive: true });
    await vscode.commands.executeCommand('worktreeStacks.refresh');
    await untilMessage('the report is gone', (message) => message === '');
  });

  it('says which line of the configuration is wrong', async () => {
    const configuration = join(folder, '.worktrees.yml');
    await writeFile(configuration, 'worktree:\n  strategy: sideways\n');
    await untilMessage('the line is named', (message) => message.startsWith('.worktrees.yml, line 2'));
    await rm(configuration);
    await untilMessage('the report is gone', (message) => message === '');
  });
});
