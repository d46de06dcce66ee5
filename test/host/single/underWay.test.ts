import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { menuOfRow, type Menus, type RowMenu } from '../../support/rowMenu.ts';
import {
  extensionUnderTest,
  folderOfWindow,
  git,
  rowOf,
  rowsOf,
  until,
  worktreeNode,
} from '../../support/hostWindow.ts';

/** What git can have under way at a conflict, and the commands for it. */
const kinds = [
  { operation: 'merge', args: ['merge', 'theirs'], goOn: 'commitMerge', title: 'Commit Merge', abort: 'abortMerge' },
  {
    operation: 'rebase',
    args: ['rebase', 'theirs'],
    goOn: 'continueRebase',
    title: 'Continue Rebase',
    abort: 'abortRebase',
  },
  {
    operation: 'cherry-pick',
    args: ['cherry-pick', 'theirs'],
    goOn: 'continueCherryPick',
    title: 'Continue Cherry-Pick',
    abort: 'abortCherryPick',
  },
  {
    operation: 'revert',
    args: ['revert', '--no-edit', 'HEAD~1'],
    goOn: 'continueRevert',
    title: 'Continue Revert',
    abort: 'abortRevert',
  },
] as const;

describe('what was begun with git itself', () => {
  let handle: TestHandle;
  let folder: string;
  let worktree: string;
  let start: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    worktree = join(folder, '.worktrees/knot');
    await git(folder, 'worktree', 'add', '--quiet', '-b', 'knot', '.worktrees/knot');
    await commit('One', 'one\n');
    await commit('Two', 'two\n');
    await git(worktree, 'switch', '--quiet', '-c', 'theirs', 'main');
    await commit('Theirs', 'theirs\n');
    await git(worktree, 'switch', '--quiet', 'knot');
    start = await git(worktree, 'rev-parse', 'HEAD');
  });
  after(async () => {
    await git(folder, 'worktree', 'remove', '--force', '.worktrees/knot');
    await git(folder, 'branch', '-D', 'knot', 'theirs');
    await handle.repositories.refresh();
  });
  afterEach(() => git(worktree, 'reset', '--quiet', '--hard', start));

  const commit = async (message: string, text: string): Promise<void> => {
    await writeFile(join(worktree, 'knot.txt'), text);
    await git(worktree, 'add', '.');
    await git(worktree, 'commit', '--quiet', '-m', message);
  };
  /** The buttons in the row and what is offered first in its menu, as the manifest has them for its flags. */
  const offered = async (): Promise<{ readonly inline: string[]; readonly menu: string[] }> => {
    const { inline, menu } = await whole();
    const ofOperation = (all: readonly string[]): string[] => all.filter((each) => operations.test(each));
    return { inline: ofOperation(inline), menu: ofOperation(menu) };
  };
  const operations = /^(?:openConflict$|commitMerge$|(?:continue|skip|abort)[A-Z])/;
  const whole = async (): Promise<RowMenu> => {
    const { flags } = rowOf(handle, await worktreeNode(handle, 'knot'));
    return menuOfRow(handle.context.extension.packageJSON as Menus, flags, { 'worktreeStacks.hasModel': 'true' });
  };
  const needingMe = async (): Promise<string[]> => {
    await vscode.commands.executeCommand('worktreeStacks.filter', { to: 'needsMe' });
    try {
      return (await rowsOf(handle)).map(({ label }) => label);
    } finally {
      await vscode.commands.executeCommand('worktreeStacks.clearFilter');
    }
  };
  const status = (): string => handle.stopStatus.text;
  const clicked = (): string => {
    const { command } = handle.stopStatus;
    return typeof command === 'object' ? command.command.replace('worktreeStacks.', '') : '';
  };
  const untilStatus = (text: string): Promise<string> =>
    until(handle, `the status bar says ${text}`, status, (seen) => seen === text);
  const run = <T>(command: string): Thenable<T> =>
    vscode.commands.executeCommand<T>(`worktreeStacks.${command}`, { worktree: 'knot', ask: false });

  for (const { operation, args, goOn, title, abort } of kinds) {
    it(`${operation}: leads from its conflict to its end, and offers nothing that refuses`, async () => {
      const skip = operation === 'rebase' ? ['skipRebase'] : [];
      await assert.rejects(git(worktree, ...args));
      await untilStatus('$(git-merge) knot: 1 conflict left');
      assert.equal(clicked(), 'openConflict');
      assert.deepEqual(await offered(), {
        inline: ['openConflict', ...skip, abort],
        menu: ['openConflict', ...skip, abort],
      });
      await writeFile(join(worktree, 'knot.txt'), 'both\n');
      await git(worktree, 'add', '.');
      await untilStatus(`$(check) knot: ${title}`);
      assert.equal(clicked(), goOn);
      assert.ok((await needingMe()).includes('knot'), 'it waits to be continued');
      const { inline, menu } = await offered();
      assert.deepEqual(new Set(inline), new Set([goOn, ...skip, abort]));
      assert.deepEqual(new Set(menu), new Set([goOn, ...skip, abort]));
      const done = await run<{ stopped: boolean; files: string[] }>(goOn);
      // The rebase has a second commit, in conflict as well.
      assert.equal(done.stopped, operation === 'rebase');
      if (done.stopped) await run('skipRebase');
      assert.equal(await git(worktree, 'show', 'HEAD:knot.txt'), 'both');
      assert.equal(await git(worktree, 'status', '--porcelain'), '');
      assert.deepEqual(await offered(), { inline: [], menu: [] });
      assert.equal((await needingMe()).includes('knot'), false);
    });

    it(`${operation}: is aborted by the same command as one of ours`, async () => {
      await assert.rejects(git(worktree, ...args));
      await handle.repositories.refresh();
      assert.equal(await run(abort), true);
      assert.equal(await git(worktree, 'rev-parse', 'HEAD'), start);
      assert.equal(await git(worktree, 'status', '--porcelain'), '');
    });
  }

  it('leaves a bisection alone, which holds its branch, and everything comes back after it', async () => {
    await handle.repositories.refresh();
    const before = await whole();
    assert.deepEqual(before.inline, ['row.openInNewWindow']);
    for (const each of ['row.adopt', 'row.merge', 'row.cleanup']) assert.ok(before.menu.includes(each), each);
    // Another program has made it, nothing is changed in it, and there is no remote.
    const refused = /^(?:row\.rename|carryChanges|writeCommitMessage|openChanges|worktreeStacks\.share|share) ?/;
    assert.deepEqual(
      before.menu.filter((each) => refused.test(each)),
      [],
    );
    await git(worktree, 'bisect', 'start', 'HEAD', 'HEAD~2');
    try {
      const { menu, inline } = await until(
        handle,
        'the bisection',
        whole,
        (seen) => !seen.menu.includes('stack > row.rebase'),
      );
      assert.deepEqual(inline, ['row.openInNewWindow']);
      assert.deepEqual(
        menu.filter((each) => /^(?:stack|share) > |rename|[rR]estack|^(?:continue|abort)/.test(each)),
        [],
      );
    } finally {
      await git(worktree, 'bisect', 'reset');
    }
    await until(handle, 'the rows are as before', whole, (seen) => JSON.stringify(seen) === JSON.stringify(before));
  });
});
