import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { appendToLog, type LogEntry } from '../../../src/core/claude/decisionLog.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import {
  extensionUnderTest,
  folderOfWindow,
  rowsOf,
  until,
  untilEvent,
  untilRows,
  withoutOffers,
  worktreeNode,
  type Row,
} from '../../support/hostWindow.ts';

const named = (rows: readonly Row[], label: string): Row | undefined => rows.find((row) => row.label === label);

describe('the agents of a worktree', () => {
  let handle: TestHandle;
  let folder: string;
  let client: ChildProcess;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    // A process that lives as long as the session does.
    client = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: 'ignore',
    });
    await untilRows(handle, 'changes are known', (rows) => named(rows, 'payment-form')?.description === '↑1');
  });

  after(() => client.kill());

  /** Writes what a hook would, through the core's own writer. */
  const note = (event: string, more: Partial<LogEntry> = {}): void =>
    appendToLog(join(folder, '.git'), {
      at: new Date().toISOString(),
      event,
      decision: 'none',
      session: 'session-1',
      worktree: 'payment-form',
      agent: 'wt-payment-form',
      client: { pid: client.pid ?? 0, host: hostname() },
      ...more,
    });
  const becomes = async (what: string, description: string): Promise<Row> => {
    const rows = await untilRows(handle, what, (all) => named(all, 'payment-form')?.description === description);
    const row = named(rows, 'payment-form');
    assert.ok(row);
    return row;
  };

  it('are not mentioned where there are none', async () => {
    const node = await worktreeNode(handle, 'payment-form');
    assert.equal(
      withoutOffers(handle.view.getTreeItem(node).contextValue),
      'worktree;linked;fine;inWorkspace;branch;stacked;next=open',
    );
  });

  it('show as working as soon as somebody has asked one for something', async () => {
    note('UserPromptSubmit');
    const row = await becomes('the agent works', 'agent working · ↑1');
    assert.equal(row.icon, 'loading~spin');
    assert.equal(withoutOffers(row.flags), 'worktree;linked;fine;inWorkspace;live;branch;stacked;next=open');
    assert.equal(row.spoken, 'payment-form, agent working, 1 ahead of main');
  });

  it('that wait bring their rows to the front of those on the same base', async () => {
    await vscode.commands.executeCommand('worktreeStacks.viewAsStack');
    const belowMain = async (): Promise<string[]> => {
      const main = await worktreeNode(handle, 'main');
      return (await rowsOf(handle, main)).map(({ label }) => label);
    };
    const order = await belowMain();
    note('PermissionRequest', { worktree: 'search-index', session: 'session-3', tool: 'Edit' });
    const waits = (rows: readonly string[]): boolean => rows[0] === 'search-index';
    assert.deepEqual(await until(handle, 'it comes first', belowMain, waits), [
      'search-index',
      ...order.filter((name) => name !== 'search-index'),
    ]);
    assert.ok(!waits(order));
    note('SessionEnd', { worktree: 'search-index', session: 'session-3' });
    assert.deepEqual(await until(handle, 'all are as before', belowMain, (rows) => !waits(rows)), order);
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
  });

  it('show as waiting when one needs an answer', async () => {
    note('Notification', { detail: 'permission_prompt' });
    const row = await becomes('the agent waits', 'agent waiting · ↑1');
    assert.equal(row.icon, 'bell');
    assert.equal(row.spoken, 'payment-form, agent is waiting for your answer, 1 ahead of main');
    assert.match(row.flags, /;next=goToAgent$/);
  });

  it('that wait are counted on the view and in the status bar, and their rows come first', async () => {
    assert.deepEqual(handle.view.tree.badge, { value: 1, tooltip: '1 agent waits for you' });
    assert.equal(handle.waitingItem.text, '$(bell) 1 waiting');
    assert.equal(handle.keys.get('worktreeStacks.hasWaitingAgents'), true);
    const labels = async (): Promise<string[]> => (await rowsOf(handle)).map(({ label }) => label);
    assert.deepEqual((await labels()).slice(0, 3), ['payment-form', 'main', 'search-index']);
    note('PermissionRequest', { worktree: 'release-notes', session: 'session-3', tool: 'Edit' });
    await untilRows(handle, 'a second one waits', (rows) => named(rows, 'release-notes')?.icon === 'bell');
    assert.deepEqual(handle.view.tree.badge, { value: 2, tooltip: '2 agents wait for you' });
    assert.equal(
      handle.waitingItem.accessibilityInformation?.label,
      '2 agents wait for you: payment-form, release-notes',
    );
    note('SessionEnd', { worktree: 'release-notes', session: 'session-3' });
    await untilRows(handle, 'it is gone', (rows) => named(rows, 'release-notes')?.icon === 'circle-large-outline');
    assert.equal(handle.view.tree.badge.value, 1);
  });

  it('are reached in the terminal that their process runs in, one after the other', async () => {
    const [one, other] = ['payment-form', 'release-notes'].map((name) =>
      // What a terminal is called says nothing: only the process does.
      vscode.window.createTerminal({ name: `shell of ${name}`, cwd: folder }),
    );
    const decoy = vscode.window.createTerminal({ name: 'payment-form', cwd: folder });
    assert.ok(one && other);
    const identity = async (terminal: vscode.Terminal): Promise<LogEntry['client']> => ({
      pid: (await terminal.processId) ?? 0,
      host: hostname(),
    });
    const front = (what: string, wanted: vscode.Terminal): Promise<unknown> =>
      untilEvent(
        vscode.window.onDidChangeActiveTerminal,
        what,
        () => vscode.window.activeTerminal?.name,
        (name) => name === wanted.name,
      );
    note('PermissionRequest', { client: await identity(one) });
    note('PermissionRequest', { client: await identity(other), worktree: 'release-notes', session: 'session-3' });
    await until(
      handle,
      'both wait',
      () => handle.view.tree.badge?.value,
      (count) => count === 2,
    );
    decoy.show();
    await front('another terminal is in front', decoy);
    await vscode.commands.executeCommand('worktreeStacks.goToAgent', await worktreeNode(handle, 'payment-form'));
    await front('it is shown', one);
    await vscode.commands.executeCommand('worktreeStacks.nextWaitingAgent');
    await front('the next one is shown', other);
    await vscode.commands.executeCommand('worktreeStacks.nextWaitingAgent');
    await front('and the first one again', one);
    note('SessionEnd', { worktree: 'release-notes', session: 'session-3' });
    note('PreToolUse');
    for (const terminal of [one, other, decoy]) terminal.dispose();
    await becomes('the agent works', 'agent working · ↑1');
  });

  it('show how often they were denied something, and in the tooltip what and why', async () => {
    note('PreToolUse', {
      decision: 'deny',
      tool: 'Bash',
      words: 'git push origin payment-form',
      reason: 'Pushing is for `wt push payment-form`.',
    });
    await becomes('the denial is counted', 'agent working · 1 blocked · ↑1');
    note('PreToolUse', { decision: 'deny', tool: 'Edit', words: '/elsewhere/file.js', reason: 'It is outside.' });
    await becomes('both are counted', 'agent working · 2 blocked · ↑1');
    note('PermissionRequest', { tool: 'Bash' });
    await becomes('the agent waits', 'agent waiting · 2 blocked · ↑1');

    const node = await worktreeNode(handle, 'payment-form');
    const token = new vscode.CancellationTokenSource().token;
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    const text = tooltip.value.replaceAll('\\', '');
    assert.match(text, /\| Claude \| wt-payment-form: waits for your answer since \d+:\d\d.* \|/);
    assert.match(text, /\| Blocked \| Edit: \/elsewhere\/file\.js, at \d+:\d\d.*: It is outside\. \|/);
    assert.match(text, /\| Next \| Answer Claude in its terminal\. \|/);
  });

  it('are done when a turn has ended, and idle as soon as their work was reviewed', async () => {
    note('Stop');
    const done = await becomes('the agent is done', 'done, 1 file to review · 2 blocked · ↑1');
    assert.equal(done.icon, 'pass');
    assert.match(done.flags, /;next=review$/);
    await vscode.commands.executeCommand('worktreeStacks.filter', { to: 'needsMe' });
    assert.ok(named(await rowsOf(handle), 'payment-form'), 'what is to be reviewed needs a person');
    await vscode.commands.executeCommand('worktreeStacks.clearFilter');
    await vscode.commands.executeCommand('worktreeStacks.reviewChanges', await worktreeNode(handle, 'payment-form'));
    const row = await becomes('the agent is idle', 'agent idle · 2 blocked · ↑1');
    assert.equal(row.icon, 'circle-large-outline');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await handle.repositories.refresh();
    await becomes('it stays reviewed', 'agent idle · 2 blocked · ↑1');
  });

  it('are done again after their next turn, also when they are gone then', async () => {
    note('UserPromptSubmit');
    note('SessionEnd', { detail: 'other' });
    const row = await becomes('its work is to be reviewed', 'done, 1 file to review · ↑1');
    assert.match(withoutOffers(row.flags), /;branch;stacked;next=review$/);
    note('Stop');
    await becomes('it is back', 'done, 1 file to review · 2 blocked · ↑1');
    await vscode.commands.executeCommand('worktreeStacks.reviewChanges', await worktreeNode(handle, 'payment-form'));
    await becomes('it is idle', 'agent idle · 2 blocked · ↑1');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('stop the removal of their worktree, and are named', async () => {
    const removed = await vscode.commands.executeCommand<unknown[] | undefined>('worktreeStacks.cleanup', {
      worktree: 'payment-form',
      ask: false,
    });
    assert.equal(removed, undefined);
    assert.ok(await worktreeNode(handle, 'payment-form'));
    const { model, worktree } = await worktreeNode(handle, 'payment-form');
    assert.deepEqual(await model.liveAgents(worktree), [
      { pid: client.pid, what: 'a Claude session (wt-payment-form)' },
    ]);
  });

  it('are listed with their decisions in a document that follows the log', async () => {
    await vscode.commands.executeCommand('worktreeStacks.showDecisions', 'payment-form');
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document?.uri.scheme === 'worktree-stacks-decisions', document?.uri.toString());
    assert.match(
      document.getText(),
      /blocked {2}Edit {2}\(wt-payment-form\)\n {4}\/elsewhere\/file\.js\n {4}It is outside\.\n\n.*blocked {2}Bash/,
    );
    note('TaskCompleted', { decision: 'block', reason: '1 file is not committed.' });
    await untilEvent(
      vscode.workspace.onDidChangeTextDocument,
      'the document has the new decision',
      () => document.getText(),
      (text) => /sent back {2}TaskCompleted/.test(text),
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('have an empty document that says what will be in it', async () => {
    await vscode.commands.executeCommand('worktreeStacks.showDecisions', 'search-index');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^No agent activity in search-index yet\./);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are gone when their session has ended', async () => {
    note('SessionEnd');
    const row = await becomes('nobody is there', '↑1');
    assert.equal(withoutOffers(row.flags), 'worktree;linked;fine;inWorkspace;branch;stacked;next=open');
    assert.equal(handle.view.tree.badge, undefined);
    assert.equal(handle.keys.get('worktreeStacks.hasWaitingAgents'), false);
  });

  it('are known from Claude Code itself where no hook tells of them', async () => {
    const sessions = [
      { pid: client.pid, cwd: join(folder, '.worktrees/search-index/src'), sessionId: 'session-2', status: 'busy' },
    ];
    await writeFile(join(process.env['WORKTREE_STACKS_TEST_CLAUDE'] ?? '', 'agents.json'), JSON.stringify(sessions));
    await handle.repositories.refresh();
    const rows = await untilRows(
      handle,
      'the agent works',
      (all) => named(all, 'search-index')?.icon === 'loading~spin',
    );
    assert.equal(named(rows, 'search-index')?.description, 'agent working · 2 changed');
  });
});
