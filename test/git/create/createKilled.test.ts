import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createsUnderWay } from '../../../src/core/create/createData.ts';
import { noteSharing } from '../../../src/core/create/unfinishedShares.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { appears } from '../../support/appears.ts';
import type { Creations } from '../../support/creations.ts';
import { checkShared, dieCreating, remainsOf, startCreations } from '../../support/killedCreate.ts';
import { shareOf } from '../../support/share.ts';

/** Later than any git process of a killed creation could still make something. */
const later = (): Date => new Date(Date.now() + 60_000);

describe('a creation that is killed', function () {
  this.timeout(300_000);
  let at: Creations;
  beforeEach(async () => {
    at = await startCreations();
  });
  afterEach(() => at.dispose());

  const run = (name: string, step: number | string): Promise<boolean> => dieCreating(at, name, step);
  const recover = (): ReturnType<typeof recoverInterrupted> =>
    recoverInterrupted({ ...at.workspace, environment: { ...at.workspace.environment, now: later } });

  for (const command of shareOf(['update-ref', 'worktree add', 'read-tree -m'], 2)) {
    it(`while its \`git ${command}\` goes on leaves nothing that mending does not see`, async () => {
      const done = join(at.home.root, 'done');
      const bin = join(at.home.root, 'bin');
      const git = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.trim();
      const script = `#!/bin/sh\ncase "$*" in *"${command}"*) kill -9 $PPID; '${git}' "$@"; : > '${done}';; *) exec '${git}' "$@";; esac\n`;
      await at.repository.write(join(bin, 'git'), script);
      await chmod(join(bin, 'git'), 0o755);
      await dieCreating(at, 'x', 'never', { PATH: `${bin}:${at.home.variables['PATH'] ?? ''}` });
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      await appears(done);
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      const traces = await at.traces();
      const left = await remainsOf(at, 'x', traces);
      assert.equal(new Set(left).size, 1, left.join());
      assert.deepEqual(traces.pending, []);
    });
  }

  it('is known by its name, and not by that of its folder, before it is in the registry', async () => {
    await run('a_b', 'worktree add');
    assert.deepEqual((await at.traces()).listed, [at.repository.root, at.path('a-b')]);
    assert.match((await at.plan('a-b')).slug, /^a-b-[0-9a-f]{6}$/);
    await assert.rejects(at.plan('a_b'), { reason: 'taken', id: 'create.creatingWorktreeInterrupted' });
  });

  it('can be done again after it was taken back', async () => {
    await run('x', 'worktree add');
    assert.deepEqual(await recover(), []);
    assert.equal((await at.create('x')).relativePath, '.worktrees/x');
  });

  it('during the checkout is taken back, but not over files that somebody has put there since', async () => {
    await run('x', 'worktree add');
    const file = join(at.path('x'), 'notes.txt');
    await writeFile(file, 'mine\n');
    const [problem] = await recover();
    assert.equal(problem?.reason, 'would-lose-work');
    assert.deepEqual(problem.items, ['notes.txt']);
    assert.equal(await readFile(file, 'utf8'), 'mine\n');
    await assert.rejects(at.create('x'), {
      reason: 'taken',
      id: 'create.creatingWorktreeInterrupted',
    });
    await rm(file);
    assert.deepEqual(await recover(), []);
    assert.equal(existsSync(at.path('x')), false);
  });

  it('during the checkout keeps a file of the commit that somebody has changed, not one that git had begun', async () => {
    await run('x', 'worktree add');
    await writeFile(join(at.path('x'), 'README.md'), '# proj');
    await at.repository.write(join(at.path('x'), 'deep/file.txt'), 'changed\n');
    const [problem] = await recover();
    assert.deepEqual(problem?.items, ['deep/file.txt']);
  });

  it('does not take a branch with it that somebody else has made', async () => {
    await run('x', ': reserved');
    assert.equal((await createsUnderWay(at.workspace)).length, 1);
    await at.repository.git('branch', 'x', 'main');
    assert.deepEqual(await recover(), []);
    assert.ok((await at.traces()).branches.includes('x'));
  });

  it('while something is shared leaves that out, of which half a file may be there', async () => {
    await run('x', 'files copied');
    await checkShared(at, 'x');
    await noteSharing(at.path('x'), ['deps']);
    await writeFile(join(at.path('x'), 'deps/one'), 'de');
    assert.deepEqual(await recover(), []);
    assert.ok(existsSync(join(at.path('x'), 'deep/file.txt')));
    assert.equal(existsSync(join(at.path('x'), 'deps')), false);
    assert.ok(existsSync(join(at.repository.root, 'deps/one')));
  });

  it('does not become active over a choice that was made since', async () => {
    await run('x', 'files copied');
    await at.create('chosen');
    assert.deepEqual(await recover(), []);
    const traces = await at.traces();
    assert.deepEqual(traces.registered, ['chosen', 'x']);
    assert.equal(traces.active, at.path('chosen'));
  });
});
