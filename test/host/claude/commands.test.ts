import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat, watch } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { appendToLog } from '../../../src/core/claude/decisionLog.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest, folderOfWindow, until, worktreeNode } from '../../support/hostWindow.ts';

interface Call {
  readonly cwd: string;
  readonly args: readonly string[];
}

describe('the commands for Claude Code', () => {
  const state = process.env['WORKTREE_STACKS_TEST_CLAUDE'] ?? '';
  let handle: TestHandle;
  let folder: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
  });

  after(() => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  const run = <T>(command: string, ...args: unknown[]): Thenable<T> =>
    vscode.commands.executeCommand<T>(`worktreeStacks.${command}`, ...args);
  const calls = async (): Promise<Call[]> => {
    const text = await readFile(join(state, 'calls.jsonl'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Call);
  };
  /** The calls that start a session, as opposed to those that ask for something. */
  const sessions = async (): Promise<Call[]> =>
    (await calls()).filter(({ args }) => args[0] !== 'agents' && args[0] !== 'plugin');
  const untilSessions = async (count: number): Promise<Call[]> => {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), 30_000);
    try {
      const events = watch(state, { signal: end.signal })[Symbol.asyncIterator]();
      for (let next = events.next(); ; next = events.next()) {
        const seen = await sessions();
        if (seen.length >= count) {
          next.catch(() => undefined);
          return seen;
        }
        await next;
      }
    } catch (thrown) {
      throw new Error(`Claude was not started ${count} times: ${JSON.stringify(await calls())}`, { cause: thrown });
    } finally {
      clearTimeout(timer);
      end.abort();
    }
  };

  it('start Claude plainly in a worktree that has no agent, in a terminal called like it', async () => {
    await run('startClaude', await worktreeNode(handle, 'release-notes'));
    const [call] = await untilSessions(1);
    assert.deepEqual(call, { cwd: join(folder, '.worktrees/release-notes'), args: [] });
    assert.ok(vscode.window.terminals.some(({ name }) => name === 'release-notes'));
  });

  it('start Claude as the agent of a worktree as the last step of its making', async () => {
    await run('create', { name: 'Feat Quince', base: 'main', branch: 'feat-quince', then: 'claude' });
    const call = (await untilSessions(2))[1];
    assert.deepEqual(call, {
      cwd: join(folder, '.worktrees/feat-quince'),
      args: ['--agent', 'wt-feat-quince'],
    });
    assert.ok(vscode.window.terminals.some(({ name }) => name === 'Feat Quince'));
  });

  it('offer the plugin where it is missing', async () => {
    await until(
      handle,
      'it is known that the plugin is missing',
      () => handle.keys.get('worktreeStacks.claudePlugin'),
      (key) => key === 'missing',
    );
  });

  it('install the plugin from a folder that stays', async () => {
    assert.equal(await run('installClaudePlugin'), 'installed');
    const home = join(handle.context.globalStorageUri.fsPath, 'claude-plugin');
    const made = (await calls()).filter(({ args }) => args[0] === 'plugin').map(({ args }) => args);
    assert.deepEqual(made, [
      ['plugin', 'list', '--json'],
      ['plugin', 'marketplace', 'add', home],
      ['plugin', 'install', 'worktree-stacks@worktree-stacks'],
    ]);
    assert.equal(handle.keys.get('worktreeStacks.claudePlugin'), 'installed');
  });

  it('show where Claude is led, now that there is somebody to lead it, and warn only where a session would be led away', async () => {
    const { statusBar, view } = handle;
    const shown = (what: string, text: string): Promise<string> =>
      until(
        handle,
        what,
        () => statusBar.text,
        (now) => now === text,
      );
    // Feat Quince is the last one that was created.
    await shown('the status bar names it', '$(worktree) main · Claude in Feat Quince');
    assert.equal(statusBar.backgroundColor, undefined, 'no session runs here');
    const spoken = view.getTreeItem(await worktreeNode(handle, 'Feat Quince')).accessibilityInformation?.label ?? '';
    assert.match(spoken, /^Feat Quince, Claude's worktree, /);
    const note = (event: string): void =>
      appendToLog(join(folder, '.git'), {
        ...{ at: new Date().toISOString(), event, decision: 'none', session: 'in main', worktree: 'main' },
        client: { pid: process.pid, host: hostname() },
      });
    note('SessionStart');
    const warning = await until(
      handle,
      'a session runs in this window',
      () => statusBar.backgroundColor,
      (colour) => colour !== undefined,
    );
    assert.ok(warning instanceof vscode.ThemeColor);
    assert.match(
      statusBar.accessibilityInformation?.label ?? '',
      /A Claude session that is restored here is led to .*feat-quince/,
    );
    await run('switchActive', await worktreeNode(handle, 'main'));
    await shown('there is nothing to add', '');
    await run('switchActive', 'Feat Quince');
    await shown('it is told again', '$(worktree) main · Claude in Feat Quince');
    note('SessionEnd');
    await until(
      handle,
      'the session has ended',
      () => statusBar.backgroundColor,
      (colour) => colour === undefined,
    );
    await run('clearActive');
    await shown("no worktree is Claude's", '');
  });

  it('give the plugin all that its hooks need', async () => {
    const plugin = join(handle.context.globalStorageUri.fsPath, 'claude-plugin/plugin');
    const launcher = join(plugin, 'bin/wt');
    assert.equal((await stat(launcher)).mode & 0o111, 0o111);
    const env = { PATH: '/usr/bin:/bin', HOME: folder };
    const { stdout } = await promisify(execFile)('sh', [launcher, '--version'], { cwd: folder, env });
    assert.equal(stdout.trim(), (handle.context.extension.packageJSON as { version: string }).version);
    const hook = promisify(execFile)('sh', [launcher, 'hook', 'guard'], { cwd: folder, env });
    const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, cwd: folder };
    hook.child.stdin?.end(JSON.stringify({ ...call, session_id: 's', transcript_path: '/none' }));
    assert.equal((await hook).stdout, '');
  });

  it('say so when the plugin is installed already', async () => {
    assert.equal(await run('installClaudePlugin'), 'already');
  });
});
