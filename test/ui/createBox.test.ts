import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { refsOf } from '../github/support/refs.ts';
import { makeStackOnHub, type StackOnHub } from '../support/stackOnHub.ts';
import { installAccounts } from './support/accountsExtension.ts';
import { eventually } from './support/eventually.ts';
import { useWorkbench } from './support/useWorkbench.ts';

// A repository with pull requests of colleagues and of a fork, and a session file with tasks.
describe('a person who creates worktrees from what others have begun', () => {
  let stage: StackOnHub;
  const open = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    async prepare(place) {
      stage = await makeStackOnHub(place);
      const { folder, hub, bare } = stage;
      hub.state.web = hub.url;
      const git = async (cwd: string, ...args: string[]): Promise<string> =>
        (await promisify(execFile)('git', args, { cwd, env: place.env })).stdout.trim();
      const fork = join(dirname(dirname(bare)), 'alice', 'demo.git');
      await git(folder, 'clone', '--quiet', '--bare', bare, fork);
      await appendFile(join(bare, 'objects/info/alternates'), `${join(fork, 'objects')}\n`);
      const variables = Object.fromEntries(
        Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      hub.state.forks.set('alice/demo', refsOf(fork, variables));
      const commitOn = async (at: string, branch: string, from: string): Promise<void> => {
        const identity = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.invalid'];
        const oid = await git(at, ...identity, 'commit-tree', `${from}^{tree}`, '-p', from, '-m', `Work on ${branch}`);
        await git(at, 'update-ref', `refs/heads/${branch}`, oid);
      };
      await commitOn(bare, 'prices', 'main');
      await commitOn(bare, 'taxes', 'prices');
      await commitOn(fork, 'main', 'main');
      const pulls = [
        hub.state.add('prices', 'main', { title: 'Round the prices', draft: false }),
        hub.state.add('taxes', 'prices', { title: 'Add taxes' }),
        hub.state.add('main', 'main', { title: 'Fix a typo', headOwner: 'alice', draft: false }),
        hub.state.add('taxes', 'main', { title: 'Taxes at once', draft: false }),
      ];
      for (const { number, headOid } of pulls) await git(bare, 'update-ref', `refs/pull/${number}/head`, headOid);
      await mkdir(join(folder, 'agents'));
      await writeFile(join(folder, 'agents/session.md'), '# Session\n\n## Pending Tasks\n\n- [ ] **Write the docs**\n');
      await git(folder, 'branch', 'spare', 'main');
      await installAccounts(place);
      const asks = { name: 'receipts', branch: 'receipts..v2', base: 'main', then: 'stay' };
      const binding = { key: 'ctrl+alt+f9', command: 'worktreeStacks.create', args: asks };
      await mkdir(join(place.userData, 'User'), { recursive: true });
      await writeFile(join(place.userData, 'User/keybindings.json'), JSON.stringify([binding]));
      return { folder };
    },
  });
  after(async () => {
    await stage.hub.close();
    assert.deepEqual(stage.hub.faults, []);
  });
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: open().folder, env: open().place.env })).stdout.trim();
  const entries = async (): Promise<Record<string, Record<string, unknown>>> => {
    const text = await readFile(join(open().folder, '.worktrees/stack.json'), 'utf8');
    return (JSON.parse(text) as { worktrees: Record<string, Record<string, unknown>> }).worktrees;
  };
  const entry = async (name: string): Promise<Record<string, unknown> | undefined> => (await entries())[name];
  const asked = (): number => stage.hub.requests.filter(({ method }) => method === 'GET').length;
  const label = (row: string): string => row.replace(/^([a-z-]+ {2})+/, '').split(',')[0] ?? '';

  it('finds branches, tasks and a way to sign in in one box, and GitHub is not asked before', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    await workbench.tree('Worktrees').waitForRow(/^feat-auth/);
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    const { rows } = await workbench.quickInput.shows(/Sign in to GitHub…/);
    assert.deepEqual(rows.map(label), [
      'Create a new branch from main',
      'spare',
      'Sign in to GitHub…',
      'Write the docs',
    ]);
    assert.equal(asked(), 0);
    await workbench.screenshot('create-box-before-sign-in');
  });

  it('signs in from there, comes back to the box, and sees the open pull requests', async () => {
    const { workbench } = open();
    await workbench.quickInput.pick('Sign in to GitHub…');
    await workbench.dialog(/Worktree Stacks/);
    await workbench.pressInDialog('Allow');
    const { rows } = await workbench.quickInput.shows(/#4 Taxes at once/);
    const described = rows.filter((row) => /#\d/.test(row)).map((row) => row.replace(/^([a-z-]+ {2})+/, ''));
    assert.deepEqual(
      described.map((row) => row.split(', ').slice(0, 2).join(', ')),
      [
        '#4 Taxes at once, taxes',
        '#3 Fix a typo, alice:main · fork',
        '#2 Add taxes, taxes · draft',
        '#1 Round the prices, prices',
      ],
    );
    await workbench.screenshot('create-box-pull-requests');
    await workbench.quickInput.cancel();
  });

  it('continues the branch of a fork with a click, on its base, and finds it open the next time', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Worktree Stacks: Create Worktree from Pull Request…');
    await quickInput.shows('Create Worktree from Pull Request (1/2)');
    await quickInput.type('typo');
    await quickInput.firstRowIs('#3 Fix a typo');
    await quickInput.pick('#3 Fix a typo');
    await quickInput.shows('Select what to do after creating #3');
    await quickInput.pick('Stay here');
    await workbench.tree('Worktrees').waitForRow(/^alice\/main/);
    await eventually(
      'the pull request is recorded',
      () => entry('alice/main'),
      (found) => (found?.['pr'] as { number?: number } | undefined)?.number === 3,
    );
    assert.equal((await entry('alice/main'))?.['base'], 'main');
    assert.equal(await git('config', 'branch.alice/main.remote'), `${stage.hub.url}/alice/demo.git`);
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.type('#3');
    await quickInput.firstRowIs('#3 Fix a typo, has the worktree alice/main');
    await workbench.screenshot('create-box-has-worktree');
    await quickInput.cancel();
  });

  it('comes back to the box with the text where GitHub cannot be reached, and tries again', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.type('#2');
    await quickInput.firstRowIs('#2 Add taxes');
    const { rows } = await quickInput.state();
    assert.deepEqual(rows.map(label), ['#2 Add taxes', '#2 with its stack']);
    await workbench.page.keyboard.press('ArrowDown');
    await quickInput.accept();
    await quickInput.shows('Select what to do after creating #2');
    stage.hub.afterRequest = (line) => !line.includes('/pulls/2');
    await quickInput.accept();
    const failed = await quickInput.shows(/could not be asked/);
    assert.equal(failed.value, '#2');
    await workbench.screenshot('create-box-offline');
    assert.equal(await git('for-each-ref', 'refs/heads/prices', 'refs/heads/taxes'), '');
    stage.hub.afterRequest = undefined;
    await quickInput.pick('Try Again');
    await quickInput.shows('Select what to do after creating #2');
    await quickInput.accept();
    await workbench.tree('Worktrees').waitForRow(/^taxes/);
    await eventually(
      'both are recorded',
      async () => [(await entry('prices'))?.['base'], (await entry('taxes'))?.['base']],
      (bases) => bases.join() === 'main,prices',
    );
  });

  it('leaves nothing behind when Escape is pressed, at whichever question', async () => {
    const { workbench, folder } = open();
    const { quickInput, page } = workbench;
    // Everything that a creation makes. What is known of pull requests, and what VS Code's git notes, may change meanwhile.
    const all = async (): Promise<unknown> => ({
      refs: (await git('for-each-ref')).split('\n'),
      worktrees: (await git('worktree', 'list', '--porcelain')).split('\n'),
      settings: (await git('config', '--local', '--list')).split('\n').filter((line) => !line.includes('.vscode-')),
      // The view may just be writing down what GitHub has said of the test before.
      folders: (await readdir(join(folder, '.worktrees'))).filter((name) => !/\.lock$|\.new\.\d+$/.test(name)).sort(),
      entries: Object.keys(await entries()).sort(),
      status: await git('status', '--porcelain'),
    });
    const before = await all();
    const leave = async (question: string): Promise<void> => {
      await quickInput.cancel();
      await quickInput.closes();
      assert.deepEqual(await all(), before, question);
    };
    const begin = async (): Promise<void> => {
      await workbench.runCommand('Worktree Stacks: Create Worktree…');
      // What was typed the last time is not here any more.
      assert.equal((await quickInput.firstRowIs('Create a new branch from main')).value, '');
    };
    const type = async (): Promise<void> => {
      await quickInput.type('Left behind');
      await quickInput.firstRowIs('Create “left-behind” from main');
    };
    await begin();
    await leave('the empty box');
    await begin();
    await type();
    await leave('a box with a name');
    await begin();
    await type();
    await page.getByRole('button', { name: 'From Another Base…' }).click();
    await quickInput.shows('Create Worktree (2/2)');
    await workbench.screenshot('create-box-base');
    await leave('the question for the base');
    await begin();
    await type();
    await quickInput.accept();
    await quickInput.shows(/^Select what to do after creating/);
    await leave('the question what to do then');
    await begin();
    await type();
    await quickInput.accept();
    await quickInput.shows(/^Select what to do after creating/);
    await quickInput.pick('Stay here');
    await quickInput.shows('Move Changes');
    await workbench.screenshot('create-box-changes');
    await quickInput.cancel();
    // One question back: the box, with what was typed.
    assert.equal((await quickInput.firstRowIs('Create “left-behind” from main')).value, 'Left behind');
    await leave('the question for uncommitted changes, and then the box');
    await begin();
    await quickInput.type('#4');
    await quickInput.firstRowIs('#4 Taxes at once');
    await quickInput.accept();
    await quickInput.shows('Select what to do after creating #4');
    await leave('the question what to do with a pull request');
  });

  it('takes a task for name and task', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.type('docs');
    // A row that is clicked while the list is being filtered makes way for another one.
    await quickInput.firstRowIs('Create “docs” from main');
    await quickInput.pick('Write the docs');
    await quickInput.shows(/^Select what to do after creating/);
    await quickInput.pick('Stay here');
    await workbench.tree('Worktrees').waitForRow(/^write-the-docs/);
    await eventually(
      'the task is recorded',
      () => entry('write-the-docs'),
      (found) => found?.['task'] === 'Write the docs',
    );
  });

  // The same button as for a name that only Windows cannot hold: no other system refuses that one.
  it('makes it by the name that a refusal offers, which leaves nothing behind before', async () => {
    const { workbench } = open();
    const before = await git('for-each-ref', 'refs/heads');
    await workbench.page.keyboard.press('Control+Alt+F9');
    const refusal = '"receipts..v2" cannot be the name of a branch';
    assert.deepEqual(await workbench.notificationButtons(refusal), ['Create “receipts.v2”…', 'Show Log']);
    assert.equal(await git('for-each-ref', 'refs/heads'), before);
    await workbench.pressInNotification(refusal, 'Create “receipts.v2”…');
    const { quickInput } = workbench;
    await quickInput.shows(/main/);
    await workbench.screenshot('create-box-offered-base');
    await quickInput.pick('main');
    await quickInput.shows(/^Select what to do after creating/);
    await quickInput.pick('Stay here');
    await workbench.tree('Worktrees').waitForRow(/^receipts/);
    assert.match(await git('worktree', 'list', '--porcelain'), /refs\/heads\/receipts\.v2$/m);
    assert.equal((await entry('receipts'))?.['path'], '.worktrees/receipts');
  });

  it('reads the same in a narrow window and a light theme', async () => {
    const { workbench } = open();
    await workbench.chooseTheme('Light Modern', 'vs');
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await workbench.quickInput.shows(/#4 Taxes at once/);
    await workbench.screenshot('create-box-light');
    await workbench.page.setViewportSize({ width: 484, height: 800 });
    await workbench.screenshot('create-box-narrow');
    await workbench.quickInput.type('Füße ändern');
    await workbench.quickInput.firstRowIs('Create “fuesse-aendern” from main');
    await workbench.screenshot('create-box-narrow-typed');
    await workbench.quickInput.type('#4');
    await workbench.quickInput.firstRowIs('#4 Taxes at once');
    await workbench.quickInput.cancel();
  });
});
