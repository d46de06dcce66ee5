import assert from 'node:assert/strict';
import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolCall } from '../support/claude/messagesServer.ts';
import { makeWorkplace, type Workplace } from '../support/claude/workplace.ts';

interface Entry {
  readonly path: string;
  readonly branch: string;
  readonly createdBy: string;
}

describe('worktrees that Claude Code wants', () => {
  let place: Workplace;
  before(async () => {
    place = await makeWorkplace();
    await place.repository.commit('Ignore', { '.gitignore': '.env\n' });
    await place.repository.write('.env', 'A=1\n');
  });
  after(() => place.dispose());

  const at = (slug: string): string => join(place.repository.root, '.worktrees', slug);
  const entries = async (): Promise<Record<string, Entry>> => {
    const registry = JSON.parse(await readFile(at('stack.json'), 'utf8')) as { worktrees: Record<string, Entry> };
    return registry.worktrees;
  };
  const there = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );
  const bash = (command: string): ToolCall => ({ name: 'Bash', input: { command, description: 'Do it' } });
  const load = (name: string): ToolCall => ({ name: 'ToolSearch', input: { query: `select:${name}` } });

  it('lands `claude --worktree` in our layout, with all that belongs to a worktree', async () => {
    const result = await place.run({
      args: ['--worktree', 'log/In.now', '--allowedTools', 'Bash'],
      routes: [{ turns: [{ tools: [bash('pwd && git branch --show-current')] }] }],
    });
    assert.equal(result.exitCode, 0, result.stderr);
    assert.match(result.requests.at(-1)?.results.at(-1)?.text ?? '', new RegExp(`^${at('log-in-now')}\n`));
    const entry = (await entries())['log/In.now'];
    assert.deepEqual([entry?.path, entry?.createdBy], ['.worktrees/log-in-now', 'claude']);
    assert.ok(await there(join(place.repository.root, '.claude', 'agents', 'wt-log-in-now.md')));
    assert.equal(await readFile(join(at('log-in-now'), '.env'), 'utf8'), 'A=1\n');
    assert.equal(await place.repository.git('status', '--porcelain'), '');
    assert.equal(await there(join(place.repository.root, '.claude', 'worktrees')), false);
  });

  it('enters one again that is there', async () => {
    await place.create('again');
    const before = await stat(at('again'));
    const result = await place.run({ args: ['--worktree', 'again'], routes: [{ turns: [{ tools: [bash('pwd')] }] }] });
    assert.equal(result.exitCode, 0, result.stderr);
    assert.equal(result.requests.at(-1)?.results.at(-1)?.text, at('again'));
    assert.equal((await stat(at('again'))).ino, before.ino);
  });

  it('guards the session that was started in it', async () => {
    const file = join(place.repository.root, 'README.md');
    const result = await place.run({
      args: ['--worktree', 'guarded', '--allowedTools', 'Bash,Edit'],
      routes: [{ turns: [{ tools: [bash('git push')] }, { tools: [{ name: 'Read', input: { file_path: file } }] }] }],
    });
    assert.match(result.requests.at(-1)?.results[0]?.text ?? '', /wt push guarded/);
  });

  it('makes and removes one for EnterWorktree and ExitWorktree', async () => {
    const exit = { name: 'ExitWorktree', input: { action: 'remove', discard_changes: true } };
    const result = await place.run({
      args: ['--allowedTools', 'Bash,EnterWorktree,ExitWorktree'],
      routes: [
        {
          turns: [
            { tools: [load('EnterWorktree,ExitWorktree')] },
            { tools: [{ name: 'EnterWorktree', input: { name: 'entered' } }] },
            { tools: [bash('pwd')] },
            { tools: [exit] },
          ],
        },
      ],
    });
    const results = result.requests.at(-1)?.results ?? [];
    assert.equal(results[2]?.text, at('entered'), JSON.stringify(results));
    assert.equal(await there(at('entered')), false);
    assert.equal((await entries())['entered'], undefined);
    assert.equal(await there(join(place.repository.root, '.claude', 'agents', 'wt-entered.md')), false);
  });

  it('keeps one that holds work, whatever Claude Code was told to discard', async () => {
    await place.run({
      args: ['--allowedTools', 'Bash,EnterWorktree,ExitWorktree'],
      routes: [
        {
          turns: [
            { tools: [load('EnterWorktree,ExitWorktree')] },
            { tools: [{ name: 'EnterWorktree', input: { name: 'work' } }] },
            { tools: [bash('echo precious > only-here.txt')] },
            { tools: [{ name: 'ExitWorktree', input: { action: 'remove', discard_changes: true } }] },
          ],
        },
      ],
    });
    assert.equal(await readFile(join(at('work'), 'only-here.txt'), 'utf8'), 'precious\n');
    const log = await readFile(join(place.repository.root, '.git', 'worktree-stacks', 'log', 'hooks.jsonl'), 'utf8');
    const last = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
      .findLast(({ event }) => event === 'WorktreeRemove');
    assert.equal(last?.['decision'], 'failed');
    assert.match(last?.['reason'] ?? '', /1 file is not committed/);
  });

  it('gives an isolated agent one of its own, and leaves the active worktree as it was', async () => {
    assert.equal(await place.wt(place.repository.root, 'switch', 'again'), at('again'));
    assert.equal(await place.wt(place.repository.root, 'active'), at('again'));
    const result = await place.run({
      prompts: ['MAIN-TASK'],
      args: ['--allowedTools', 'Bash'],
      routes: [
        { when: /SUB-TASK/, unless: /MAIN-TASK/, turns: [{ tools: [bash('pwd && touch made')] }, { text: 'Done.' }] },
        {
          when: /MAIN-TASK/,
          turns: [
            {
              tools: [
                {
                  name: 'Agent',
                  input: {
                    description: 'Work',
                    prompt: 'SUB-TASK',
                    subagent_type: 'general-purpose',
                    isolation: 'worktree',
                    run_in_background: false,
                  },
                },
              ],
            },
          ],
        },
      ],
    });
    const inner = result.requests.find(
      (request) => /SUB-TASK/.test(request.text) && !/MAIN-TASK/.test(request.text) && request.results.length > 0,
    );
    const folder = inner?.results[0]?.text ?? '';
    assert.match(folder, new RegExp(`^${at('agent-')}\\w+$`), JSON.stringify(inner));
    assert.equal(await place.wt(place.repository.root, 'active'), at('again'));
  });

  it('says why there is none when it cannot be made', async () => {
    await place.repository.git('branch', 'taken');
    await writeFile(at('taken'), 'in the way');
    const result = await place.run({ args: ['--worktree', 'taken'] });
    assert.notEqual(result.exitCode, 0);
    assert.match(`${result.stderr}${JSON.stringify(result.events)}`, /No worktree was created for/);
  });
});
