import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem, messageOf } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import { updateRegistry } from '../../../src/core/repository/registry.ts';
import { writeActive } from '../../../src/core/repository/stateFile.ts';
import { Creations } from '../../support/creations.ts';
import { createMessages } from '../../../src/core/messages/create.ts';
import { texts } from '../../support/texts.ts';
import { isInShare } from '../../support/share.ts';

describe('a creation that does not succeed', function () {
  this.timeout(300_000);
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
    await at.repository.commit('Files', { 'a.txt': 'a\n', '.gitignore': '.env\n' });
    await at.repository.write('.env', 'KEY=1\n');
  });
  afterEach(() => at.dispose());

  it('because it was cancelled, at whatever step, leaves nothing behind', async () => {
    await writeActive(at.workspace.environment, at.workspace.repository, {
      path: at.repository.root,
      branch: 'main',
      created: '2020-01-01',
    });
    await at.create('first');
    const before = await at.traces();
    for (let step = 1; ; step++) {
      assert.ok(step < 100, 'a creation has an end');
      if (!isInShare(step, 3)) continue;
      const stop = new AbortController();
      let steps = 0;
      const count = (): void => {
        steps++;
        if (steps === step) stop.abort();
      };
      const quiet = { info() {}, warn() {}, error() {} };
      const environment = { ...at.workspace.environment, log: { ...quiet, debug: count } };
      const workspace = { ...at.workspace, environment, git: new Git(environment) };
      const creating = at.create(`x${step}`, { signal: stop.signal }, workspace);
      const failure = await creating.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!failure) break;
      assert.ok(Problem.is(failure, 'cancelled'), `step ${step}: ${messageOf(failure)}`);
      assert.deepEqual(await at.traces(), before, `step ${step}`);
    }
  });

  it('because git cannot write a file takes the branch with it', async () => {
    const before = await at.traces();
    // As where a required git-lfs is not installed.
    await at.repository.git('config', 'filter.missing.smudge', 'worktree-stacks-no-such-filter');
    await at.repository.git('config', 'filter.missing.clean', 'worktree-stacks-no-such-filter');
    await at.repository.git('config', 'filter.missing.required', 'true');
    await at.repository.write('.git/info/attributes', 'a.txt filter=missing\n');
    await assert.rejects(at.create('x'), { reason: 'git-failed' });
    await at.repository.write('.git/info/attributes', '');
    assert.deepEqual(await at.traces(), before);
    assert.equal(existsSync(join(at.repository.root, '.worktrees')), false);
  });

  it('keeps a branch that was there before', async () => {
    await at.repository.git('branch', 'x');
    await at.configure('setup: ["exit 1"]\n');
    await assert.rejects(at.create({ name: 'x', branch: 'x' }, { approveSetup: async () => true }), {
      reason: 'setup-failed',
    });
    const traces = await at.traces();
    assert.deepEqual(traces.branches, ['main', 'x']);
    assert.deepEqual(traces.folders, []);
  });

  it('keeps an empty folder that was there before', async () => {
    await at.configure('setup: ["exit 1"]\n');
    await mkdir(at.path('x'), { recursive: true });
    await assert.rejects(at.create('x', { approveSetup: async () => true }), { reason: 'setup-failed' });
    assert.deepEqual((await at.traces()).folders, ['x']);
    assert.deepEqual((await at.traces()).records, []);
  });

  it('puts the entry back that the registry had under its name', async () => {
    const entry = { path: '/gone', branch: 'x', base: 'main', pr: { number: 7, url: 'https://example.com/7' } };
    await updateRegistry(
      at.workspace.environment,
      at.workspace.repository,
      ({ worktrees }) => void worktrees.set('x', entry),
    );
    await at.configure('setup: ["exit 1"]\n');
    await assert.rejects(at.create('x', { approveSetup: async () => true }), { reason: 'setup-failed' });
    const registry: unknown = JSON.parse(await readFile(join(at.repository.root, '.worktrees/stack.json'), 'utf8'));
    assert.deepEqual((registry as { worktrees: unknown }).worktrees, { x: entry });
  });

  it('keeps a worktree into which somebody has put a file meanwhile, and names it', async () => {
    const stop = new AbortController();
    const creating = at.create('x', {
      signal: stop.signal,
      progress: (step) => {
        if (step?.id !== createMessages.checkingOut.id) return;
        writeFileSync(join(at.path('x'), 'notes.txt'), 'mine\n');
        stop.abort();
      },
    });
    await assert.rejects(creating, (thrown: Error & { items?: string[]; next?: string }) => {
      assert.match(thrown.message, /was kept, because it holds files that are not from the commit/);
      assert.doesNotMatch(thrown.message, /nothing was left behind/);
      assert.deepEqual(thrown.items, ['notes.txt']);
      assert.match(thrown.next ?? '', /wt cleanup x/);
      return true;
    });
    assert.equal(await readFile(join(at.path('x'), 'notes.txt'), 'utf8'), 'mine\n');
    assert.deepEqual((await at.traces()).pending, []);
  });

  it('does not take a branch with it that has moved since', async () => {
    const tree = await at.repository.git('rev-parse', 'main^{tree}');
    const commit = await at.repository.git('commit-tree', tree, '-p', 'main', '-m', 'Quick');
    await at.configure(`setup: ["git update-ref refs/heads/x ${commit}; exit 1"]\n`);
    await assert.rejects(at.create('x', { approveSetup: async () => true }), { reason: 'setup-failed' });
    assert.equal(await at.repository.git('rev-parse', 'x'), commit);
    assert.deepEqual((await at.traces()).folders, []);
  });

  it('because the tracking file is broken does succeed, and says so', async () => {
    await at.configure('tracking_file: .tracking/worktrees.json\n');
    await at.repository.write('.tracking/worktrees.json', '{\n "worktrees": [\n');
    const created = await at.create('x');
    assert.match(texts(created.warnings).join(), /tracking file was not updated: .*worktrees\.json, line \d/);
    assert.equal(await readFile(join(at.repository.root, '.tracking/worktrees.json'), 'utf8'), '{\n "worktrees": [\n');
  });

  it('because a rule takes our files back in touches nothing, and names the rule', async () => {
    await at.repository.commit('Ignore', { '.gitignore': '!.worktrees/\n!.worktrees/**\n' });
    const before = await at.traces();
    await assert.rejects(at.create('x'), { reason: 'not-ignored' });
    assert.deepEqual(await at.traces(), before);
  });
});
