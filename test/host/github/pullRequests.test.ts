import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { OpenedAll } from '../../../src/core/github/pr/openPullRequests.ts';
import type { Pushed } from '../../../src/core/github/push/model.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { orderHub, type HubOrder, type HubReport } from '../../support/hubControl.ts';
import {
  extensionUnderTest,
  folderOfWindow,
  git,
  untilRows,
  worktreeNode,
  type Row,
} from '../../support/hostWindow.ts';

/** What was asked of whoever holds the accounts. */
interface Asked {
  readonly provider: string;
  readonly scopes: readonly string[];
  readonly silent: boolean;
}

describe('pull requests', () => {
  const bare = process.env['WORKTREE_STACKS_TEST_BARE'] ?? '';
  const hub = (order?: HubOrder): Promise<HubReport> => orderHub(process.env['WORKTREE_STACKS_TEST_HUB'] ?? '', order);
  const run = <T>(command: string, argument?: unknown): Thenable<T> =>
    vscode.commands.executeCommand<T>(`worktreeStacks.${command}`, argument);
  let handle: TestHandle;
  let folder: string;
  let asked: Asked[] = [];
  let account: vscode.AuthenticationSession | undefined;
  let failure: Error | undefined;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
    // VS Code's own questions cannot be answered in here; the walk through them is in test/ui.
    handle.pullRequests.holder = {
      async getSession(provider, scopes, options) {
        asked.push({ provider, scopes, silent: options.silent === true });
        if (failure) throw failure;
        if (options.createIfNone) {
          account ??= {
            id: 'one',
            accessToken: 'ghp_fromtheaccountfromtheaccountfromtheacc',
            account: { id: 'ada', label: 'ada' },
            scopes,
          };
        }
        return account;
      },
    };
  });

  const row = async (name: string, what: string, accept: (row: Row) => boolean): Promise<Row> => {
    const rows = await untilRows(handle, `${name}: ${what}`, (all) =>
      all.some((each) => each.label === name && accept(each)),
    );
    const found = rows.find((each) => each.label === name);
    assert.ok(found);
    return found;
  };
  const path = (name: string): string => join(folder, '.worktrees', name);
  const tip = (name: string): Promise<string> => git(folder, 'rev-parse', `refs/heads/${name}`);
  const there = (name: string): Promise<string> => git(bare, 'rev-parse', `refs/heads/${name}`);
  const commit = async (name: string, file: string): Promise<void> => {
    await writeFile(join(path(name), file), `${file}\n`);
    await git(path(name), 'add', file);
    await git(path(name), 'commit', '--quiet', '-m', `Add ${file}`);
  };
  const registered = async (name: string): Promise<unknown> => {
    const text = await readFile(join(folder, '.worktrees/stack.json'), 'utf8');
    return (JSON.parse(text) as { worktrees: Record<string, { pr: { number: number } | null }> }).worktrees[name]?.pr
      ?.number;
  };
  /** Sets what GitHub has of a pull request, and lets the window look. */
  const becomes = async (number: number, to: NonNullable<HubOrder['set']>['to']): Promise<void> => {
    await hub({ set: { number, to } });
    handle.pullRequests.renew();
  };
  const check = (name: string, conclusion: string | null) => ({
    name,
    status: conclusion === null ? 'in_progress' : 'completed',
    conclusion,
  });

  it('are not thought of before there is one: nobody is asked for an account, and GitHub for nothing', async () => {
    await row('feat-auth', 'is there', () => true);
    assert.deepEqual(asked, []);
    assert.deepEqual((await hub()).requests, []);
    assert.equal(await handle.pullRequests.pollOf((await worktreeNode(handle, 'feat-auth')).model), undefined);
  });

  it('are opened as drafts on their base, after the person has signed in', async () => {
    const done = await run<OpenedAll>('createPullRequest', { worktree: 'feat-auth', ask: false });
    assert.deepEqual(
      done.pullRequests.map(({ name, number, base, draft, action }) => [name, number, base, draft, action]),
      [['feat-auth', 1, 'main', true, 'created']],
    );
    assert.deepEqual(asked.at(0), { provider: 'github-enterprise', scopes: ['repo'], silent: true });
    assert.deepEqual(asked.filter(({ silent }) => !silent).length, 1);
    assert.equal(await registered('feat-auth'), 1);
    assert.equal(await there('feat-auth'), await tip('feat-auth'));
    const shown = await row('feat-auth', 'shows its draft', ({ description }) => / #1 draft/.test(description));
    assert.equal(shown.icon, 'git-pull-request-draft');
    assert.match(shown.flags, /;pr(;|$)/);
    assert.match(shown.spoken, /draft pull request 1$/);
  });

  it('are opened for a whole stack, each on the one below', async () => {
    await run('stackPullRequests', { worktree: 'auth-docs', ask: false });
    const { pulls } = await hub();
    assert.deepEqual(
      pulls.map(({ head, base, draft }) => [head, base, draft]),
      [
        ['feat-auth', 'main', true],
        ['auth-ui', 'feat-auth', true],
        ['auth-docs', 'auth-ui', true],
      ],
    );
    await row('auth-docs', 'shows its draft', ({ description }) => /#3 draft/.test(description));
  });

  it('tell checks that run from those that passed and failed, in words', async () => {
    await becomes(1, { checks: [check('build', null), check('lint', 'success')] });
    const pending = await row('feat-auth', 'checks run', ({ description }) => /#1 pending, draft/.test(description));
    assert.match(pending.spoken, /checks pending: 1 pending, 1 passed/);
    await becomes(1, { checks: [check('build', 'success'), check('lint', 'success')] });
    await row('feat-auth', 'checks passed', ({ description }) => /#1 ✓ draft/.test(description));
    await becomes(1, { checks: [check('build', 'failure'), check('lint', null)] });
    const failed = await row('feat-auth', 'a check failed', ({ description }) => /#1 failed, draft/.test(description));
    assert.match(failed.spoken, /checks failed: 1 failed, 1 pending/);
  });

  it('tell the review and what nobody has resolved', async () => {
    await becomes(2, {
      draft: false,
      checks: [check('build', 'success')],
      reviews: [{ login: 'grace', state: 'APPROVED' }],
      threads: [{ resolved: false }, { resolved: true }],
    });
    const shown = await row('auth-ui', 'is approved', ({ spoken }) => spoken.includes('approved'));
    assert.match(shown.description, / · #2 ✓ approved, 1 unresolved$/);
    assert.match(shown.spoken, /pull request 2, checks passed: 1 passed, approved, 1 unresolved conversation$/);
    const node = await worktreeNode(handle, 'auth-ui');
    const token = new vscode.CancellationTokenSource().token;
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    const text = tooltip.value.replaceAll('\\', '');
    assert.match(text, /\| Checks \| checks passed: 1 passed \|/);
    assert.match(text, /\| Review \| approved \|/);
  });

  it('give their link, without asking GitHub', async () => {
    const asked: number[] = [];
    // What is read in the background meanwhile may ask, and comes to an end.
    for (let go = 0; go < 10 && asked.at(-1) !== 0; go++) {
      const before = (await hub()).requests.length;
      const url = await run<string>('copyPullRequestLink', { worktree: 'auth-ui' });
      assert.match(url, /\/octo\/demo\/pull\/2$/);
      assert.equal(await vscode.env.clipboard.readText(), url);
      asked.push((await hub()).requests.length - before);
    }
    assert.equal(asked.at(-1), 0, `requests each time: ${asked.join()}`);
  });

  it('are pushed to: plainly, and a stack all at once', async () => {
    await commit('feat-auth', 'one.txt');
    const pushed = await run<Pushed[]>('push', { worktree: 'feat-auth', ask: false });
    assert.deepEqual(
      pushed.map(({ name, how }) => [name, how]),
      [['feat-auth', 'forwarded']],
    );
    assert.equal(await there('feat-auth'), await tip('feat-auth'));
    const all = await run<Pushed[]>('pushStack', { worktree: 'feat-auth', ask: false });
    assert.deepEqual(
      all.map(({ name, how }) => [name, how]),
      [
        ['feat-auth', 'unchanged'],
        ['auth-ui', 'unchanged'],
        ['auth-docs', 'unchanged'],
      ],
    );
  });

  it('follow when their stack is rebased and pushed in one go', async () => {
    await becomes(2, { reviews: [] });
    const pushed = await run<Pushed[]>('rebaseAndPushStack', { worktree: 'feat-auth', ask: false });
    assert.deepEqual(
      pushed.map(({ name, how }) => [name, how]),
      [
        ['feat-auth', 'rewritten'],
        ['auth-ui', 'rewritten'],
        ['auth-docs', 'rewritten'],
      ],
    );
    for (const [below, above] of [
      ['main', 'feat-auth'],
      ['feat-auth', 'auth-ui'],
      ['auth-ui', 'auth-docs'],
    ] as const) {
      assert.equal(await there(above), await tip(above));
      await git(bare, 'merge-base', '--is-ancestor', below, above);
    }
  });

  it('are not pushed over what somebody else has pushed', async () => {
    const clone = join(folder, '..', 'clone');
    await git(folder, 'clone', '--quiet', '--branch=auth-docs', bare, clone);
    await writeFile(join(clone, 'theirs.txt'), 'theirs\n');
    await git(clone, 'add', '.');
    await git(clone, 'commit', '--quiet', '-m', 'Somebody else');
    await git(clone, 'push', '--quiet');
    const theirs = await there('auth-docs');
    await commit('auth-docs', 'ours.txt');
    assert.equal(await run('push', { worktree: 'auth-docs', ask: false }), undefined);
    assert.equal(await there('auth-docs'), theirs);
  });

  it('are watched until their checks have ended, and no longer when somebody stops it', async () => {
    const marker = join(path('auth-ui'), '.poll-active');
    await becomes(2, { checks: [check('build', null)] });
    await run('watchChecks', { worktree: 'auth-ui' });
    await row('auth-ui', 'is watched', ({ flags }) => /;watched/.test(flags));
    await handle.repositories.refresh();
    await run('stopWatching', { worktree: 'auth-ui' });
    assert.ok(!existsSync(marker));
    await row('auth-ui', 'is watched no more', ({ flags }) => !/;watched/.test(flags));
    await hub({ set: { number: 2, to: { checks: [check('build', 'failure')] } } });
    await run('watchChecks', { worktree: 'auth-ui' });
    await row('auth-ui', 'shows what the watch saw', ({ description }) => /#2 failed/.test(description));
    await row('auth-ui', 'the watch has ended by itself', ({ flags }) => !/;watched/.test(flags));
    assert.ok(!existsSync(marker));
  });

  it('are told as merged', async () => {
    await becomes(1, { state: 'closed', mergedAt: '2026-01-02T03:04:05Z' });
    const shown = await row('feat-auth', 'was merged', ({ description }) => /#1 merged/.test(description));
    assert.equal(shown.icon, 'git-merge');
  });

  it('are not asked about while that is switched off, and are again when it is not', async () => {
    const settings = vscode.workspace.getConfiguration('worktreeStacks');
    const { model } = await worktreeNode(handle, 'auth-ui');
    await settings.update('pullRequests.follow', 'off', vscode.ConfigurationTarget.Global);
    assert.equal(await handle.pullRequests.pollOf(model), undefined);
    const before = (await hub()).requests.length;
    await becomes(3, { checks: [check('build', null)] });
    assert.equal(await handle.pullRequests.pollOf(model), undefined);
    assert.equal((await hub()).requests.length, before);
    await settings.update('pullRequests.follow', undefined, vscode.ConfigurationTarget.Global);
    handle.pullRequests.renew();
    await row('auth-docs', 'shows what came meanwhile', ({ spoken }) => /checks pending: 1 pending/.test(spoken));
  });

  it('are asked for with what wt would use where VS Code has no accounts, once somebody wants something', async () => {
    await handle.context.globalState.update('worktreeStacks.signedIn', {});
    account = undefined;
    failure = new Error("Timed out waiting for authentication provider 'github-enterprise' to register.");
    const before = (await hub()).requests.length;
    const poll = await handle.pullRequests.pollOf((await worktreeNode(handle, 'auth-ui')).model);
    await poll?.renew();
    assert.equal((await hub()).requests.length, before, 'the token of a variable was used although nobody asked');
    assert.match((await run<string>('signIn')) ?? '', /^127\.0\.0\.1:\d+$/);
    assert.deepEqual(handle.context.globalState.get('worktreeStacks.signedIn'), {
      [new URL(await git(folder, 'remote', 'get-url', 'origin')).host]: 'tools',
    });
  });

  it('ask nobody when the person does not want to sign in', async () => {
    await handle.context.globalState.update('worktreeStacks.signedIn', {});
    failure = new Error('User did not consent to login.');
    const before = (await hub()).requests.length;
    assert.equal(await run('createPullRequest', { worktree: 'pay-api', ask: false }), undefined);
    assert.deepEqual([(await hub()).requests.length, await registered('pay-api')], [before, undefined]);
    failure = undefined;
    asked = [];
  });

  it('are left in peace until the time that GitHub names when it was asked too much', async () => {
    await run('signIn');
    const poll = await handle.pullRequests.pollOf((await worktreeNode(handle, 'auth-ui')).model);
    await hub({ next: { request: 'POST /graphql', status: 429, headers: { 'retry-after': '3600' } } });
    await poll?.renew();
    const before = (await hub()).requests.length;
    await poll?.renew();
    assert.equal((await hub()).requests.length, before);
  });

  it('are removed with their branch when they were merged on GitHub and nothing was fetched yet', async () => {
    await git(folder, 'worktree', 'add', '--quiet', '--no-track', '-b', 'late', path('late'), 'main');
    await commit('late', 'late.txt');
    await git(path('late'), 'push', '--quiet', 'origin', 'late');
    await row('late', 'is shown', () => true);
    const clone = join(folder, '..', 'merger');
    await git(folder, 'clone', '--quiet', '--branch=main', bare, clone);
    await git(clone, 'merge', '--quiet', '--squash', 'origin/late');
    await git(clone, 'commit', '--quiet', '-m', 'Late (#9)');
    await git(clone, 'push', '--quiet', 'origin', 'HEAD:main');
    const removed = await run<{ name: string }[]>('cleanup', { worktree: 'late', ask: false });
    assert.deepEqual(
      removed.map(({ name }) => name),
      ['late'],
    );
    assert.deepEqual([existsSync(path('late')), await git(folder, 'for-each-ref', 'refs/heads/late')], [false, '']);
  });
});
