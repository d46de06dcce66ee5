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
  untilEvent,
  untilRows,
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
    assert.equal(handle.view.getTreeItem(node).contextValue, 'worktree;linked;fine;inWorkspace;branch;stacked');
  });

  it('show as working as soon as somebody has asked one for something', async () => {
    note('UserPromptSubmit');
    const row = await becomes('the agent works', 'agent working · ↑1');
    assert.equal(row.icon, 'loading~spin');
    assert.equal(row.flags, 'worktree;linked;fine;inWorkspace;live;branch;stacked');
    assert.equal(row.spoken, 'payment-form, agent working, 1 ahead of main');
  });

  it('show as waiting when one needs an answer', async () => {
    note('Notification', { detail: 'permission_prompt' });
    const row = await becomes('the agent waits', 'agent waiting · ↑1');
    assert.equal(row.icon, 'bell');
    assert.equal(row.spoken, 'payment-form, agent is waiting for your answer, 1 ahead of main');
  });

  it('show how often they were denied something, and in the tooltip what and why', async () => {
    note('PreToolUse', {
      decision: 'deny',
      tool: 'Bash',
      words: 'git push origin payment-form',
      reason: 'Pushing is for `wt push payment-form`.',
    });
    await becomes('the denial is counted', 'agent working · 1 denied · ↑1');
    note('PreToolUse', { decision: 'deny', tool: 'Edit', words: '/elsewhere/file.js', reason: 'It is outside.' });
    await becomes('both are counted', 'agent working · 2 denied · ↑1');
    note('PermissionRequest', { tool: 'Bash' });
    await becomes('the agent waits', 'agent waiting · 2 denied · ↑1');

    const node = await worktreeNode(handle, 'payment-form');
    const token = new vscode.CancellationTokenSource().token;
    const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    const text = tooltip.value.replaceAll('\\', '');
    assert.match(text, /\| Claude \| wt-payment-form: waits for your answer since \d+:\d\d.* \|/);
    assert.match(text, /\| Denied \| Edit: \/elsewhere\/file\.js, at \d+:\d\d.*: It is outside\. \|/);
    assert.match(text, /\| Next \| Answer Claude in its terminal\. \|/);
  });

  it('are idle when a turn has ended', async () => {
    note('Stop');
    const row = await becomes('the agent is idle', 'agent idle · 2 denied · ↑1');
    assert.equal(row.icon, 'circle-large-outline');
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
      /denied {2}Edit {2}\(wt-payment-form\)\n {4}\/elsewhere\/file\.js\n {4}It is outside\.\n\n.*denied {2}Bash/,
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
    assert.equal(row.flags, 'worktree;linked;fine;inWorkspace;branch;stacked');
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
