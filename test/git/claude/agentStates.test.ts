import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, type Environment } from '../../../src/core/base/environment.ts';
import { identityOf } from '../../../src/core/base/processes.ts';
import { agentsAtWork } from '../../../src/core/claude/agentsAtWork.ts';
import { agentStates, mostPressing } from '../../../src/core/claude/agentStates.ts';
import { parseSessions, SessionLister, type ClaudeSession } from '../../../src/core/claude/claudeSessions.ts';
import { appendToLog, type LogEntry } from '../../../src/core/claude/decisionLog.ts';
import { liveAgents } from '../../../src/core/claude/liveAgents.ts';
import { skipBecause } from '../../support/skip.ts';

describe('what the agents in a worktree do', () => {
  let root: string;
  let environment: Environment;
  let client: LogEntry['client'];
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'wt-states-')));
    environment = { ...environmentOf(process), variables: {} };
    client = await identityOf(environment);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const worktree = () => ({ name: 'one', path: join(root, 'one') });
  const say = (event: string, more: Partial<LogEntry> = {}): void =>
    appendToLog(root, {
      at: new Date().toISOString(),
      event,
      decision: 'none',
      session: 's1',
      worktree: 'one',
      ...(client ? { client } : {}),
      ...more,
    });
  const states = async (sessions: readonly ClaudeSession[] = []) =>
    (await agentStates(environment, root, [worktree()], sessions)).get('one') ?? [];
  const activities = async (sessions: readonly ClaudeSession[] = []): Promise<string[]> =>
    (await states(sessions)).map(({ activity }) => activity);

  it('is nothing without events', async () => assert.deepEqual(await activities(), []));

  it('follows the events of a session', async () => {
    for (const [event, more, expected] of [
      ['SessionStart', {}, ['idle']],
      ['UserPromptSubmit', {}, ['working']],
      ['PreToolUse', {}, ['working']],
      ['PermissionRequest', {}, ['waiting']],
      ['PreToolUse', {}, ['working']],
      ['Notification', { detail: 'permission_prompt' }, ['waiting']],
      ['Notification', { detail: 'auth_success' }, ['waiting']],
      ['Stop', {}, ['idle']],
      ['SessionEnd', {}, []],
      ['SessionStart', { detail: 'resume' }, ['idle']],
    ] as const) {
      say(event, more);
      assert.deepEqual(await activities(), expected, event);
    }
  });

  it('tells sub-agents and team-mates from their session', async () => {
    say('UserPromptSubmit', { worktree: 'two' });
    say('SubagentStart', { agentId: 'a1', agent: 'wt-one' });
    say('PreToolUse', { agentId: 'a2', agent: 'one' });
    say('TeammateIdle', { agentId: 'a2', agent: 'one' });
    assert.deepEqual(
      (await states()).map(({ agent, activity }) => [agent, activity]),
      [
        ['wt-one', 'working'],
        ['one', 'idle'],
      ],
    );
    say('SubagentStop', { agentId: 'a1', agent: 'wt-one' });
    assert.deepEqual(
      (await states()).map(({ agent }) => agent),
      ['one'],
    );
    say('SessionEnd', { worktree: 'two' });
    assert.deepEqual(await states(), []);
  });

  it('keeps a team-mate that has stopped after a turn', async () => {
    const mate = { agentId: 'awt-one-0123456789abcdef', agent: 'wt-one' };
    say('PreToolUse', mate);
    say('TeammateIdle', mate);
    say('SubagentStop', mate);
    assert.deepEqual(await activities(), ['idle']);
    say('TeammateIdle', { ...mate, decision: 'block' });
    assert.deepEqual(await activities(), ['working']);
  });

  it('leaves out agents whose process has ended', async () => {
    say('UserPromptSubmit', { client: { pid: 2 ** 22 + 1, host: environment.host } });
    assert.deepEqual(await activities(), []);
  });

  it('does not take one for working that was not heard of for hours', async () => {
    const before = new Date(Date.now() - 3 * 60 * 60_000).toISOString();
    say('PreToolUse', { at: before });
    say('PreToolUse', { at: before, session: 's2', client: undefined as never });
    assert.deepEqual(await activities(), ['idle']);
  });

  it('is still to wait, however long nobody has answered', async () => {
    say('PermissionRequest', { at: new Date(Date.now() - 30 * 60 * 60_000).toISOString() });
    assert.deepEqual(await activities(), ['waiting']);
  });

  describe('since when', () => {
    const start = Date.now() - 20 * 60_000;
    const at = (minute: number): string => new Date(start + minute * 60_000).toISOString();
    const since = async (): Promise<(string | undefined)[]> => (await states()).map((each) => each.since);

    it('one waits is told from the first of several events about one question', async () => {
      say('UserPromptSubmit', { at: at(1) });
      say('PermissionRequest', { at: at(2), tool: 'Bash', words: 'npm publish' });
      say('Notification', { at: at(3), detail: 'permission_prompt' });
      assert.deepEqual(await since(), [at(2)]);
      assert.deepEqual((await states())[0]?.asks, { tool: 'Bash', words: 'npm publish' });
      say('PreToolUse', { at: at(4) });
      say('PreToolUse', { at: at(5) });
      assert.deepEqual(await since(), [at(5)], 'of one that works it is when it was last heard of');
      assert.equal((await states())[0]?.asks, undefined);
      say('Notification', { at: at(6), detail: 'elicitation_dialog' });
      assert.deepEqual(await since(), [at(6)]);
      assert.equal((await states())[0]?.asks, undefined, 'the next question is another one');
    });

    it('the work in a worktree is done is when the last turn ended, as long as nobody works there', async () => {
      const finished = async (): Promise<string | undefined> =>
        (await agentsAtWork(environment, root, [worktree()], [])).get('one')?.finished;
      say('SessionStart', { at: at(1) });
      assert.equal(await finished(), undefined, 'nobody has asked for anything');
      say('UserPromptSubmit', { at: at(2) });
      assert.equal(await finished(), undefined);
      say('Stop', { at: at(3) });
      assert.equal(await finished(), at(3));
      say('SubagentStart', { at: at(4), agentId: 'a1', agent: 'wt-one' });
      assert.equal(await finished(), undefined, 'another agent works there');
      say('SubagentStop', { at: at(5), agentId: 'a1', agent: 'wt-one' });
      assert.equal(await finished(), at(5));
      say('SessionStart', { at: at(6), detail: 'compact' });
      assert.equal(await finished(), at(5), 'that is no new turn');
    });

    it('is remembered of a run that has ended by itself, not of a session that a person has ended', async () => {
      const finished = async (): Promise<string | undefined> =>
        (await agentsAtWork(environment, root, [worktree()], [])).get('one')?.finished;
      say('UserPromptSubmit', { at: at(1) });
      say('SessionEnd', { at: at(2), detail: 'other' });
      assert.equal(await finished(), at(2), 'in the middle of its turn');
      say('UserPromptSubmit', { at: at(3), session: 's2' });
      say('Stop', { at: at(4), session: 's2' });
      assert.equal(await finished(), at(4));
      say('SessionEnd', { at: at(5), session: 's2', detail: 'prompt_input_exit' });
      assert.equal(await finished(), at(2));
    });
  });

  it("prefers Claude Code's own word, and adds sessions that left no trace", async () => {
    say('UserPromptSubmit');
    const listed = (sessionId: string, status: string, cwd = worktree().path): ClaudeSession => ({
      pid: 1,
      cwd,
      sessionId,
      status,
    });
    assert.deepEqual(await activities([listed('s1', 'waiting')]), ['waiting']);
    assert.deepEqual(await activities([listed('s1', 'idle'), listed('s2', 'busy'), listed('s3', 'busy', root)]), [
      'idle',
      'working',
    ]);
  });

  it('shows who waits for a person first', async () => {
    say('Stop', { session: 's1' });
    say('PreToolUse', { session: 's2' });
    assert.equal(mostPressing(await states()), 'working');
    say('PermissionRequest', { session: 's3' });
    assert.equal(mostPressing(await states()), 'waiting');
    assert.equal(mostPressing([]), undefined);
  });

  it('reads a list of sessions, whatever else is in it', () => {
    const right = { pid: 1, cwd: '/x', sessionId: 's', status: 'busy' };
    assert.deepEqual(parseSessions(JSON.stringify([right, { pid: 'x' }, null, { ...right, status: 7 }])), [
      right,
      { ...right, status: '' },
    ]);
    assert.deepEqual(parseSessions('not json'), []);
    assert.deepEqual(parseSessions('{}'), []);
  });

  describe('are asked of Claude Code', () => {
    let time: number;
    let lister: SessionLister;
    before(function () {
      if (process.platform === 'win32') skipBecause(this, 'the stand-in for Claude Code is a script of sh');
    });
    beforeEach(async () => {
      const script =
        '#!/bin/sh\necho "$@" >> "$0.calls"\nn=$(wc -l < "$0.calls")\necho "[{\\"pid\\":$n,\\"cwd\\":\\"/x\\",\\"sessionId\\":\\"s\\"}]"\n';
      await writeFile(join(root, 'claude'), script, { mode: 0o755 });
      time = 1_000_000;
      lister = new SessionLister({ ...environment, now: () => new Date(time) }, join(root, 'claude'));
    });
    /** Which of the answers one gets, the first being 1. */
    const answer = async (since?: number): Promise<number | undefined> =>
      (await lister.list(since === undefined ? undefined : new Date(since)))[0]?.pid;

    it('once for all who want to know within ten seconds', async () => {
      assert.deepEqual(await Promise.all([answer(), answer()]), [1, 1]);
      time += 10_000;
      assert.equal(await answer(), 1);
      time += 1;
      assert.equal(await answer(), 2);
    });

    it('anew for who does not want an old answer, and once for all of those', async () => {
      assert.equal(await answer(), 1);
      time += 5;
      assert.deepEqual(await Promise.all([answer(time), answer(time), answer()]), [2, 2, 2]);
      assert.equal(await answer(time - 1), 2, 'it is newer than that');
    });
  });

  describe('and would stop a removal', () => {
    const none = { list: async () => [] } as unknown as SessionLister;
    const live = async (variables: Record<string, string> = {}): Promise<string[]> =>
      (await liveAgents({ ...environment, variables }, none, root, worktree())).map(({ what }) => what);

    it('is a session that lives there, working or not', async () => {
      say('Stop');
      assert.deepEqual(await live(), ['a Claude session']);
    });

    it('is not the session that asks, but an agent of it that is busy there', async () => {
      say('PreToolUse');
      say('PreToolUse', { agentId: 'a1', agent: 'wt-one' });
      assert.deepEqual(await live({ CLAUDE_CODE_SESSION_ID: 's1' }), ['the agent wt-one']);
      say('TeammateIdle', { agentId: 'a1', agent: 'wt-one' });
      assert.deepEqual(await live({ CLAUDE_CODE_SESSION_ID: 's1' }), []);
    });

    it('is nothing where Claude Code is not installed', async () => {
      const lister = new SessionLister({ ...environment, variables: { PATH: root } }, 'claude');
      assert.deepEqual(await lister.list(), []);
      assert.deepEqual(await liveAgents(environment, lister, root, worktree()), []);
    });
  });
});
