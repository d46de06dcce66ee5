import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/lib/install.mjs';
import { makeStackOnHub, type StackOnHub } from '../support/stackOnHub.ts';
import { installAccounts } from './support/accountsExtension.ts';
import { eventually } from './support/eventually.ts';
import { listExtension } from './support/listExtension.ts';
import { useWorkbench } from './support/useWorkbench.ts';

// With a language model that answers what it is told to, and a server like GitHub's.
describe('a person who has texts written', () => {
  let stage: StackOnHub;
  let writer = '';
  const open = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    async prepare(place) {
      stage = await makeStackOnHub(place);
      writer = join(place.root, 'writer');
      await mkdir(writer);
      const relativeLocation = 'fixtures.writer-1.0.0';
      const installed = join(place.extensions, relativeLocation);
      await cp(join(root, 'test/support/launch/writer'), installed, { recursive: true });
      await listExtension(place.extensions, { id: 'fixtures.writer', version: '1.0.0', relativeLocation });
      await installAccounts(place);
      return { folder: stage.folder };
    },
    env: async (place) => ({ WORKTREE_STACKS_TEST_WRITER: join(place.root, 'writer') }),
  });
  after(async () => {
    await stage.hub.close();
    assert.deepEqual(stage.hub.faults, []);
  });
  const answers = (text: string): Promise<void> => writeFile(join(writer, 'answer.txt'), text);
  const asked = (): Promise<string> => readFile(join(writer, 'asked.txt'), 'utf8');
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: open().folder, env: open().place.env })).stdout.trim();

  it('has the message of a commit written by the button of the Source Control view, and nothing is committed', async () => {
    const { workbench, folder } = open();
    const { page } = workbench;
    await workbench.openContainer('Worktree Stacks');
    await workbench.tree('Worktrees').waitForRow(/^feat-auth/);
    await writeFile(join(folder, 'jelly.md'), '# Jelly\n');
    await git('add', 'jelly.md');
    const head = await git('rev-parse', 'HEAD');
    await answers('Add the jelly\n\nIt was missing.\n');
    await workbench.openContainer('Source Control');
    const button = page.getByRole('button', { name: 'Write Commit Message' }).first();
    await button.click();
    const box = page.locator('.scm-editor .view-lines').first();
    await eventually(
      'the box has the message',
      () => box.innerText(),
      (text) => text.replaceAll('\u00a0', ' ').includes('Add the jelly'),
    );
    await workbench.screenshot('writer-commit-message');
    assert.match(await asked(), /^\+# Jelly$/m);
    assert.deepEqual([await git('rev-parse', 'HEAD'), await git('status', '--porcelain')], [head, 'A  jelly.md']);
    // What stands there is not replaced without a question.
    await answers('Add another jelly\n');
    await button.click();
    await workbench.pressInNotification(/already has a text/, 'Replace Message');
    await eventually(
      'the box has the other message',
      () => box.innerText(),
      (text) => text.replaceAll('\u00a0', ' ').includes('Add another jelly'),
    );
  });

  it('has a name made of what was typed by the button of the box, and changes it', async () => {
    const { workbench } = open();
    const { quickInput, page } = workbench;
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.type('Let people log in with a key');
    await quickInput.firstRowIs('Create “let-people-log-in-with-a-key” from');
    const button = page.getByRole('button', { name: 'Make a Short Name of What Is Typed' });
    await workbench.screenshot('writer-name-button');
    await answers('!The model is tired');
    await button.click();
    await workbench.notification(/The model is tired/);
    assert.equal((await quickInput.state()).value, 'Let people log in with a key');
    await answers('key-login\n');
    await button.click();
    const { value } = await quickInput.firstRowIs('Create “key-login” from');
    assert.equal(value, 'key-login');
    await workbench.screenshot('writer-name');
    await quickInput.type('key-login-2');
    await quickInput.firstRowIs('Create “key-login-2” from');
    await quickInput.cancel();
    await quickInput.closes();
    assert.equal(await git('for-each-ref', 'refs/heads/key-login', 'refs/heads/key-login-2'), '');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('has a pull request written, edits it, and sends what is left', async () => {
    const { workbench } = open();
    const { quickInput, page } = workbench;
    const { pulls } = stage.hub.state;
    await workbench.runCommand('Worktree Stacks: Sign In to GitHub');
    await workbench.dialog(/Worktree Stacks/);
    await workbench.pressInDialog('Allow');
    await workbench.notification(/Signed in to/);
    await answers('Log in with a key\n\nIt is safer than a password.\n');
    await workbench.openContainer('Worktree Stacks');
    await workbench.tree('Worktrees').pickFromContextMenu(/^feat-auth, /, 'Share', 'Create Draft Pull Request…');
    await quickInput.shows(/^Write Title and Description First…/);
    await workbench.screenshot('writer-pull-request-question');
    await quickInput.pick('Write Title and Description First…');
    await workbench.notification(
      /Edit the title \(the first line\) and the description of the pull request of feat-auth/,
    );
    await workbench.screenshot('writer-pull-request');
    const line = page.locator('.view-line').filter({ hasText: 'Log in with a key' }).first();
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.type(', not a password');
    assert.deepEqual([pulls.size, await git('ls-remote', 'origin', 'refs/heads/feat-auth')], [0, '']);
    // The message is gone by the time that a person has written; the title of the editor keeps the button.
    await workbench.runCommand('Notifications: Clear All Notifications');
    const button = page.getByRole('button', { name: 'Create Draft Pull Request with This Text' });
    stage.hub.next('POST /repos/octo/demo/pulls', {
      status: 422,
      body: { message: 'Not today', documentation_url: 'https://docs.github.example.com', status: '422' },
    });
    await button.click();
    await workbench.notification(/did not open a pull request of feat-auth/);
    await workbench.screenshot('writer-pull-request-refused');
    // What was refused is not lost.
    await workbench.editor(/Log in with a key, not a password/);
    await workbench.runCommand('Notifications: Clear All Notifications');
    await button.click();
    await eventually(
      'the pull request is there as it was left',
      async () => [pulls.get(1)?.title, pulls.get(1)?.body],
      ([title, body]) =>
        title === 'Log in with a key, not a password' && (body?.startsWith('It is safer than a password.') ?? false),
    );
    await workbench.notification(/Opened draft pull request #1 of feat-auth/);
    await eventually(
      'the text is closed',
      () => workbench.editors(),
      (editors) => editors.length === 0,
    );
    await workbench.screenshot('writer-pull-request-opened');
  });
});
