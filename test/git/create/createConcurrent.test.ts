import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { withFileLock } from '../../../src/core/base/fileLock.ts';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { pendingFolder } from '../../../src/core/operations/store.ts';
import { bundled } from '../../support/bundled.ts';
import { Creations } from '../../support/creations.ts';

const driver = new URL('../../support/createDriver.ts', import.meta.url);

describe('many creations at once', function () {
  this.timeout(300_000);
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
    await at.repository.commit(
      'Files',
      Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`d${n % 9}/f${n}`, `${n}\n`])),
    );
  });
  afterEach(() => at.dispose());

  /** Creates a worktree in a process of its own; what it wrote to standard error. */
  async function inProcess(name: string): Promise<string> {
    const child = spawn(process.execPath, [bundled(driver), at.repository.root, name, 'never'], {
      env: at.home.variables,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
    await once(child, 'close');
    return words;
  }

  it('by ten processes all succeed, and no entry is lost', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `task-${index}`);
    const words = await Promise.all(names.map(inProcess));
    assert.deepEqual(
      words,
      names.map(() => ''),
    );
    const traces = await at.traces();
    assert.deepEqual(traces.registered, names);
    assert.deepEqual(traces.folders, names);
    assert.deepEqual(traces.branches, ['main', ...names]);
    assert.deepEqual(traces.pending, []);
    assert.equal((await readRegistry(at.workspace.repository)).revision, 10);
    for (const name of names) assert.equal(await at.repository.gitIn(at.path(name), 'status', '--porcelain'), '');
  });

  it('from one remote branch succeed while an editor asks for the status of everything', async () => {
    const origin = join(at.home.root, 'origin.git');
    await at.repository.git('clone', '--quiet', '--bare', '.', origin);
    await at.repository.git('remote', 'add', 'origin', origin);
    await at.repository.git('fetch', '--quiet', 'origin');
    await at.repository.git('config', 'branch.autoSetupMerge', 'always');
    let busy = true;
    const statuses = (async () => {
      for (let count = 0; busy; count++) {
        await at.repository.git('status', '--porcelain');
        for (const name of ['a', 'b', 'c'])
          await at.repository.gitIn(at.path(name), 'status', '--porcelain').catch(() => '');
      }
    })();
    try {
      await Promise.all(['a', 'b', 'c'].map((name) => at.create({ name, base: 'origin/main' })));
    } finally {
      busy = false;
      await statuses;
    }
    const traces = await at.traces();
    assert.deepEqual(traces.registered, ['a', 'b', 'c']);
    for (const name of ['a', 'b', 'c'])
      assert.equal(await at.repository.gitIn(at.path(name), 'status', '--porcelain'), '');
  });

  it('of one name let exactly one win, whole, and tell the others', async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => at.create('x')));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    assert.equal(failures.length, 3);
    for (const failure of failures)
      assert.ok(Problem.is(failure, 'taken') || Problem.is(failure, 'in-use'), String(failure));
    assert.deepEqual(await at.traces(), {
      branches: ['main', 'x'],
      listed: [at.repository.root, at.path('x')],
      registered: ['x'],
      active: at.path('x'),
      folders: ['x'],
      pending: [],
      records: ['x'],
      status: '',
    });
    assert.equal(await at.repository.gitIn(at.path('x'), 'status', '--porcelain'), '');
  });

  it('of one name by ten processes let exactly one win, whole', async () => {
    const words = await Promise.all(Array.from({ length: 10 }, () => inProcess('x')));
    assert.equal(words.filter((each) => each === '').length, 1, words.join('\n'));
    const traces = await at.traces();
    assert.deepEqual(traces.registered, ['x']);
    assert.deepEqual(traces.pending, []);
    assert.equal(await at.repository.gitIn(at.path('x'), 'status', '--porcelain'), '');
  });

  it('leave alone what was made under the name between plan and reservation, in a folder that was there', async () => {
    const { environment, repository } = at.workspace;
    const folder = at.path('x');
    await mkdir(folder, { recursive: true });
    const planned = new EventEmitter();
    const log = { ...environment.log, debug: (line: string) => void (line.includes('planned') && planned.emit('end')) };
    const creation = await withFileLock(environment, join(pendingFolder(repository), 'x.json'), async () => {
      const begun = at.create('x', {}, { ...at.workspace, environment: { ...environment, log } });
      begun.catch(() => undefined);
      await once(planned, 'end');
      await at.repository.git('worktree', 'add', '--quiet', '-b', 'x', folder);
      return { begun };
    });
    await assert.rejects(creation.begun, { reason: 'taken' });
    assert.equal(await at.repository.gitIn(folder, 'status', '--porcelain'), '');
    assert.deepEqual((await at.traces()).pending, []);
  });

  it('in one folder that was there let exactly one have it, whole', async () => {
    await at.configure('worktree:\n  location_pattern: .worktrees/shared\n');
    await mkdir(at.path('shared'), { recursive: true });
    const results = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => at.create(`x${index}`)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const traces = await at.traces();
    assert.equal(traces.registered.length, 1);
    assert.deepEqual(traces.branches, ['main', ...traces.registered]);
    assert.equal(await at.repository.gitIn(at.path('shared'), 'status', '--porcelain'), '');
  });

  it('of names with one slug all succeed, each in a folder of its own', async () => {
    const names = ['a-b', 'a_b', 'a.b'];
    const created = await Promise.all(names.map((name) => at.create(name)));
    assert.equal(new Set(created.map(({ path }) => path)).size, 3);
    assert.ok(created.some(({ slug }) => slug === 'a-b'));
    assert.deepEqual((await at.traces()).registered, [...names].sort());
  });

  it('on one existing branch let exactly one have it', async () => {
    await at.repository.git('branch', 'shared');
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => at.create({ name, branch: 'shared' })));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const traces = await at.traces();
    assert.equal(traces.listed.length, 2);
    assert.equal(traces.registered.length, 1);
    assert.equal(traces.folders.length, 1);
    assert.deepEqual(traces.branches, ['main', 'shared']);
  });
});
