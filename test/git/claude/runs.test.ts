import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../../src/core/base/environment.ts';
import { ancestorsOf } from '../../../src/core/base/processTree.ts';
import { identityOf } from '../../../src/core/base/processes.ts';
import { appendToLog } from '../../../src/core/claude/decisionLog.ts';
import { findCaller } from '../../../src/core/claude/runs/caller.ts';
import { beginRun, endRun, type RunPlace } from '../../../src/core/claude/runs/claimRun.ts';
import { runFactsOf } from '../../../src/core/claude/runs/runFacts.ts';
import { readActiveRun, writeActiveRun, type ActiveRun } from '../../../src/core/repository/activeRun.ts';
import { ended } from '../../support/ended.ts';
import { needsBirths, needsPrograms, needsProc, skipBecause } from '../../support/skip.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

describe('the run of a workflow', () => {
  let home: TestHome;
  let repository: TestRepository;
  let commonDir: string;
  let other: ChildProcess;
  before(async () => {
    home = await testHome();
    other = spawn('sleep', ['600']);
  });
  beforeEach(async () => {
    repository = await home.repository();
    commonDir = join(repository.root, '.git');
  });
  afterEach(async () => {
    await rm(repository.root, { recursive: true });
  });
  after(async () => {
    other.kill('SIGKILL');
    await home.dispose();
  });

  const environmentOf = (variables: Record<string, string> = {}): Environment =>
    testEnvironment(home, repository.root, variables);
  const place = (more: Partial<RunPlace> = {}): RunPlace => ({
    environment: environmentOf(),
    commonDir,
    root: repository.root,
    ...more,
  });
  const begin = async (variables: Record<string, string>, more: Partial<RunPlace> = {}) =>
    beginRun(place(more), { caller: await findCaller(environmentOf(variables)) });
  const claude = (session: string, pid = process.ppid): Record<string, string> => ({
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDE_PID: String(pid),
  });
  /** Changes what is recorded of the run. */
  const edit = async (changes: Partial<ActiveRun>): Promise<void> => {
    const run = await readActiveRun(repository.root);
    assert.ok(run);
    await writeActiveRun(repository.root, { ...run, ...changes });
  };
  const stateNow = async (): Promise<string | undefined> =>
    (await runFactsOf(environmentOf(), commonDir, repository.root))?.state;
  const note = async (event: string, pid?: number): Promise<void> =>
    appendToLog(commonDir, {
      at: new Date().toISOString(),
      event,
      decision: 'none',
      session: 's1',
      ...(pid === undefined ? {} : { client: await identityOf({ ...environmentOf(), pid }) }),
    });

  it('is known by the client of Claude Code, which goes on with another session when it is cleared', async () => {
    const begun = await begin(claude('s1'));
    assert.ok(begun.outcome === 'begun');
    assert.deepEqual([begun.run.pid, begun.run.program], [process.ppid, 'claude']);
    assert.equal((await begin(claude('s2'))).outcome, 'resumed');
  });

  it('is not known by a client that a variable names but that is not above', async () => {
    const caller = await findCaller(environmentOf(claude('s1', other.pid)));
    assert.notEqual(caller.process?.pid, other.pid);
    assert.equal(caller.isClient, false);
    await begin(claude('s1'));
    assert.equal((await begin(claude('s2', other.pid))).outcome, 'conflict');
  });

  it('is dead when its process id is that of another process by now', async function () {
    needsBirths(this);
    await begin(claude('s1'));
    assert.equal(await stateNow(), 'live');
    await edit({ process_started: '1' });
    assert.equal(await stateNow(), 'dead');
    assert.equal((await begin(claude('s2'))).outcome, 'taken-over');
  });

  it('lives on with its session, which was resumed in another process', async () => {
    await begin(claude('s1'));
    const short = spawn(process.execPath, ['-e', '']);
    await ended(short.pid!);
    await edit({ pid: short.pid!, process_started: 'long ago' });
    assert.equal(await stateNow(), 'dead');
    await note('SessionStart', process.pid);
    await note('WorkflowBegin');
    assert.equal(await stateNow(), 'live');
    assert.equal((await begin({ CLAUDE_CODE_SESSION_ID: 's2' })).outcome, 'conflict');
    await note('SessionEnd', process.pid);
    assert.equal(await stateNow(), 'dead');
    const lister = { list: async () => [{ pid: 1, cwd: '/', sessionId: 's1', status: 'idle' }] };
    assert.equal((await begin({ CLAUDE_CODE_SESSION_ID: 's2' }, { lister })).outcome, 'conflict');
    const again = await begin(claude('s1'));
    assert.ok(again.outcome === 'resumed');
    assert.equal(again.run.pid, process.ppid, 'it stands for the run now');
  });

  it('is no other one when it begins again while its own process goes on', async () => {
    const first = await begin(claude('s1'));
    assert.ok(first.outcome === 'begun');
    const caller = await findCaller(environmentOf(), { pid: other.pid });
    const again = await beginRun(place(), { caller, runId: first.run.run_id, workId: '258' });
    assert.ok(again.outcome === 'resumed');
    assert.deepEqual(again.run, { ...first.run, work_id: '258' });
  });

  it('is ended once by several that end it at the same moment', async () => {
    await begin(claude('s1'));
    const caller = await findCaller(environmentOf(claude('s1')));
    const all = await Promise.all([1, 2, 3].map(() => endRun(place(), { caller })));
    assert.deepEqual(all.map(({ outcome }) => outcome).sort(), ['ended', 'none', 'none']);
  });

  it('finds the same processes above by a list of all, where the system has no other way', async function () {
    needsProc(this);
    needsPrograms(this, 'ps');
    const listed = await ancestorsOf({ ...environmentOf({ PATH: process.env['PATH'] ?? '' }), platform: 'darwin' });
    const read = await ancestorsOf(environmentOf());
    assert.deepEqual(
      listed.map(({ pid }) => pid),
      read.map(({ pid }) => pid),
    );
    assert.equal(read[0]?.pid, process.ppid);
  });

  it('finds them with their whole command lines there, however wide a terminal is', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'only the ps of Linux was seen to cut its lines at COLUMNS');
    needsPrograms(this, 'ps');
    const long = 'x'.repeat(200);
    const above = spawn('sh', ['-c', 'sleep 600 & echo $!; wait', long], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [printed] = (await once(above.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    try {
      const variables = { PATH: process.env['PATH'] ?? '', COLUMNS: '20' };
      const listed = await ancestorsOf({ ...environmentOf(variables), platform: 'darwin', pid });
      assert.deepEqual(
        listed.filter((each) => each.pid === above.pid).map(({ words }) => words.at(-1)),
        [long],
      );
    } finally {
      process.kill(pid);
      await once(above, 'close');
    }
  });
});
