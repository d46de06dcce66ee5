import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { appendToLog, type LogEntry } from '../../src/core/claude/decisionLog.ts';
import { installStandIn } from '../support/claude/standIn.ts';
import { eventually } from './support/eventually.ts';
import { useWorkbench } from './support/useWorkbench.ts';

const dark = { 'workbench.colorTheme': 'Default Dark Modern' };

// One person's work with two agents; each test goes on where the one before it ended.
describe('a person with Claude Code', () => {
  const open = useWorkbench({ settings: dark, env: installStandIn });
  let client: ChildProcess;
  before(() => {
    client = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  });
  after(() => client.kill());

  /** Writes what a hook would. */
  const note = (worktree: string, event: string, more: Partial<LogEntry> = {}): void =>
    appendToLog(join(open().folder, '.git'), {
      at: new Date().toISOString(),
      event,
      decision: 'none',
      session: `session of ${worktree}`,
      worktree,
      agent: `wt-${worktree}`,
      client: { pid: client.pid ?? 0, host: hostname() },
      ...more,
    });

  it('sees which agent works and which one waits', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    const tree = workbench.tree('Worktrees');
    await tree.waitForRow(/^search-index, 2 files changed/);
    note('search-index', 'UserPromptSubmit');
    note('payment-form', 'PreToolUse', {
      decision: 'deny',
      tool: 'Bash',
      words: 'git push origin payment-form',
      reason: 'git push writes to the remote. Use `wt push payment-form` instead.',
    });
    note('payment-form', 'PermissionRequest', { tool: 'Bash', words: 'npm publish' });
    await tree.waitForRow(/^search-index, agent working, 2 files changed/);
    await tree.waitForRow(/^payment-form, agent is waiting for your answer, 1 call blocked, 1 ahead of main/);
    await workbench.screenshot('agents-dark');
  });

  it('is told once that one waits, wherever they are', async () => {
    const { workbench } = open();
    await workbench.notification('payment-form: Claude asks to run “npm publish”.');
    await workbench.statusBarItem(/^1 agent waits for you: payment-form/);
    await workbench.page.getByRole('tab', { name: /^Worktree Stacks.*1 agent waits for you/ }).waitFor();
    assert.deepEqual(await workbench.tree('Worktrees').inlineActions(/^payment-form/), ["Go to Agent's Terminal"]);
    await workbench.screenshot('agents-told');
    // What is reported of the same question is no other question.
    note('payment-form', 'Notification', { detail: 'permission_prompt' });
    note('release-notes', 'UserPromptSubmit');
    await workbench.tree('Worktrees').waitForRow(/^release-notes, .*agent working/);
    assert.equal((await workbench.notifications()).filter((text) => text.includes('payment-form')).length, 1);
    await workbench.pressInNotification('npm publish', 'Show Changes');
    await workbench.editor(/payment-form against main/);
    await workbench.runCommand('View: Close All Editors');
  });

  it('is not told while they are in the terminal of the one that waits, but as soon as they are elsewhere', async () => {
    const { workbench, folder } = open();
    await workbench.tree('Worktrees').pickFromContextMenu(/^release-notes/, 'Open With', 'Open in Terminal');
    const terminal = workbench.page.getByRole('textbox', { name: /^Terminal \d.*release-notes/ });
    await terminal.waitFor({ state: 'attached' });
    await terminal.focus();
    // The agent is the shell itself.
    await workbench.page.keyboard.type('echo $$ > pid.txt');
    await workbench.page.keyboard.press('Enter');
    const pid = await eventually(
      'the shell has told its process',
      async () => Number(await readFile(join(folder, '.worktrees/release-notes/pid.txt'), 'utf8').catch(() => '')),
      (number) => number > 0,
    );
    const client = { pid, host: hostname() };
    note('release-notes', 'PermissionRequest', { client, tool: 'Edit', words: 'README.md' });
    await workbench.statusBarItem(/^2 agents wait for you/);
    // The claim is written before anything is shown.
    await eventually(
      'the window has claimed it',
      () => readFile(join(folder, '.git/worktree-stacks/agent-notices.json'), 'utf8'),
      (text) => text.includes('session of release-notes'),
    );
    assert.deepEqual(
      (await workbench.notifications()).filter((text) => text.includes('release-notes')),
      [],
    );
    await workbench.tree('Worktrees').click(/^search-index/);
    await workbench.notification('release-notes: Claude asks to change README.md.');
    await workbench.editor(/search-index against main/);
    await workbench.rowsHaveFocus();
    await workbench.runCommand('View: Hide Panel');
    await workbench.clickStatusBarItem(/^2 agents wait for you/);
    await workbench.quickInput.shows('Select one to go to its terminal');
    await workbench.screenshot('agents-waiting-list');
    await workbench.quickInput.pick(/^release-notes/);
    await workbench.page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' });
    note('release-notes', 'SessionEnd', { client, detail: 'prompt_input_exit' });
    await workbench.runCommand('Terminal: Kill All Terminals');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await rm(join(folder, '.worktrees/release-notes/pid.txt'));
  });

  it('sees what there is to review when one is done, in every theme and however narrow the view is', async () => {
    const { workbench } = open();
    note('search-index', 'Stop');
    await workbench.tree('Worktrees').waitForRow(/^search-index, done, 2 files to review/);
    for (const [theme, look, name] of [
      ['Light Modern', 'vs', 'light'],
      ['Dark High Contrast', 'hc-black', 'high-contrast'],
      ['Dark Modern', 'vs-dark', 'dark'],
    ] as const) {
      await workbench.chooseTheme(theme, look);
      for (const width of [300, 170]) {
        await workbench.narrow(width);
        await workbench.screenshot(`agents-${name}-${width}`);
      }
    }
    await workbench.narrow(300);
    await workbench.tree('Worktrees').pressInlineAction(/^search-index/, 'Review Changes');
    await workbench.editor(/search-index against main/);
    // A changed file is changed, and none was renamed to where its worktree is.
    const marks = workbench.page.locator('.multiDiffEntry .file-path');
    await eventually(
      'the files are marked for what happened to them',
      () => marks.evaluateAll((all) => all.map((each) => each.textContent?.replaceAll(/\s/g, ''))),
      (texts) => /search\.js[^A-Z]*$/.test(texts[0] ?? '') && /searchIndex\.js.*A$/.test(texts[1] ?? ''),
    );
    await workbench.screenshot('agents-review');
    await workbench.tree('Worktrees').waitForRow(/^search-index, agent idle, 2 files changed/);
    await workbench.runCommand('View: Close All Editors');
  });

  it('reads in the tooltip since when, and what was denied', async () => {
    const { workbench } = open();
    const since = workbench.page.getByText('waits for your answer since').first();
    await workbench.tree('Worktrees').pointAt(/^payment-form/, since);
    await workbench.screenshot('agents-tooltip');
    await workbench.page.keyboard.press('Escape');
  });

  it('opens what was denied from the menu of the row', async () => {
    const { workbench } = open();
    await workbench.tree('Worktrees').pickFromContextMenu(/^payment-form/, 'Show Agent Activity Log');
    await workbench.editor(/Agent Activity in payment-form/);
    await workbench.page.getByText('git push writes to the remote').first().waitFor();
    await workbench.screenshot('agents-decisions');
  });

  it('starts Claude from the palette, after saying where', async () => {
    const { workbench, place, folder } = open();
    await workbench.runCommand('Worktree Stacks: Start Claude Here');
    const { rows } = await workbench.quickInput.shows('Select the worktree to start Claude in');
    assert.match(rows.find((row) => row.startsWith('payment-form')) ?? '', /agent waiting · 1 blocked/);
    await workbench.quickInput.pick(/^release-notes/);
    const calls = await eventually(
      'Claude is started',
      async () => readFile(join(place.out, 'claude/calls.jsonl'), 'utf8').catch(() => ''),
      (text) => text.includes('"args":[]'),
    );
    assert.ok(calls.includes(JSON.stringify({ cwd: join(folder, '.worktrees/release-notes'), args: [] })), calls);
  });

  it('is asked first where something works already, and can go elsewhere', async () => {
    const { workbench, place, folder } = open();
    const root = join(folder, '.worktrees/release-notes');
    await mkdir(join(root, '.claude-state'), { recursive: true });
    const run = { run_id: 'nightly', work_id: '258', pid: client.pid, host: hostname(), started_at: '' };
    await writeFile(join(root, '.claude-state/.active-run-id'), JSON.stringify(run));
    const tree = workbench.tree('Worktrees');
    const ask = async (row: RegExp): Promise<string> => {
      await tree.pickFromContextMenu(row, 'Open With', 'Start Claude Here');
      return workbench.dialog('is already in use');
    };
    assert.match(await ask(/^release-notes/), /Workflow: nightly for 258, step 1/);
    await workbench.screenshot('agents-start-anyway');
    await workbench.pressInDialog('Create Worktree…');
    await workbench.quickInput.shows('Create Worktree');
    await workbench.quickInput.cancel();
    assert.match(await ask(/^payment-form/), /Claude: wt-payment-form: waits for your answer/);
    await workbench.pressInDialog('Start Anyway');
    await eventually(
      'Claude is started',
      async () => readFile(join(place.out, 'claude/calls.jsonl'), 'utf8').catch(() => ''),
      (text) => text.includes(join(folder, '.worktrees/payment-form')),
    );
    await tree.pointAt(/^release-notes/, workbench.page.getByText('nightly for 258, step 1').first());
    await workbench.page.keyboard.press('Escape');
  });

  it('is offered to start Claude in a new worktree', async () => {
    const { quickInput } = open().workbench;
    await open().workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.shows('Create Worktree (1/2)');
    await quickInput.type('fix-login');
    await quickInput.firstRowIs('Create “fix-login” from');
    await quickInput.accept();
    const { rows } = await quickInput.shows('Select what to do after creating fix-login');
    assert.ok(
      rows.some((row) => row.startsWith('Start Claude in it')),
      rows.join('\n'),
    );
    await open().workbench.screenshot('agents-create-then');
    await quickInput.cancel();
  });

  it('installs the plugin, and is told that it is there', async () => {
    const { workbench } = open();
    await workbench.runCommand('Worktree Stacks: Install Claude Code Plugin');
    await workbench.notification('The plugin for Claude Code is installed.');
    await workbench.screenshot('agents-plugin');
  });
});
