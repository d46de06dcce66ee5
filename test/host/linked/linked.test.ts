import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, git, rowsOf, until, untilRows } from '../../support/hostWindow.ts';

describe('a window on a linked worktree', () => {
  let handle: TestHandle;
  let mainRoot: string;

  before(async () => {
    handle = await extensionUnderTest();
    mainRoot = resolve(folderOfWindow(), '../../..');
  });

  it('knows its main working tree and its siblings', async () => {
    const labels = (await rowsOf(handle)).map((row) => row.label);
    assert.deepEqual(labels.sort(), ['main', 'old-experiment', 'payment-form', 'release-notes', 'search-index']);
    assert.equal(handle.repositories.models[0]?.repository.mainRoot, mainRoot);
  });

  it('knows which of them it shows itself', async () => {
    const here = (await rowsOf(handle))
      .filter((row) => row.spoken.includes('open in this window'))
      .map((row) => row.label);
    assert.deepEqual(here, ['payment-form']);
    const row = (await rowsOf(handle)).find(({ label }) => label === 'payment-form');
    assert.deepEqual([row?.icon, row?.description], ['circle-large-filled', 'this window · ↑1']);
  });

  it('follows the edits in a sibling', async () => {
    await appendFile(join(mainRoot, '.worktrees/release-notes/README.md'), 'One line more.\n');
    await untilRows(handle, 'the edit is counted', (rows) =>
      rows.some((row) => row.label === 'release-notes' && row.description.includes('1 changed')),
    );
  });

  it('shows a worktree that was made elsewhere, by itself', async () => {
    await git(mainRoot, 'worktree', 'add', '--quiet', '-b', 'beside', '../beside');
    await untilRows(handle, 'beside appears', (rows) => rows.some((row) => row.label === 'beside'));
    // It lies outside the main root too: a new watch has to be set up, and what happens meanwhile must not be missed.
    await writeFile(join(mainRoot, '../beside/new.txt'), 'new\n');
    await untilRows(handle, 'the edit in it is counted', (rows) =>
      rows.some((row) => row.label === 'beside' && row.description.includes('1 changed')),
    );
    await git(mainRoot, 'worktree', 'remove', '--force', '../beside');
    await untilRows(handle, 'beside is gone', (rows) => !rows.some((row) => row.label === 'beside'));
  });

  it('says where Claude is led, without a warning: a session stays in the linked worktree that it was started in', async () => {
    const active = join(mainRoot, '.worktrees/search-index');
    const text = `---\nactive_worktree: ${active}\nbranch: search-index\ncreated: 2026-01-01\n---\n`;
    await mkdir(join(mainRoot, '.claude'), { recursive: true });
    await writeFile(join(mainRoot, '.claude/dev-worktree.local.md'), text);
    // As where the plugin is installed.
    handle.keys.set('worktreeStacks.claudePlugin', 'installed');
    await until(
      handle,
      'it is told',
      () => handle.statusBar.text,
      (shown) => shown === '$(worktree) payment-form · Claude in search-index',
    );
    assert.equal(handle.statusBar.backgroundColor, undefined);
    const { label = '' } = handle.statusBar.accessibilityInformation ?? {};
    assert.match(label, /A Claude session that is restored here stays here/);
    await vscode.commands.executeCommand('worktreeStacks.switchActive', 'payment-form');
    assert.equal(handle.statusBar.text, '', 'there is nothing to add');
  });

  it('offers the branch of this window as the base of a new worktree', async () => {
    const { likelyBase } = await import('../../../src/extension/quickPicks/pickBase.ts');
    const model = handle.repositories.models[0];
    assert.ok(model);
    assert.equal(likelyBase(model), 'payment-form');
  });

  it('still shows the others when its own worktree is removed under it', async () => {
    await git(mainRoot, 'worktree', 'remove', '--force', '.worktrees/payment-form');
    await untilRows(handle, 'it is gone', (rows) => !rows.some((row) => row.label === 'payment-form'));
    await handle.repositories.scan();
    assert.equal(handle.keys.get('worktreeStacks.state'), 'ready');
    const labels = (await rowsOf(handle)).map((row) => row.label);
    assert.deepEqual(labels.sort(), ['main', 'old-experiment', 'release-notes', 'search-index']);
    assert.deepEqual(handle.repositories.models[0]?.state?.here, []);
  });
});
