import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, git, untilRows } from '../../support/hostWindow.ts';

describe('the room that a worktree takes', () => {
  let handle: TestHandle;
  let folder: string;
  const at = (...names: string[]): string => join(folder, '.worktrees', 'roomy', ...names);

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    await git(folder, 'worktree', 'add', '--quiet', '-b', 'roomy', at());
    await writeFile(join(folder, '.git/info/exclude'), '/.worktrees/\nnode_modules/\n');
    await mkdir(at('node_modules/a'), { recursive: true });
    await writeFile(at('node_modules/a/big.bin'), Buffer.alloc(3_000_000, 'x'));
    await vscode.commands.executeCommand('worktreeStacks.refresh');
    await untilRows(handle, 'the worktree is there', (rows) => rows.some(({ label }) => label === 'roomy'));
  });
  after(async () => {
    await git(folder, 'worktree', 'remove', '--force', at());
    await git(folder, 'branch', '-D', 'roomy');
    await untilRows(handle, 'the worktree is gone', (rows) => !rows.some(({ label }) => label === 'roomy'));
  });

  /** What the tooltip says of the size, once it is measured. */
  async function sizeInTooltip(): Promise<string> {
    for (;;) {
      const node = handle.view.find(at());
      assert.ok(node);
      // Drawn again when a size is known that the tooltip did not wait for.
      const drawn = new Promise<void>((resolve) => {
        const listening = handle.view.onDidChangeTreeData(() => {
          listening.dispose();
          resolve();
        });
      });
      const { token } = new vscode.CancellationTokenSource();
      const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
      assert.ok(tooltip instanceof vscode.MarkdownString);
      const [, size] = /\| Size \| ([^|]+) \|/.exec(tooltip.value.replaceAll('\\', '')) ?? [];
      if (size !== 'being measured') return size ?? '';
      await drawn;
    }
  }

  it('stands in the tooltip of its row, and is asked for once', async () => {
    assert.match(await sizeInTooltip(), /^3\.\d MB, of which Git ignores 3\.\d MB$/);
    const { token } = new vscode.CancellationTokenSource();
    const node = handle.view.find(at());
    assert.ok(node);
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString && !tooltip.value.includes('being measured'));
  });

  it('is freed of what is built again', async () => {
    const run = (argument: object): Thenable<{ bytes: number; worktree: { name: string } }[]> =>
      vscode.commands.executeCommand('worktreeStacks.reclaim', { ask: false, ...argument });
    assert.deepEqual(await run({}), [], 'it was changed just now');
    assert.ok(existsSync(at('node_modules/a/big.bin')));
    const done = await run({ idleDays: 0 });
    assert.deepEqual(
      done.map(({ worktree }) => worktree.name),
      ['roomy'],
    );
    assert.ok((done[0]?.bytes ?? 0) > 3_000_000);
    assert.ok(!existsSync(at('node_modules')) && existsSync(at('README.md')));
  });
});
