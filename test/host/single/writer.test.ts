import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commitBoxOf } from '../../../src/extension/git/commitBox.ts';
import { writtenByModel } from '../../../src/extension/base/languageModel.ts';
import { namePrompt } from '../../../src/core/texts/namePrompt.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, git, untilEvent } from '../../support/hostWindow.ts';

/** With a language model that the fixture beside us brings: it answers what it is told to, and keeps what it was asked. */
describe('texts by a language model', () => {
  let handle: TestHandle;
  let folder: string;
  const writer = process.env['WORKTREE_STACKS_TEST_WRITER'] ?? '';
  const at = (name: string): string => join(folder, '.worktrees', name);
  const run = <T>(command: string, argument: object): Thenable<T> =>
    vscode.commands.executeCommand<T>(`worktreeStacks.${command}`, { ask: false, ...argument });
  const answers = (text: string): Promise<void> => writeFile(join(writer, 'answer.txt'), text);
  const asked = (): Promise<string> => readFile(join(writer, 'asked.txt'), 'utf8');
  const { signal } = new AbortController();

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    await run('create', { name: 'quince', base: 'main', then: 'stay' });
    await writeFile(join(at('quince'), 'jelly.md'), '# Jelly\n');
    await git(at('quince'), 'add', 'jelly.md');
    await writeFile(join(at('quince'), 'later.md'), '# Not of this commit\n');
  });
  after(() => run('cleanup', { worktree: 'quince', force: true }));

  it('are offered once there is one', async () => {
    const key = 'worktreeStacks.hasModel';
    const changes: vscode.Event<unknown> = (listener) => vscode.Disposable.from(handle.keys.onDidChange(listener));
    assert.equal(
      await untilEvent(
        changes,
        key,
        () => handle.keys.get(key),
        (has) => has === true,
      ),
      true,
    );
  });

  it('are written for a commit, from what is staged, into the box of the Source Control view, and nothing is committed', async () => {
    await answers('```\nAdd the jelly\n\nIt was missing.\n```\n');
    const head = await git(at('quince'), 'rev-parse', 'HEAD');
    const message = await run<string>('writeCommitMessage', { worktree: 'quince' });
    assert.equal(message, 'Add the jelly\n\nIt was missing.');
    assert.equal((await commitBoxOf(at('quince')))?.value, message);
    assert.match(await asked(), /jelly\.md \+1 -0/);
    assert.doesNotMatch(await asked(), /later\.md/);
    assert.equal(await git(at('quince'), 'rev-parse', 'HEAD'), head);
  });

  it('leave the box as it is when the model fails', async () => {
    const box = await commitBoxOf(at('quince'));
    assert.ok(box);
    box.value = 'Mine';
    await answers('!The model is tired');
    assert.equal(await run('writeCommitMessage', { worktree: 'quince' }), undefined);
    assert.equal(box.value, 'Mine');
    await assert.rejects(writtenByModel('commit', 'x', signal), (thrown: { reason?: string; message: string }) => {
      assert.equal(thrown.reason, 'text-failed');
      assert.match(thrown.message, /Writer failed: The model is tired/);
      return true;
    });
  });

  it('say when there is nothing to write about, and when the model says nothing', async () => {
    await answers('\n');
    await assert.rejects(writtenByModel('commit', 'x', signal), { id: 'texts.nothingFromModel' });
    await rejectsWithoutChanges();
  });

  it('are made a name of one line', async () => {
    await answers('"jelly-label."\nbecause it is short\n');
    assert.equal(await writtenByModel('name', namePrompt('Put a label on the jelly', []), signal), 'jelly-label');
  });

  it('are given up when the person cancels', async () => {
    await answers('Too late\n');
    const cancelled = AbortSignal.abort();
    await assert.rejects(writtenByModel('commit', 'x', cancelled), { reason: 'cancelled' });
  });

  async function rejectsWithoutChanges(): Promise<void> {
    await run('create', { name: 'rhubarb', base: 'main', then: 'stay' });
    try {
      assert.equal(await run('writeCommitMessage', { worktree: 'rhubarb' }), undefined);
      assert.equal((await commitBoxOf(at('rhubarb')))?.value, '');
    } finally {
      await run('cleanup', { worktree: 'rhubarb', force: true });
    }
  }
});
