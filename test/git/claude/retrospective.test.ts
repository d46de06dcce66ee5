import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unwatched } from '../../../src/core/claude/activity.ts';
import { appendToLog, type LogEntry } from '../../../src/core/claude/decisionLog.ts';
import { lookBack, type Retrospective } from '../../../src/core/claude/retro/retrospective.ts';
import { agentTranscript } from '../../../src/core/claude/transcript.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

/** A line of a transcript, as Claude Code writes them. */
type Line = Record<string, unknown>;

describe('a retrospective', () => {
  let home: TestHome;
  let commonDir: string;
  let path: string;
  let transcript: string;
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 28, 12, minute)).toISOString();
  beforeEach(async () => {
    home = await testHome();
    commonDir = join(home.root, 'repo', '.git');
    path = join(home.root, 'repo', '.worktrees', 'one');
    await mkdir(path, { recursive: true });
    transcript = join(home.root, '.claude', 'projects', path.replace(/[^a-zA-Z0-9]/g, '-'), 's1.jsonl');
  });
  afterEach(() => home.dispose());

  const log = (minute: number, more: Partial<LogEntry>): void =>
    appendToLog(commonDir, {
      at: at(minute),
      event: 'PreToolUse',
      decision: 'none',
      session: 's1',
      worktree: 'one',
      ...more,
    });
  const write = async (lines: readonly Line[], file = transcript): Promise<void> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
  let calls = 0;
  /** A call of a tool and what came of it. */
  const call = (
    minute: number,
    name: string,
    input: Line,
    result: string,
    failed = false,
    id = `toolu_${++calls}`,
  ): Line[] => [
    {
      type: 'assistant',
      timestamp: at(minute),
      cwd: path,
      message: { content: [{ type: 'tool_use', id, name, input }] },
    },
    {
      type: 'user',
      timestamp: at(minute),
      message: {
        content: [
          { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: result }], is_error: failed },
        ],
      },
    },
  ];
  const bash = (minute: number, command: string, result = 'ok', failed = false, id?: string): Line[] =>
    call(minute, 'Bash', { command }, result, failed, id);
  const look = (since = new Date(at(0)), variables: Record<string, string> = {}): Promise<Retrospective> =>
    lookBack(testEnvironment(home, home.root, variables), commonDir, [{ name: 'one', path }], since);
  const found = async (...args: Parameters<typeof look>): Promise<string[]> =>
    (await look(...args)).findings.map(({ kind, words }) => `${kind}: ${words}`);

  it('finds nothing where nothing happened', async () => {
    assert.deepEqual(await look(), { since: at(0), events: 0, denied: 0, transcripts: 0, findings: [] });
  });

  it('names refusals of what looks harmless, each once', async () => {
    const refused = {
      decision: 'deny',
      tool: 'Bash',
      words: 'echo "how to git push"',
      reason: '`git push`: use wt',
      toolUse: 't1',
    } as const;
    log(1, refused);
    log(1, { ...refused, agent: 'wt-one' });
    log(2, { ...refused, words: 'git push origin main', toolUse: 't2' });
    log(3, { decision: 'deny', tool: 'Write', words: '/tmp/scratch.txt', toolUse: 't3' });
    const { denied, findings } = await look();
    assert.equal(denied, 3);
    assert.deepEqual(
      findings.map(({ kind, words }) => [kind, words]),
      [
        ['denied-harmless', 'echo "how to git push"'],
        ['denied-harmless', '/tmp/scratch.txt'],
      ],
    );
  });

  it('names what ran although it was dangerous, and leaves out what was refused', async () => {
    log(2, { decision: 'deny', tool: 'Bash', words: 'git push', toolUse: 'refused' });
    await write([
      ...bash(1, 'TOKEN=verysecretvalue git push origin x', 'To example.com'),
      ...bash(2, 'git push', 'blocked', true, 'refused'),
      ...bash(3, 'git push', 'PreToolUse:Bash hook error: blocked', true),
      ...bash(4, 'npm test'),
      ...call(5, 'Write', { file_path: join(home.root, 'repo', 'README.md'), content: 'x' }, 'ok'),
      ...call(6, 'Write', { file_path: join(path, 'inside.md'), content: 'x' }, 'ok'),
      ...call(7, 'Edit', { file_path: join(home.root, 'repo', 'LICENSE') }, 'not allowed', true),
    ]);
    assert.deepEqual(await found(), [
      'allowed-dangerous: TOKEN=[…] git push origin x',
      `allowed-dangerous: ${join(home.root, 'repo', 'README.md')}`,
    ]);
  });

  it('reads the transcripts of sub-agents and team-mates that the log names, and no other of their session', async () => {
    const lead = join(home.root, '.claude', 'projects', 'main', 'lead.jsonl');
    log(1, { session: 'lead', transcript: lead, agentId: 'a1' });
    await write(bash(1, 'git push origin lead'), lead);
    await write(bash(1, 'git push origin worker'), agentTranscript(lead, 'a1'));
    assert.deepEqual(await found(), ['allowed-dangerous: git push origin worker']);
  });

  it('finds transcripts where CLAUDE_CONFIG_DIR says', async () => {
    const folder = join(home.root, 'config', 'projects', path.replace(/[^a-zA-Z0-9]/g, '-'));
    await write(bash(1, 'git push'), join(folder, 's2.jsonl'));
    assert.deepEqual(await found(), []);
    assert.deepEqual(await found(new Date(at(0)), { CLAUDE_CONFIG_DIR: join(home.root, 'config') }), [
      'allowed-dangerous: git push',
    ]);
  });

  it('names pull requests that nobody watched, once for each session', async () => {
    log(1, { event: 'Stop', detail: unwatched });
    log(2, { event: 'Stop', detail: unwatched });
    log(3, { event: 'TeammateIdle', decision: 'block', session: 's2' });
    const { findings } = await look();
    assert.deepEqual(
      findings.map(({ kind, session, why }) => [kind, session, why]),
      [
        ['missing-poll', 's1', 'it stopped 2 times while nobody watched its pull request'],
        ['missing-poll', 's2', 'it was sent back once to start a poll'],
      ],
    );
  });

  it('names a push on a base that was known to have moved', async () => {
    await write([
      ...bash(1, 'wt push one'),
      {
        type: 'user',
        timestamp: at(2),
        message: { content: '<task-notification>{"event":"base_updated"}</task-notification>' },
      },
      ...bash(3, 'wt push one'),
      ...bash(4, 'wt rebase one && wt push one'),
      ...bash(5, 'wt push one'),
      ...bash(6, 'cat out', '{"event":"base_updated"}'),
      ...bash(7, 'wt pr one'),
    ]);
    assert.deepEqual(
      (await look()).findings.map(({ kind, at: when, words }) => [kind, when, words]),
      [
        ['skipped-rebase', at(3), 'wt push one'],
        ['skipped-rebase', at(7), 'wt pr one'],
      ],
    );
  });

  it('names hooks of ours that failed, and none of others', async () => {
    const trouble = (minute: number, command: string): Line => ({
      type: 'attachment',
      timestamp: at(minute),
      attachment: { type: 'hook_non_blocking_error', hookEvent: 'SessionStart', command, stderr: 'boom' },
    });
    await write([
      trouble(1, 'sh /x/plugin/bin/wt hook session-start'),
      trouble(2, 'sh /elsewhere/lint.sh'),
      ...bash(3, 'ls', 'PreToolUse:Bash hook error: [sh]: failed; blocking because onFailure is "block"', true),
    ]);
    log(4, { event: 'WorktreeCreate', decision: 'failed', reason: 'disk full' });
    assert.deepEqual(await found(), ['failed-hook: SessionStart', 'failed-hook: Bash', 'failed-hook: WorktreeCreate']);
  });

  it('leaves out what happened before', async () => {
    log(1, { decision: 'failed' });
    await write(bash(1, 'git push'));
    assert.deepEqual(await found(new Date(at(5))), []);
  });

  it('is not put off by lines that nobody understands', async () => {
    await mkdir(dirname(transcript), { recursive: true });
    await writeFile(
      transcript,
      `{"type":"assistant","message":{"content":[{"type":"tool_use"\n"tool_use"\nnull "tool_result"\n{"message":null,"x":"tool_use"}\n{"type":"user","message":{"content":[null,{"type":"tool_result"}],"y":"tool_result"}}\n${bash(
        1,
        'git push',
      )
        .map((line) => JSON.stringify(line))
        .join('\n')}\n`,
    );
    assert.deepEqual(await found(), ['allowed-dangerous: git push']);
  });
});
