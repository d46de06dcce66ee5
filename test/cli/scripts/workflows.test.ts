import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appears } from '../../support/appears.ts';
import { ended } from '../../support/ended.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { needsTerminal } from '../../support/skip.ts';
import { spawnAndWait, wtHome, wtProgram, type WtHome } from '../support/wt.ts';
import { WtProcess } from '../support/wtProcess.ts';

describe('wt state begin and end', () => {
  let home: WtHome;
  let repository: TestRepository;
  let shared: WtProcess;
  let count = 0;
  before(async () => {
    home = await wtHome();
    shared = new WtProcess(join(dirname(wtProgram), 'wtProgram.js'), home.variables);
  });
  beforeEach(async () => {
    repository = await home.repository(`project-${++count}`);
  });
  after(async () => {
    await shared.stop();
    await home.dispose();
  });

  /** Runs `wt state` for a session, in a process that all runs share. */
  const state = async (session: string | undefined, folder: string, ...args: readonly string[]): Promise<Ran> => {
    const words = session === undefined ? [] : ['--session-id', session];
    const ran = await wt(folder, 'state', ...args, ...words, '--json');
    assertMatches(`state-${args[0] ?? ''}`, ran.json());
    return ran;
  };
  const wt = async (folder: string, ...args: string[]): Promise<Ran> => {
    const { code, stdout, stderr } = await shared.run(folder, args, '', 60_000);
    assert.ok(code !== 'hung', stderr);
    return { code, stdout, stderr, json: () => JSON.parse(stdout) as Record<string, unknown> };
  };
  interface Ran {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
    readonly json: () => Record<string, unknown>;
  }
  const answer = async (session: string | undefined, folder: string, ...args: readonly string[]): Promise<Answer> => {
    const ran = await state(session, folder, ...args);
    assert.equal(ran.code, 0, ran.stderr);
    return ran.json() as unknown as Answer;
  };
  const refused = async (session: string | undefined, folder: string, ...args: readonly string[]): Promise<string> => {
    const ran = await state(session, folder, ...args);
    const { error } = ran.json() as { error: { reason: string; message: string; next: string } };
    assert.deepEqual([ran.code, error.reason], [1, 'in-use']);
    return `${error.message} ${error.next}`;
  };
  const configure = (autoCreate: string): Promise<void> =>
    repository.write('.worktrees.yml', `worktree: { auto_create: ${autoCreate} }\n`);
  const runFile = (root: string): string => join(root, '.claude-state', '.active-run-id');
  const held = async (root: string): Promise<Run> => JSON.parse(await readFile(runFile(root), 'utf8')) as Run;

  interface Run {
    readonly run_id: string;
    readonly work_id: string | null;
    readonly session_id: string | null;
    readonly pid: number | null;
    readonly program: string | null;
    readonly state: string;
    readonly step: number;
  }
  interface Answer {
    readonly outcome: string;
    readonly created: boolean;
    readonly path: string;
    readonly absolute_path: string;
    readonly branch: string;
    readonly run: Run;
    readonly previous: { readonly run_id: string; readonly state: string } | null;
    readonly ended: boolean;
    readonly next: readonly string[];
    readonly current_step: number;
    readonly steps_completed: readonly number[];
  }

  it('claim the first workflow its place without a worktree, the second and third one of their own', async () => {
    await configure('always');
    const first = await answer('s1', repository.root, 'begin', '--work-id', '257');
    assert.deepEqual([first.outcome, first.created, first.path], ['begun', false, '.']);
    for (const [session, work] of [
      ['s2', '258'],
      ['s3', '259'],
    ] as const) {
      const other = await answer(session, repository.root, 'begin', '--work-id', work);
      const { outcome, created, path, branch, run } = other;
      assert.deepEqual([outcome, created, path, branch], ['begun', true, `.worktrees/${work}`, work]);
      assert.deepEqual([run.work_id, run.session_id, run.state], [work, session, 'live']);
      assert.equal((await held(join(repository.root, path))).run_id, run.run_id);
    }
    assert.equal((await held(repository.root)).run_id, first.run.run_id);
    assert.equal(await repository.git('status', '--porcelain'), '?? .worktrees.yml');
    // Begun again, as after an answer that was lost: the same run in the same worktree.
    const again = await answer('s2', repository.root, 'begin', '--work-id', '258');
    assert.deepEqual([again.outcome, again.created, again.path], ['resumed', false, '.worktrees/258']);
    const shown = await wt(repository.root, 'list', '--json');
    assertMatches('list', shown.json());
    const { worktrees } = shown.json() as { worktrees: { run: Run }[] };
    assert.deepEqual(
      worktrees.map(({ run }) => [run.work_id, run.state, run.step]),
      ['257', '258', '259'].map((work) => [work, 'live', 1]),
    );
    assert.match(
      (await wt(repository.root, 'info', '258')).stdout,
      /workflow +[0-9a-f-]{36} \(work item 258, .*session s2.*\), step 1\n/,
    );
    const registry = JSON.parse(await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8')) as {
      worktrees: Record<string, { workId: string; workflowRunId: string; lifecycle: string }>;
    };
    const { workId, workflowRunId, lifecycle } = registry.worktrees['258']!;
    assert.deepEqual([workId, workflowRunId, lifecycle], ['258', again.run.run_id, 'active']);
  });

  it('make a worktree at once with --worktree, named after the run where there is no work', async () => {
    const { created, path, run } = await answer(undefined, repository.root, 'begin', '--worktree', '--run-id', 'a/b');
    assert.deepEqual([created, path, run.run_id], [true, '.worktrees/a-b', 'a/b']);
    await assert.rejects(held(repository.root), { code: 'ENOENT' });
    const again = await answer(undefined, repository.root, 'begin', '--worktree', '--run-id', 'a/b');
    assert.deepEqual([again.outcome, again.path], ['resumed', '.worktrees/a-b']);
  });

  it('say who runs, since when and what to type, where nobody can be asked and where nothing may be made', async () => {
    for (const [autoCreate, ...options] of [['prompt'], ['never'], ['always', '--no-worktree']] as const) {
      await configure(autoCreate);
      await answer('s1', repository.root, 'begin', '--run-id', 'r1', '--work-id', '257');
      const said = await refused('s2', repository.root, 'begin', '--work-id', '258', ...options);
      assert.match(
        said,
        /In main a workflow runs already: r1 \(work item 257, since 20\d\d-.*Z, session s1, process \d+/,
      );
      assert.match(said, options.length > 0 ? /--take-over/ : /`wt state begin --worktree --work-id 258`.*--take-over/);
    }
    assert.deepEqual(await readdir(join(repository.root, '.worktrees')).catch(() => []), []);
  });

  for (const [typed, goes] of [
    ['y', true],
    ['', false],
  ] as const) {
    it(`ask on a terminal, where ${JSON.stringify(typed)} means ${goes ? 'yes' : 'no'}`, async function () {
      needsTerminal(this);
      await answer('s1', repository.root, 'begin');
      const line = `'${process.execPath}' '${wtProgram}' state begin --work-id 258`;
      const variables = { ...home.variables, CLAUDE_CODE_SESSION_ID: 's2' };
      const ran = await spawnAndWait('script', ['-qec', line, '/dev/null'], repository.root, variables, {
        input: `${typed}\n`,
      });
      assert.match(ran.stdout, /a workflow runs already.*\r\nCreate a worktree for this one\? \[y\/N\] /);
      assert.equal(ran.code, goes ? 0 : 1, ran.stdout);
      const worktrees = await readdir(join(repository.root, '.worktrees')).catch((): string[] => []);
      assert.equal(worktrees.includes('258'), goes);
    });
  }

  it('give one of many that begin at the same moment the place, and tell the others who has it', async () => {
    await configure('never');
    const sessions = ['s1', 's2', 's3', 's4', 's5', 's6'];
    const ran = await Promise.all(
      sessions.map((each) =>
        home.wt(repository.root, ['state', 'begin', '--run-id', each, '--json'], {
          variables: { CLAUDE_CODE_SESSION_ID: each },
        }),
      ),
    );
    const winners = ran.filter(({ code }) => code === 0);
    assert.deepEqual([winners.length, ran.filter(({ code }) => code === 1).length], [1, 5]);
    const { run_id: winner } = (winners[0]!.json() as unknown as Answer).run;
    assert.equal((await held(repository.root)).run_id, winner);
    for (const { code, stderr } of ran) if (code === 1) assert.match(stderr, new RegExp(`runs already: ${winner} `));
  });

  it('take over from a run whose process was killed, and only then', async () => {
    const line = `'${process.execPath}' '${wtProgram}' state begin --run-id first >/dev/null && touch began && sleep 600`;
    const script = spawn('sh', ['-c', line], { cwd: repository.root, env: home.variables, detached: true });
    await appears(join(repository.root, 'began'));
    assert.equal((await held(repository.root)).pid, script.pid);
    assert.match(await refused(undefined, repository.root, 'begin', '--run-id', 'second'), /first \(since .*, sh\)/);
    const closed = once(script, 'close');
    process.kill(-script.pid!, 'SIGKILL');
    await closed;
    const listed = await wt(repository.root, 'info', '--json');
    assert.equal((listed.json()['run'] as Run).state, 'dead');
    const { outcome, previous } = await answer(undefined, repository.root, 'begin', '--run-id', 'second');
    assert.deepEqual([outcome, previous], ['taken-over', { run_id: 'first', state: 'dead' }]);
  });

  it('know a run by the process that goes on when wt has ended', async () => {
    const begin = `'${process.execPath}' '${wtProgram}' state begin --take-over --run-id`;
    const lines: [program: string, args: string[], expected: string][] = [
      // What starts wt and ends with it stands for whoever has started that.
      ['bash', ['-c', `cd . && ${begin} 1`], 'node'],
      ['bash', ['-c', `x=$(cd . && ${begin} 2); sleep 0`], 'bash'],
      [
        'env',
        ['A=1', 'timeout', '60', process.execPath, wtProgram, 'state', 'begin', '--take-over', '--run-id', '3'],
        'node',
      ],
      ['sh', ['-c', `${begin} 4 && echo goes on`], 'sh'],
    ];
    for (const [program, args, expected] of lines) {
      const ran = await spawnAndWait(program, args, repository.root, home.variables);
      assert.equal(ran.code, 0, ran.stderr);
      const { pid, program: name } = await held(repository.root);
      assert.equal(name, expected, args.join(' '));
      assert.equal(pid === process.pid, expected === 'node', args.join(' '));
    }
    const other = spawn('sleep', ['600']);
    try {
      const { run } = await answer('s1', repository.root, 'begin', '--take-over', '--pid', String(other.pid));
      assert.deepEqual([run.pid, run.state], [other.pid, 'live']);
    } finally {
      other.kill('SIGKILL');
    }
    await ended(other.pid!);
    assert.equal((await state('s2', repository.root, 'begin', '--pid', String(other.pid))).code, 2);
    assert.equal((await answer('s2', repository.root, 'begin')).outcome, 'taken-over');
  });

  it('resume the same run or session, and take another id or other work for another run', async () => {
    await answer('s1', repository.root, 'begin', '--run-id', 'r1', '--work-id', '257');
    for (const [session, ...args] of [['s1'], ['s1', '--work-id', '257'], ['s9', '--run-id', 'r1']] as const) {
      const { outcome, run } = await answer(session, repository.root, 'begin', ...args);
      assert.deepEqual([outcome, run.run_id, run.session_id], ['resumed', 'r1', 's1']);
    }
    await refused('s1', repository.root, 'begin', '--run-id', 'r2');
    await refused('s1', repository.root, 'begin', '--work-id', '258');
  });

  it('end only the own run unless it is taken over, and are done when there is none', async () => {
    await answer('s1', repository.root, 'begin', '--run-id', 'r1');
    assert.match(await refused('s2', repository.root, 'end'), /r1 .*`wt state end --take-over`/);
    assert.match(await refused('s1', repository.root, 'end', '--run-id', 'r2'), /r1/);
    assert.equal((await answer('s1', repository.root, 'end')).run.run_id, 'r1');
    const again = await answer('s1', repository.root, 'end');
    assert.deepEqual([again.ended, again.run], [false, null]);
    await answer('s1', repository.root, 'begin', '--run-id', 'r1');
    assert.equal((await answer('s2', repository.root, 'end', '--take-over')).ended, true);
    await answer('s1', repository.root, 'begin', '--run-id', 'r1');
    assert.equal((await answer('s2', repository.root, 'end', '--run-id', 'r1')).ended, true);
  });

  it('let no other session report progress while the run is live, unless it takes over', async () => {
    await answer('s1', repository.root, 'begin', '--run-id', 'r1');
    await answer('s1', repository.root, 'progress', '--complete');
    assert.match(
      await refused('s2', repository.root, 'progress', '--complete'),
      /The workflow in main is not yours: r1/,
    );
    const progress = await answer('s1', repository.root, 'progress');
    assert.deepEqual(progress.steps_completed, [1]);
    await answer('s2', repository.root, 'progress', '--complete', '--take-over');
    assert.deepEqual([(await held(repository.root)).session_id, (await held(repository.root)).run_id], ['s2', 'r1']);
    await refused('s1', repository.root, 'progress', '--complete');
    await answer('s2', repository.root, 'end');
    await answer('s1', repository.root, 'progress', '--step', '7');
  });

  it('let no other session report progress of a session that hooks know to be live', async () => {
    await answer('s1', repository.root, 'progress', '--complete');
    const stat = await readFile(`/proc/${process.pid}/stat`, 'utf8').catch(() => undefined);
    const born = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const { hostname } = await import('node:os');
    const entry = (event: string): string =>
      `${JSON.stringify({
        at: new Date().toISOString(),
        event,
        decision: 'none',
        session: 's1',
        client: { pid: process.pid, host: hostname(), ...(born === undefined ? {} : { born }) },
      })}\n`;
    await repository.write('.git/worktree-stacks/log/hooks.jsonl', entry('UserPromptSubmit'));
    assert.match(await refused('s2', repository.root, 'progress', '--complete'), /of another session that runs: s1/);
    await repository.write('.git/worktree-stacks/log/hooks.jsonl', entry('SessionEnd'));
    await answer('s2', repository.root, 'progress', '--complete');
  });

  it('count a run of which nothing can be checked as one that runs, and say so', async () => {
    await answer(undefined, repository.root, 'progress', '--step', '1');
    for (const [text, why] of [
      ['faber-42\n', /its process is not known/],
      [JSON.stringify({ run_id: 'far', pid: 1, host: 'elsewhere', started_at: '' }), /it was begun on elsewhere/],
    ] as const) {
      await writeFile(runFile(repository.root), text);
      assert.match(await refused('s1', repository.root, 'begin'), why);
      assert.equal(await readFile(runFile(repository.root), 'utf8'), text);
    }
    await writeFile(runFile(repository.root), '{ "run_id": "half');
    for (const command of ['begin', 'end']) {
      const ran = await wt(repository.root, 'state', command);
      assert.equal(ran.code, 2);
      assert.match(ran.stderr, /\.active-run-id, line 1: this is not valid JSON/);
    }
    assert.equal((await wt(repository.root, 'list', '--json')).code, 0);
  });

  it('stop the removal of a worktree in which a workflow runs, and offer it once it has ended', async () => {
    const { path } = await answer('s1', repository.root, 'begin', '--worktree', '--work-id', '258');
    const kept = await home.wt(repository.root, ['cleanup', '258'], { variables: { CLAUDE_CODE_SESSION_ID: 's2' } });
    assert.equal(kept.code, 1);
    assert.match(kept.stderr, /the workflow [0-9a-f-]+ runs in it/);
    assert.ok((await held(join(repository.root, path))).run_id);
    const { next } = await answer('s1', join(repository.root, path), 'end');
    assert.deepEqual(next, [`cd ${repository.root} && wt cleanup 258`]);
    assert.equal((await wt(repository.root, 'cleanup', '258')).code, 0);
  });

  it('keep the progress of earlier work under its run, and go on with that of the same work', async () => {
    const done = async (...args: string[]): Promise<readonly number[]> => {
      await answer('s1', repository.root, 'begin', ...args);
      const { steps_completed: steps } = await answer('s1', repository.root, 'progress', '--complete');
      await answer('s1', repository.root, 'end');
      return steps;
    };
    assert.deepEqual(await done('--run-id', 'r1', '--work-id', '257'), [1]);
    assert.deepEqual(await done('--run-id', 'r2', '--work-id', '257'), [1, 2]);
    assert.deepEqual(await done('--run-id', 'r3', '--work-id', '258'), [1]);
    const names = await readdir(join(repository.root, '.claude-state'));
    const earlier = names.find((name) => /^workflow-r2-[0-9a-f]{6}\.json$/.test(name)) ?? '';
    const text = await readFile(join(repository.root, '.claude-state', earlier), 'utf8');
    assert.deepEqual((JSON.parse(text) as Answer).steps_completed, [1, 2]);
  });

  it('refuse state that was copied from another worktree, and ids that are none', async () => {
    const { path } = await answer('s1', repository.root, 'begin', '--worktree', '--work-id', '258');
    const copied = join(repository.root, '.claude-state');
    await cp(join(repository.root, path, '.claude-state'), copied, { recursive: true });
    const ran = await wt(repository.root, 'state', 'begin');
    assert.deepEqual([ran.code, /is the state of 258: it was copied/.test(ran.stderr)], [2, true]);
    for (const args of [
      ['--run-id', ' '],
      ['--work-id', 'a\nb'],
      ['--pid', 'x'],
    ]) {
      assert.equal((await wt(join(repository.root, path), 'state', 'begin', ...args)).code, 2, args.join(' '));
    }
  });
});
