import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogEntry } from '../../src/core/claude/decisionLog.ts';
import type { Turn } from '../support/claude/messagesServer.ts';
import { eventually, startInTerminal, type TerminalSession } from '../support/claude/terminal.ts';
import { makeWorkplace, pluginFolder, type Workplace } from '../support/claude/workplace.ts';
import { needsTerminal } from '../support/skip.ts';

describe('a team-mate that is called after a worktree', () => {
  let place: Workplace;
  let session: TerminalSession | undefined;
  before(async function () {
    // Team-mates exist only in a session at one.
    needsTerminal(this);
    place = await makeWorkplace();
    await place.create('one');
  });
  after(() => place?.dispose());
  afterEach(() => session?.stop());

  /** Starts a team-mate of no particular kind: whatever guards it, its own front matter does not. */
  const start = async (turns: readonly Turn[]): Promise<TerminalSession> => {
    session = await startInTerminal(place.program, place.home, {
      cwd: place.repository.root,
      args: [
        '--permission-mode',
        'manual',
        '--allowedTools',
        'Bash,Write',
        '--plugin-dir',
        pluginFolder,
        '--',
        'MAIN-TASK',
      ],
      variables: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
      routes: [
        { when: /SUB-TASK/, unless: /MAIN-TASK/, turns },
        {
          when: /MAIN-TASK/,
          turns: [
            {
              tools: [
                {
                  name: 'Agent',
                  input: { description: 'Work', prompt: 'SUB-TASK', name: 'wt-one', subagent_type: 'general-purpose' },
                },
              ],
            },
          ],
        },
      ],
    });
    return session;
  };
  const log = async (): Promise<LogEntry[]> => {
    const file = join(place.repository.root, '.git', 'worktree-stacks', 'log', 'hooks.jsonl');
    const text = await readFile(file, 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogEntry);
  };
  const noted = (found: (entry: LogEntry) => boolean): Promise<LogEntry> => {
    let last: readonly LogEntry[] = [];
    return eventually(
      async () => {
        last = await log();
        return last.find(found);
      },
      () => `${last.map((entry) => JSON.stringify(entry)).join('\n')}\n${session?.screen() ?? ''}`,
    );
  };

  it('is kept in that worktree by the plugin', async () => {
    const outside = join(place.repository.root, 'outside.txt');
    await start([
      { tools: [{ name: 'Write', input: { file_path: outside, content: 'x' } }] },
      { tools: [{ name: 'Bash', input: { command: 'git push', description: 'Push' } }] },
      { text: 'Done.' },
    ]);
    const [write, push] = [await noted(({ tool }) => tool === 'Write'), await noted(({ tool }) => tool === 'Bash')];
    assert.deepEqual([write.decision, write.worktree, write.agent], ['deny', 'one', 'wt-one']);
    assert.deepEqual([push.decision, push.worktree, push.agent], ['deny', 'one', 'wt-one']);
    await assert.rejects(access(outside), { code: 'ENOENT' });
  });

  it('is sent back when it goes idle and nobody watches its pull request', async () => {
    const file = join(place.repository.root, '.worktrees', 'stack.json');
    const registry = JSON.parse(await readFile(file, 'utf8')) as { worktrees: { one: { pr: unknown } } };
    registry.worktrees.one.pr = { number: 5, url: 'https://example.com/5' };
    await writeFile(file, JSON.stringify(registry));
    const running = await start([{ text: 'Done.' }]);
    await noted(({ event, decision }) => event === 'TeammateIdle' && decision === 'block');
    const told = await eventually(
      () => running.requests.find(({ text }) => /You have PR #5 but no active background poll/.test(text)),
      () => running.screen(),
    );
    assert.match(told.text, /Run: wt poll one \(as a background task\) before going idle/);
  });
});
