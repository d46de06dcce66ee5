import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnAndWait, wtProgram } from '../cli/support/wt.ts';
import { appears } from '../support/appears.ts';
import type { ClientResult } from '../support/claude/client.ts';
import { makeWorkplace, type Workplace } from '../support/claude/workplace.ts';

describe('workflows of two Claude Code clients in one repository', () => {
  let place: Workplace;
  let first: ClientResult;
  let second: ClientResult;
  const inMain = (...names: string[]): string => join(place.repository.root, ...names);
  const inOwn = (...names: string[]): string => inMain('.worktrees', '258', ...names);
  /** A turn of the model for each command line. */
  const bash = (...lines: string[]) => [
    {
      turns: lines.map((command) => ({ tools: [{ name: 'Bash', input: { command, description: 'Go on' } }] })),
    },
  ];
  const answers = (result: ClientResult): string[] => (result.requests.at(-1)?.results ?? []).map(({ text }) => text);
  const json = (text: string | undefined): Record<string, unknown> => JSON.parse(text ?? '') as Record<string, unknown>;
  const workflow = async (root: string): Promise<Record<string, unknown>> =>
    json(await readFile(join(root, '.claude-state', 'workflow.json'), 'utf8'));

  before(async () => {
    place = await makeWorkplace();
    await place.repository.commit('Configure', { '.worktrees.yml': 'worktree: { auto_create: always }\n' });
    const flag = (name: string): string => join(place.home.root, name);
    const args = ['--allowedTools', 'Bash'];
    // The first one works until the second one is done.
    const running = place.run({
      args,
      routes: bash(
        'wt state begin --run-id first --work-id 257 --json',
        `wt state progress --step 2 --json && touch ${flag('first-works')}`,
        `until [ -e ${flag('second-done')} ]; do sleep 0.1; done; wt state progress --complete --json`,
        'wt state end --json',
      ),
    });
    await appears(flag('first-works'));
    second = await place.run({
      args,
      routes: bash(
        'wt state begin --run-id second --work-id 258 --json 2>/dev/null',
        'wt state progress --step 9',
        'cd .worktrees/258 && wt state progress --step 5 --complete --json',
        `wt list --json; touch ${flag('second-done')}`,
        'wt state end --json',
      ),
    });
    first = await running;
  });
  after(() => place.dispose());

  it('lets the first one work where it is, known by its session and its client', () => {
    const { outcome, created, path, run } = json(answers(first)[0]);
    assert.deepEqual([outcome, created, path], ['begun', false, '.']);
    const { session_id: session, program, state } = run as Record<string, unknown>;
    assert.deepEqual([session, program, state], [first.sessionId, 'claude', 'live']);
  });

  it('leads the second one into a worktree of its own, named after its work', () => {
    const { outcome, created, path, absolute_path: absolute, branch, run } = json(answers(second)[0]);
    assert.deepEqual([outcome, created, path, branch], ['begun', true, '.worktrees/258', '258']);
    assert.equal(absolute, inOwn());
    const { run_id: id, work_id: work, session_id: session } = run as Record<string, unknown>;
    assert.deepEqual([id, work, session], ['second', '258', second.sessionId]);
  });

  it('keeps the second one from reporting in the name of the first one', () => {
    assert.match(answers(second)[1] ?? '', /The workflow in main is not yours: first \(work item 257/);
  });

  it('shows both while they run', () => {
    const { worktrees } = json(answers(second)[3]) as { worktrees: { name: string; run: Record<string, unknown> }[] };
    assert.deepEqual(
      worktrees.map(({ name, run }) => [name, run['run_id'], run['state'], run['step']]),
      [
        ['main', 'first', 'live', 2],
        ['258', 'second', 'live', 6],
      ],
    );
  });

  it('keeps the progress of each in its own worktree', async () => {
    const steps = ({ run_id: run, session_id: session, steps_completed: done }: Record<string, unknown>) => [
      run,
      session,
      done,
    ];
    assert.deepEqual(steps(await workflow(inMain())), ['first', first.sessionId, [2]]);
    assert.deepEqual(steps(await workflow(inOwn())), ['second', second.sessionId, [5]]);
  });

  it('frees both worktrees when they end', () => {
    for (const [result, name] of [
      [first, 'main'],
      [second, '258'],
    ] as const) {
      const ended = json(answers(result).at(-1));
      assert.deepEqual([ended['ended'], ended['name']], [true, name]);
    }
    for (const root of [inMain(), inOwn()])
      assert.equal(existsSync(join(root, '.claude-state', '.active-run-id')), false);
  });

  it('keeps rows of both in the databases of their worktrees, and one query tells who did what', async () => {
    const wt = async (folder: string, ...args: string[]): Promise<Record<string, unknown>> => {
      const ran = await spawnAndWait(
        process.execPath,
        [wtProgram, 'state', 'db', ...args, '--json'],
        folder,
        place.home.variables,
      );
      assert.equal(ran.code, 0, ran.stderr);
      return ran.json();
    };
    await wt(inMain(), 'sync', '--all-worktrees');
    const own = 'SELECT DISTINCT session_id AS s FROM agent_synchronizations WHERE session_id IS NOT NULL ORDER BY 1';
    assert.deepEqual((await wt(inOwn(), 'query', own))['rows'], [{ s: second.sessionId }]);
    const sql = `SELECT worktree, session_id, run_id, list(kind ORDER BY happened_at) AS did, any_value(task) AS task
      FROM agent_synchronizations WHERE run_id IS NOT NULL AND session_id IS NOT NULL GROUP BY ALL ORDER BY worktree DESC`;
    const did = ['task_taken', 'task_completed'];
    assert.deepEqual((await wt(inMain(), 'query', '--all-worktrees', sql))['rows'], [
      { worktree: 'main', session_id: first.sessionId, run_id: 'first', did, task: '257' },
      { worktree: '258', session_id: second.sessionId, run_id: 'second', did, task: '258' },
    ]);
    const sessions = `SELECT session_id AS s FROM agent_synchronizations WHERE kind = 'session_ended' ORDER BY 1`;
    assert.deepEqual(
      (await wt(inMain(), 'query', '--all-worktrees', sessions))['rows'],
      [first.sessionId, second.sessionId].sort().map((s) => ({ s })),
    );
  });
});
