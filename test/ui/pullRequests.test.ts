import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HubPull } from '../github/support/hubState.ts';
import { makeStackOnHub, type StackOnHub } from '../support/stackOnHub.ts';
import { installAccounts } from './support/accountsExtension.ts';
import { eventually } from './support/eventually.ts';
import { openSubmenu } from './support/tree.ts';
import { useWorkbench } from './support/useWorkbench.ts';

const check = (name: string, conclusion: string | null): HubPull['checks'][number] => ({
  name,
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
});

// A stack with pull requests on a server like GitHub's.
describe('a person with pull requests', () => {
  let stage: StackOnHub;
  const open = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    async prepare(place) {
      stage = await makeStackOnHub(place);
      const { folder, hub } = stage;
      const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: folder, env: place.env });
      const names = ['feat-auth', 'auth-ui', 'auth-docs', 'pay-api'];
      await git('push', '--quiet', 'origin', ...names);
      const registry = join(folder, '.worktrees/stack.json');
      const { worktrees, ...rest } = JSON.parse(await readFile(registry, 'utf8')) as {
        worktrees: Record<string, { base: string; pr: object | null }>;
      };
      for (const name of names) {
        const entry = worktrees[name];
        assert.ok(entry);
        const { number } = hub.state.add(name, entry.base);
        entry.pr = { number, url: `${hub.url}/octo/demo/pull/${number}` };
      }
      await writeFile(registry, JSON.stringify({ ...rest, worktrees }));
      const set = (number: number, to: Partial<HubPull>): void =>
        void Object.assign(hub.state.pulls.get(number) ?? {}, to);
      set(1, {
        draft: false,
        checks: [check('build', 'success'), check('lint', 'success')],
        reviews: [{ login: 'grace', state: 'APPROVED' }],
      });
      set(2, { checks: [check('build', null), check('lint', 'success')] });
      set(3, { checks: [check('build', 'failure')], threads: [{ resolved: false }] });
      await installAccounts(place);
      return { folder };
    },
  });
  after(() => stage.hub.close());

  it('sees that there are some, and GitHub is not asked before they sign in', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    await workbench.tree('Worktrees').waitForRow(/^feat-auth, .*pull request 1$/);
    // What was pushed before went to the same server.
    assert.deepEqual(
      stage.hub.requests.filter(({ method }) => method !== 'PUSH'),
      [],
    );
    await workbench.screenshot('pull-requests-before-sign-in');
  });

  it("signs in through VS Code's accounts, and sees how each is doing", async () => {
    const { workbench } = open();
    await workbench.runCommand('Worktree Stacks: Sign In to GitHub');
    await workbench.dialog(/Worktree Stacks/);
    await workbench.screenshot('pull-requests-sign-in');
    await workbench.pressInDialog('Allow');
    const tree = workbench.tree('Worktrees');
    await tree.waitForRow(/^feat-auth, .*pull request 1, checks passed: 2 passed, approved$/);
    await tree.waitForRow(/^auth-ui, .*draft pull request 2, checks pending: 1 pending, 1 passed$/);
    await tree.waitForRow(/^auth-docs, .*draft pull request 3, checks failed: 1 failed, 1 unresolved conversation$/);
    await workbench.notification(/Signed in to/);
    await workbench.screenshot('pull-requests-states');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('finds what can be done with one in its menu', async () => {
    const { workbench } = open();
    await workbench.tree('Worktrees').openContextMenu(/^auth-ui, /);
    const items = await openSubmenu(workbench.page, 'Share');
    for (const item of ['Push…', 'Push Stack…', 'Restack and Push…', 'Update Pull Request…', 'Watch Checks'])
      assert.ok(items.includes(item), `${item} is not among ${items.join(', ')}`);
    await workbench.screenshot('pull-requests-menu');
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('Escape');
  });

  it('hears of a check that has failed, once', async () => {
    const { workbench } = open();
    Object.assign(stage.hub.state.pulls.get(2) ?? {}, { checks: [check('build', 'failure')] });
    await workbench.runCommand('Worktree Stacks: Refresh Worktrees');
    await workbench.notification('A check of #2 auth-ui failed.');
    await workbench.screenshot('pull-requests-notification');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('reads what a rebase and a push of the stack would do, and it is done', async () => {
    const { workbench, folder, place } = open();
    Object.assign(stage.hub.state.pulls.get(1) ?? {}, { reviews: [] });
    await workbench.tree('Worktrees').pickFromContextMenu(/^feat-auth, /, 'Share', 'Restack and Push…');
    const { title, rows } = await workbench.quickInput.shows(/^Restack and push feat-auth\?/);
    assert.match(title, /feat-auth/);
    assert.match(rows[0] ?? '', /^Rebase 3 branches and push 3 branches/);
    assert.ok(rows.some((row) => /auth-ui.*clean.*force-pushes with lease to origin/.test(row)));
    await workbench.screenshot('pull-requests-plan');
    await workbench.quickInput.accept();
    await workbench.notification(/Rebased 3 branches\. Pushed 3 branches to origin/);
    const oid = async (gitDir: string, name: string): Promise<string> =>
      (await promisify(execFile)('git', ['-C', gitDir, 'rev-parse', `refs/heads/${name}`], { env: place.env })).stdout;
    for (const name of ['feat-auth', 'auth-ui', 'auth-docs'])
      assert.equal(await oid(stage.bare, name), await oid(folder, name));
    await workbench.screenshot('pull-requests-pushed');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('is offered to replace what was pushed before an amend, and sees what that does before it does it', async () => {
    const { workbench, folder, place } = open();
    const worktree = join(folder, '.worktrees/pay-api');
    const git = async (cwd: string, ...args: string[]): Promise<string> =>
      (await promisify(execFile)('git', args, { cwd, env: place.env })).stdout.trim();
    await git(worktree, 'commit', '--quiet', '--amend', '-m', 'Take more money');
    const tree = workbench.tree('Worktrees');
    await tree.pickFromContextMenu(/^pay-api, /, 'Share', 'Push…');
    await workbench.notification(/commits that were pushed have been changed since/);
    await workbench.screenshot('pull-requests-refused');
    await workbench.pressInNotification(/commits that were pushed/, 'Force Push with Lease…');
    await workbench.quickInput.shows(/^Push pay-api\?/);
    await workbench.screenshot('pull-requests-replace');
    await workbench.quickInput.accept();
    await eventually(
      'the server has the amended commit',
      () => git(stage.bare, 'log', '-1', '--format=%s', 'refs/heads/pay-api'),
      (subject) => subject === 'Take more money',
    );
  });

  it('reads whose branch and pull request it is before anything of a colleague’s is replaced or changed', async () => {
    const { workbench, folder, place } = open();
    const worktree = join(folder, '.worktrees/pay-api');
    const git = async (cwd: string, ...args: string[]): Promise<string> =>
      (await promisify(execFile)('git', args, { cwd, env: place.env })).stdout.trim();
    const pull = stage.hub.state.pulls.get(4);
    assert.ok(pull);
    Object.assign(pull, { author: 'ada', body: 'Words of ada' });
    const registry = join(folder, '.worktrees/stack.json');
    const known = JSON.parse(await readFile(registry, 'utf8')) as { worktrees: Record<string, { pr: object }> };
    Object.assign(known.worktrees['pay-api']?.pr ?? {}, { author: 'ada' });
    await writeFile(registry, JSON.stringify(known));
    const tree = workbench.tree('Worktrees');
    const { quickInput } = workbench;

    await tree.pickFromContextMenu(/^pay-api, /, 'Share', 'Update Pull Request…');
    const { rows } = await quickInput.shows(/^Pull request for pay-api in/);
    assert.ok(
      rows.some((row) => row.includes('leaves #4 as it is: it belongs to ada')),
      rows.join('\n'),
    );
    await workbench.screenshot('pull-requests-of-another');
    await quickInput.accept();
    await workbench.notification(/#4 is a pull request of ada, so nothing of it is changed/);
    assert.equal(pull.body, 'Words of ada');
    await workbench.pressInNotification(/is a pull request of ada/, 'Change It Anyway…');
    const again = await quickInput.shows(/^Pull request for pay-api in/);
    assert.ok(
      again.rows.some((row) => row.includes('updates #4')),
      again.rows.join('\n'),
    );
    await quickInput.cancel();
    await workbench.runCommand('Notifications: Clear All Notifications');

    await git(worktree, 'commit', '--quiet', '--amend', '-m', 'Take their money');
    await tree.pickFromContextMenu(/^pay-api, /, 'Share', 'Push…');
    await workbench.notification(/pay-api was not pushed: its branch belongs to ada/);
    await workbench.screenshot('pull-requests-refused-another');
    await workbench.pressInNotification(/its branch belongs to ada/, 'Force Push with Lease…');
    const plan = await quickInput.shows(/^Push pay-api\?/);
    assert.ok(
      plan.rows.some((row) => row.includes('The branch of pay-api belongs to ada')),
      plan.rows.join('\n'),
    );
    await quickInput.accept();
    await eventually(
      'the server has the amended commit',
      () => git(stage.bare, 'log', '-1', '--format=%s', 'refs/heads/pay-api'),
      (subject) => subject === 'Take their money',
    );
  });
});
