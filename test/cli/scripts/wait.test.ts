import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { appendToLog, type LogEntry } from '../../../src/core/claude/decisionLog.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { wtHome, type Ran, type WtHome } from '../support/wt.ts';

describe('wt wait', () => {
  let home: WtHome;
  let repository: TestRepository;
  let client: ChildProcess;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    for (const name of ['one', 'two']) await home.done(repository.root, 'create', name);
    client = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  });
  after(async () => {
    client.kill();
    await home.dispose();
  });
  afterEach(() => {
    for (const name of ['one', 'two']) note(name, 'SessionEnd', { detail: 'prompt_input_exit' });
  });

  const note = (worktree: string, event: string, more: Partial<LogEntry> = {}): void =>
    appendToLog(join(repository.root, '.git'), {
      at: new Date().toISOString(),
      event,
      decision: 'none',
      session: `in ${worktree}`,
      worktree,
      client: { pid: client.pid ?? 0, host: hostname() },
      ...more,
    });
  /** Runs `wt wait`, and does something as soon as it waits. */
  const wait = (args: readonly string[], meanwhile: (child: ChildProcess) => void = () => undefined): Promise<Ran> => {
    let waits = false;
    return home.wt(repository.root, ['wait', ...args, '--verbose'], {
      onStart: (child) =>
        child.stderr?.on('data', (text: Buffer) => {
          if (waits || !text.includes('Waiting for agents')) return;
          waits = true;
          meanwhile(child);
        }),
    });
  };

  it('ends when the agent of a worktree needs a person, and when it is done', async () => {
    note('one', 'UserPromptSubmit');
    const asks = await wait(['one'], () => note('one', 'PermissionRequest', { tool: 'Bash', words: 'npm publish' }));
    assert.deepEqual([asks.code, asks.stdout], [0, 'one\twaiting\n']);
    note('one', 'PreToolUse');
    const done = await wait(['one', '--json'], () => note('one', 'Stop'));
    assertMatches('wait', done.json());
    const [answer] = done.json()['worktrees'] as { state: string; path: string; finished: string; agents: object }[];
    assert.deepEqual(
      [done.code, answer?.state, answer?.path, typeof answer?.finished],
      [0, 'done', join(repository.root, '.worktrees/one'), 'string'],
    );
  });

  it('ends at once where the agent waits or is done already', async () => {
    note('one', 'UserPromptSubmit');
    note('one', 'Notification', { detail: 'permission_prompt' });
    assert.equal((await wait(['one'])).stdout, 'one\twaiting\n');
    note('one', 'Stop');
    assert.equal((await wait(['one'])).stdout, 'one\tdone\n');
    const inside = await home.wt(join(repository.root, '.worktrees/one'), ['wait']);
    assert.equal(inside.stdout, 'one\tdone\n', 'the current worktree is meant');
  });

  it('ends with --any at the first one, and not for one that was done from the start', async () => {
    note('one', 'UserPromptSubmit');
    note('one', 'Stop');
    note('two', 'UserPromptSubmit');
    assert.equal((await wait(['--any'], () => note('two', 'Stop'))).stdout, 'two\tdone\n');
    note('two', 'UserPromptSubmit');
    note('one', 'PermissionRequest');
    assert.equal((await wait(['--any'])).stdout, 'one\twaiting\n');
  });

  it('ends with --all when none works any more', async () => {
    note('one', 'UserPromptSubmit');
    note('two', 'UserPromptSubmit');
    const ran = await wait(['--all'], () => {
      note('one', 'PermissionRequest');
      note('two', 'Stop');
    });
    assert.equal(ran.stdout, 'one\twaiting\ntwo\tdone\n');
  });

  it('notices that the process of an agent has ended without a word', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    note('one', 'UserPromptSubmit', { client: { pid: other.pid ?? 0, host: hostname() } });
    const ran = await wait(['one'], () => {
      other.kill('SIGKILL');
      // The log grows for another reason, so that this test need not wait for the next look.
      void once(other, 'exit').then(() => note('two', 'SessionStart'));
    });
    assert.deepEqual([ran.code, ran.stdout], [0, 'one\tgone\n']);
  });

  it('does not complete when the time is over, and says what the agents do', async () => {
    note('one', 'UserPromptSubmit');
    const ran = await wait(['--all', '--timeout', '0.3s', '--json']);
    assertMatches('wait', ran.json());
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /Timed out after 0\.3s\.\n$/);
    const { success, timed_out: timedOut, worktrees } = ran.json();
    assert.deepEqual([success, timedOut], [false, true]);
    assert.deepEqual(
      (worktrees as { name: string; state: string }[]).map(({ name, state }) => [name, state]),
      [['one', 'working']],
    );
  });

  it('does not complete where there is no agent to wait for', async () => {
    for (const args of [['one'], ['--all']]) {
      const ran = await wait([...args, '--json']);
      assert.equal(ran.code, 1, args.join(' '));
      assertFailure(ran.json(), 'not-found');
      assertMatches('wait', ran.json());
    }
    note('one', 'UserPromptSubmit');
    note('one', 'Stop');
    assert.equal((await wait(['--any'])).code, 1, 'one that is done gives no news');
  });

  it('asks Claude Code where no hook tells of an agent', async () => {
    const session = {
      pid: client.pid,
      cwd: join(repository.root, '.worktrees/two'),
      sessionId: 's',
      status: 'waiting',
    };
    await writeFile(join(home.root, 'claude'), `#!/bin/sh\necho '${JSON.stringify([session])}'\n`, { mode: 0o755 });
    const path = `${home.root}${delimiter}${process.env['PATH'] ?? ''}`;
    const ran = await home.wt(repository.root, ['wait', 'two'], { variables: { PATH: path } });
    assert.equal(ran.stdout, 'two\twaiting\n');
  });

  it('ends at Ctrl-C', async () => {
    note('one', 'UserPromptSubmit');
    const ran = await wait(['one', '--json'], (child) => child.kill('SIGINT'));
    assert.equal(ran.code, 130);
    assertFailure(ran.json(), 'cancelled');
  });

  it('refuses what cannot be meant, as wrong usage', async () => {
    for (const args of [
      ['one', '--any'],
      ['one', '--timeout', '0'],
      ['one', '--timeout', '5d'],
    ]) {
      const ran = await home.wt(repository.root, ['wait', ...args, '--json']);
      assert.equal(ran.code, 2, args.join(' '));
      assertFailure(ran.json(), 'usage');
    }
  });
});
