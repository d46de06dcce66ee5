import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogEntry } from '../../src/core/claude/decisionLog.ts';
import type { ToolCall } from '../support/claude/messagesServer.ts';
import { eventually } from '../support/claude/terminal.ts';
import { makeWorkplace, pluginFolder, type Workplace } from '../support/claude/workplace.ts';

interface Retro {
  readonly findings: readonly {
    readonly kind: string;
    readonly worktree: string;
    readonly words: string;
    readonly why: string;
  }[];
}

describe('what a session leaves behind', () => {
  let place: Workplace;
  let one: string;
  before(async () => {
    place = await makeWorkplace();
    one = await place.create('one');
  });
  after(() => place.dispose());

  const bash = (command: string): ToolCall => ({ name: 'Bash', input: { command, description: 'Do it' } });
  const retro = async (): Promise<Retro> =>
    JSON.parse(await place.wt(place.repository.root, 'retro', '--json')) as Retro;

  it('is what it did, event by event, for the tree to show', async () => {
    const { exitCode, sessionId } = await place.run({
      cwd: one,
      args: ['--allowedTools', 'Bash'],
      routes: [{ turns: [{ tools: [bash('ls')] }] }],
    });
    assert.equal(exitCode, 0);
    let events: string[] = [];
    // Some of the hooks run beside the session and may end after it.
    await eventually(
      async () => {
        const log = await readFile(
          join(place.repository.root, '.git', 'worktree-stacks', 'log', 'hooks.jsonl'),
          'utf8',
        );
        const entries = log
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as LogEntry);
        events = entries
          .filter(({ session, worktree }) => session === sessionId && worktree === 'one')
          .map(({ event }) => event);
        // Stop comes too late for a session that ends at once.
        const all = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'SessionEnd'];
        return all.every((event) => events.includes(event)) ? true : undefined;
      },
      () => events.join(),
    );
  });

  it('is found by a retrospective when it was dangerous and nothing stopped it', async () => {
    await place.run({
      cwd: one,
      plugin: false,
      args: ['--allowedTools', 'Bash'],
      routes: [{ turns: [{ tools: [bash('git push origin one')] }] }],
    });
    const { findings } = await retro();
    assert.deepEqual(
      findings.filter(({ kind }) => kind === 'allowed-dangerous').map(({ worktree, words }) => [worktree, words]),
      [['one', 'git push origin one']],
    );
  });

  it('is found by a retrospective when it was refused, and is not taken for done', async () => {
    const before = await retro();
    await place.run({
      cwd: one,
      args: ['--allowedTools', 'Bash'],
      routes: [{ turns: [{ tools: [bash('git push --dry-run origin two')] }] }],
    });
    const { findings } = await retro();
    const fresh = findings.filter(({ words }) => !before.findings.some((each) => each.words === words));
    assert.deepEqual(
      fresh.map(({ kind, words }) => [kind, words]),
      [['denied-harmless', 'git push --dry-run origin two']],
    );
  });

  it('is found by a retrospective when a hook of ours failed', async () => {
    const plugin = join(place.home.root, 'plugin');
    await cp(pluginFolder, plugin, { recursive: true });
    await writeFile(join(plugin, 'bin', 'wt'), 'echo broken >&2; exit 1\n');
    await place.run({
      cwd: one,
      plugin,
      args: ['--allowedTools', 'Bash'],
      routes: [{ turns: [{ tools: [bash('ls')] }] }],
    });
    const failed = (await retro()).findings.filter(({ kind }) => kind === 'failed-hook');
    assert.deepEqual(
      failed.map(({ words }) => words).sort(),
      ['Bash', 'SessionStart'],
      JSON.stringify(failed, null, 1),
    );
  });
});
