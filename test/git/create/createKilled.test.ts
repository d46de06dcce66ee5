import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createsUnderWay } from '../../../src/core/create/createData.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { appears } from '../../support/appears.ts';
import { bundled } from '../../support/bundled.ts';
import { Creations, type Traces } from '../../support/creations.ts';
import { StepCopies } from '../../support/stepCopies.ts';

const driver = new URL('../../support/createDriver.ts', import.meta.url);
/** Later than any git process of a killed creation could still make something. */
const later = (): Date => new Date(Date.now() + 60_000);

suite('a creation that is killed', function () {
  this.timeout(300_000);
  let at: Creations;
  setup(async () => {
    at = await Creations.start();
    const sub = join(at.home.root, 'sub');
    await at.repository.write(join(sub, 'sub.txt'), 'sub\n');
    await at.repository.gitIn(sub, 'init', '--quiet');
    await at.repository.commit('Start', {}, sub);
    await at.repository.git('submodule', '--quiet', 'add', sub, 'libs/sub');
    await at.repository.commit('Files', { '.gitignore': '.env\n', 'deep/file.txt': 'text\n' });
    await at.configure('tracking_file: .tracking/worktrees.json\n');
    await at.repository.write('.env', 'KEY=1\n');
    // Copies have other inodes, which git would take for changes.
    await at.repository.git('config', '--global', 'core.checkStat', 'minimal');
    await at.repository.git('config', '--global', 'core.trustctime', 'false');
  });
  teardown(() => at.dispose());

  /** Runs a creation that is killed after a step, or leaves copies in a folder; what it printed. */
  async function run(name: string, step: number | string, variables: Record<string, string> = {}): Promise<string> {
    const child = spawn(process.execPath, [bundled(driver), at.repository.root, name, String(step)], {
      env: { ...at.home.variables, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(child, 'close');
    return output;
  }

  const mend = (): ReturnType<typeof recoverInterrupted> =>
    recoverInterrupted({ ...at.workspace, environment: { ...at.workspace.environment, now: later } });

  /** How much of a worktree there is; each of these must be all or nothing after mending. */
  async function remains(name: string, traces: Traces): Promise<boolean[]> {
    const tracking = await readFile(join(at.repository.root, '.tracking/worktrees.json'), 'utf8').catch(() => '');
    return [
      traces.branches.includes(name),
      traces.listed.includes(at.path(name)),
      traces.records.includes(name),
      traces.registered.includes(name),
      traces.folders.includes(name),
      traces.active === at.path(name),
      existsSync(join(at.path(name), 'deep/file.txt')),
      existsSync(join(at.path(name), '.env')),
      existsSync(join(at.path(name), 'libs/sub/sub.txt')),
      tracking.includes(`".worktrees/${name}"`),
    ];
  }

  test('at any step is completed or taken back as a whole by mending, and mending twice changes nothing', async () => {
    let undone = 0;
    let completed = 0;
    const name = 'x';
    const copies = new StepCopies(at.home.root);
    assert.notEqual(await run(name, copies.into), '');
    for (const step of copies.all()) {
      copies.restore(step);
      assert.deepEqual(await mend(), []);
      const traces = await at.traces();
      const left = await remains(name, traces);
      assert.equal(new Set(left).size, 1, `killed after step ${step}: ${left.join()}`);
      assert.deepEqual(traces.journals, []);
      assert.equal(traces.status, '');
      if (left[0]) {
        completed++;
        assert.equal(await at.repository.gitIn(at.path(name), 'status', '--porcelain'), '');
      } else {
        undone++;
      }
      const settled = await at.traces();
      assert.deepEqual(await mend(), []);
      assert.deepEqual(await at.traces(), settled);
    }
    copies.forget();
    assert.ok(undone > 5 && completed > 3, `undone ${undone}, completed ${completed}`);
  });

  for (const command of ['update-ref', 'worktree add', 'read-tree -m']) {
    test(`while its \`git ${command}\` goes on leaves nothing that mending does not see`, async () => {
      const done = join(at.home.root, 'done');
      const bin = join(at.home.root, 'bin');
      const git = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.trim();
      const script = `#!/bin/sh\ncase "$*" in *"${command}"*) kill -9 $PPID; '${git}' "$@"; : > '${done}';; *) exec '${git}' "$@";; esac\n`;
      await at.repository.write(join(bin, 'git'), script);
      await chmod(join(bin, 'git'), 0o755);
      await run('x', 'never', { PATH: `${bin}:${at.home.variables['PATH'] ?? ''}` });
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      await appears(done);
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      const traces = await at.traces();
      const left = await remains('x', traces);
      assert.equal(new Set(left).size, 1, left.join());
      assert.deepEqual(traces.journals, []);
    });
  }

  test('is known by its name, and not by that of its folder, before it is in the registry', async () => {
    await run('a_b', 'worktree add');
    assert.deepEqual((await at.traces()).listed, [at.repository.root, at.path('a-b')]);
    assert.match((await at.plan('a-b')).slug, /^a-b-[0-9a-f]{6}$/);
    await assert.rejects(at.plan('a_b'), { reason: 'taken', message: /was interrupted/ });
  });

  test('can be done again after it was taken back', async () => {
    await run('x', 'worktree add');
    assert.deepEqual(await mend(), []);
    assert.equal((await at.create('x')).relativePath, '.worktrees/x');
  });

  test('during the checkout is taken back, but not over files that somebody has put there since', async () => {
    await run('x', 'worktree add');
    const file = join(at.path('x'), 'notes.txt');
    await writeFile(file, 'mine\n');
    const [problem] = await mend();
    assert.equal(problem?.reason, 'would-lose-work');
    assert.deepEqual(problem.items, ['notes.txt']);
    assert.equal(await readFile(file, 'utf8'), 'mine\n');
    await assert.rejects(at.create('x'), {
      reason: 'taken',
      message: /was interrupted and has not been recovered yet/,
    });
    await rm(file);
    assert.deepEqual(await mend(), []);
    assert.equal(existsSync(at.path('x')), false);
  });

  test('during the checkout keeps a file of the commit that somebody has changed, not one that git had begun', async () => {
    await run('x', 'worktree add');
    await writeFile(join(at.path('x'), 'README.md'), '# proj');
    await at.repository.write(join(at.path('x'), 'deep/file.txt'), 'changed\n');
    const [problem] = await mend();
    assert.deepEqual(problem?.items, ['deep/file.txt']);
  });

  test('does not take a branch with it that somebody else has made', async () => {
    await run('x', ': reserved');
    assert.equal((await createsUnderWay(at.workspace)).length, 1);
    await at.repository.git('branch', 'x', 'main');
    assert.deepEqual(await mend(), []);
    assert.ok((await at.traces()).branches.includes('x'));
  });

  test('does not become active over a choice that was made since', async () => {
    await run('x', 'files copied');
    await at.create('chosen');
    assert.deepEqual(await mend(), []);
    const traces = await at.traces();
    assert.deepEqual(traces.registered, ['chosen', 'x']);
    assert.equal(traces.active, at.path('chosen'));
  });
});
