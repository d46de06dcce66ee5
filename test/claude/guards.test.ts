import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientRun } from '../support/claude/client.ts';
import type { ToolCall, ToolResult } from '../support/claude/messagesServer.ts';
import { makeWorkplace, type Workplace } from '../support/claude/workplace.ts';

const edit = (file: string): ToolCall => ({
  name: 'Edit',
  input: { file_path: file, old_string: 'before', new_string: 'after' },
});
const read = (file: string): ToolCall => ({ name: 'Read', input: { file_path: file } });
const bash = (command: string): ToolCall => ({ name: 'Bash', input: { command, description: 'Do it' } });

const notebook = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'c1', metadata: {}, outputs: [], execution_count: null, source: ['before'] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});
const editNotebook = (file: string): ToolCall => ({
  name: 'NotebookEdit',
  input: { notebook_path: file, cell_id: 'c1', new_source: 'after' },
});

/** `git push` as a guard that reads words would not see it. */
const pushes = [
  'git push origin HEAD',
  "g''it -C . pu\\sh",
  'x=push; env -i PATH="$PATH" git $x --force',
  'echo ok && sh -c "git push"',
  'echo "$(git push origin main 2>&1)"',
];

describe('an agent in its worktree', () => {
  let place: Workplace;
  let worktree: string;
  let outside: string;
  before(async () => {
    place = await makeWorkplace();
    await place.repository.commit('Files', { 'file.txt': 'before\n', 'book.ipynb': notebook });
    worktree = await place.create('one');
    outside = place.repository.root;
    await place.repository.git('remote', 'add', 'origin', join(place.home.root, 'nowhere.git'));
  });
  after(() => place.dispose());
  beforeEach(async () => {
    for (const folder of [worktree, outside]) {
      await writeFile(join(folder, 'file.txt'), 'before\n');
      await writeFile(join(folder, 'book.ipynb'), notebook);
    }
  });

  /** Three ways in which an agent of a worktree comes to run, and which guard is in force then. */
  const ways: Readonly<Record<string, (tools: readonly ToolCall[]) => Partial<ClientRun> & { plugin?: false }>> = {
    'as the session, guarded by its own front matter alone': (tools) => ({
      plugin: false,
      args: ['--agent', 'wt-one', '--allowedTools', 'Bash'],
      routes: [{ turns: [...tools.map((tool) => ({ tools: [tool] })), { text: 'Done.' }] }],
    }),
    'as a sub-agent, guarded by its own front matter alone': (tools) => ({
      plugin: false,
      prompts: ['MAIN-TASK'],
      args: ['--allowedTools', 'Bash'],
      routes: [
        {
          when: /SUB-TASK/,
          unless: /MAIN-TASK/,
          turns: [...tools.map((tool) => ({ tools: [tool] })), { text: 'Done.' }],
        },
        {
          when: /MAIN-TASK/,
          turns: [
            {
              tools: [
                {
                  name: 'Agent',
                  input: { description: 'Work', prompt: 'SUB-TASK', subagent_type: 'wt-one', run_in_background: false },
                },
              ],
            },
          ],
        },
      ],
    }),
    'as any session in that folder, guarded by the plugin alone': (tools) => ({
      cwd: worktree,
      args: ['--allowedTools', 'Bash,Edit,NotebookEdit', '--add-dir', outside],
      routes: [
        {
          turns: [
            { tools: [{ name: 'ToolSearch', input: { query: 'select:NotebookEdit' } }] },
            ...tools.map((tool) => ({ tools: [tool] })),
            { text: 'Done.' },
          ],
        },
      ],
    }),
  };

  /** What came of each of the calls, the last ones of the conversation. */
  const outcomes = async (way: string, tools: readonly ToolCall[]): Promise<ToolResult[]> => {
    const result = await place.run(ways[way]?.(tools) ?? {});
    assert.equal(result.exitCode, 0, result.stderr);
    const all = result.requests
      .filter((request) =>
        way.startsWith('as a sub-agent') ? /SUB-TASK/.test(request.text) && !/MAIN-TASK/.test(request.text) : true,
      )
      .map((request) => request.results);
    return (all.at(-1) ?? []).slice(-tools.length);
  };
  const text = (...parts: string[]): Promise<string> => readFile(join(...parts), 'utf8');

  for (const way of Object.keys(ways)) {
    describe(way, () => {
      it('edits files and notebooks inside, and none outside', async () => {
        const files = [worktree, outside].flatMap((folder) => [join(folder, 'file.txt'), join(folder, 'book.ipynb')]);
        const calls = files.flatMap((file) => [read(file), file.endsWith('.ipynb') ? editNotebook(file) : edit(file)]);
        const results = await outcomes(way, calls);
        assert.deepEqual(
          results.map(({ failed }) => failed),
          [false, false, false, false, false, true, false, true],
          JSON.stringify(results, null, 1),
        );
        assert.equal(await text(worktree, 'file.txt'), 'after\n');
        assert.match(await text(worktree, 'book.ipynb'), /"after"/);
        assert.equal(await text(outside, 'file.txt'), 'before\n');
        assert.doesNotMatch(await text(outside, 'book.ipynb'), /after/);
        for (const refused of [results[5], results[7]]) assert.match(refused?.text ?? '', /outside/);
      });

      it('cannot push, however the command is written', async () => {
        const results = await outcomes(way, pushes.map(bash));
        assert.equal(results.length, pushes.length);
        for (const [index, result] of results.entries()) {
          assert.ok(result.failed, pushes[index]);
          assert.match(result.text, /wt push one/, `${pushes[index] ?? ''}: ${result.text}`);
        }
      });

      it('runs everything else', async () => {
        const [result] = await outcomes(way, [
          bash(`cd ${worktree} && git status --short --branch && git log --oneline -1`),
        ]);
        assert.equal(result?.failed, false, result?.text);
        assert.match(result?.text ?? '', /## one/);
      });
    });
  }

  it('is left alone in a session that belongs to no worktree', async () => {
    const file = join(outside, 'file.txt');
    const result = await place.run({
      args: ['--allowedTools', 'Bash,Edit'],
      routes: [
        { turns: [{ tools: [read(file)] }, { tools: [edit(file)] }, { tools: [bash('git push origin HEAD')] }] },
      ],
    });
    assert.equal(await text(file), 'after\n');
    assert.doesNotMatch(result.requests.at(-1)?.results.at(-1)?.text ?? '', /wt push/);
  });

  it('has what it does and what was refused written down, without what it writes', async () => {
    await outcomes('as a sub-agent, guarded by its own front matter alone', [
      read(join(worktree, 'file.txt')),
      edit(join(worktree, 'file.txt')),
      bash('TOKEN=abcdefghijklmnop git push'),
    ]);
    const log = await text(outside, '.git', 'worktree-stacks', 'log', 'hooks.jsonl');
    const entries = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const [allowed, denied] = entries.slice(-2);
    assert.deepEqual([allowed?.['tool'], allowed?.['decision'], allowed?.['worktree']], ['Edit', 'allow', 'one']);
    assert.deepEqual(
      [denied?.['tool'], denied?.['decision'], denied?.['words']],
      ['Bash', 'deny', 'TOKEN=[…] git push'],
    );
    assert.doesNotMatch(log, /abcdefghijklmnop|"after"/);
  });
});
