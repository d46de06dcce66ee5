import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { endOf } from '../../../src/core/merge/checks.ts';
import { checkWorktree } from '../../../src/core/merge/worktreeChecks.ts';
import { approvalsFile } from '../../../src/core/repository/approvals.ts';
import { Creations } from '../../support/creations.ts';
import { ended } from '../../support/ended.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe("the team's checks", () => {
  let at: Creations;
  let path: string;
  beforeEach(async () => {
    at = await Creations.start();
    path = (await at.create('x')).path;
  });
  afterEach(() => at.dispose());

  it('are none where none are configured', async () => {
    assert.deepEqual(await checkWorktree(at.workspace, path), { state: 'none' });
  });

  it('do not run unless the user has approved this very command', async () => {
    await at.configure('checks: touch ran\n');
    const unapproved = { state: 'unapproved', command: 'touch ran', configured: true };
    assert.deepEqual(await checkWorktree(at.workspace, path), unapproved);
    assert.deepEqual(await checkWorktree(at.workspace, path, { approveChecks: async () => false }), unapproved);
    assert.equal(existsSync(join(path, 'ran')), false);
    assert.equal((await checkWorktree(at.workspace, path, { approveChecks: async () => true })).state, 'passed');
    assert.ok(existsSync(join(path, 'ran')));
    assert.equal((await checkWorktree(at.workspace, path)).state, 'passed', 'asked once');
    await at.configure('checks: touch ran more\n');
    assert.equal((await checkWorktree(at.workspace, path)).state, 'unapproved', 'changed');
  });

  it('run in the worktree, and pass by their exit code', async () => {
    await at.configure('checks: pwd > where; exit 0\n');
    assert.equal((await checkWorktree(at.workspace, path, { approve: true })).state, 'passed');
    assert.equal(await readFile(join(path, 'where'), 'utf8'), `${path}\n`);
  });

  it('tell how they failed and what they printed last', async () => {
    await at.configure('checks: seq 1 100; echo wrong >&2; exit 3\n');
    const outcome = await checkWorktree(at.workspace, path, { approve: true });
    assert.ok(outcome.state === 'failed');
    assert.equal(textOf(endOf(outcome)), 'failed with exit code 3');
    assert.ok(outcome.lastLines.includes('100') && outcome.lastLines.includes('wrong'));
    assert.ok(outcome.lastLines.length <= 20);
  });

  it('are ended, with what they have started, when their time runs out', async () => {
    await at.configure('checks: sleep 600 & echo $! > child; wait\n');
    const begun = checkWorktree(at.workspace, path, { approve: true, limit: 200 });
    assert.deepEqual(await begun, {
      state: 'unfinished',
      command: at.workspace.configuration.checks,
      configured: true,
    });
    // Where the time was too short even to begin, nothing was left running either.
    const child = Number(await readFile(join(path, 'child'), 'utf8').catch(() => '0'));
    if (child !== 0) await ended(child);
  });

  it('end when they are cancelled, which is no outcome', async () => {
    await at.configure('checks: echo begun; sleep 600\n');
    const cancel = new AbortController();
    const checks = checkWorktree(at.workspace, path, {
      approve: true,
      limit: 600_000,
      signal: cancel.signal,
      onOutput: () => cancel.abort(),
    });
    await assert.rejects(checks, { reason: 'cancelled' });
  });

  it('do not run, and say why, where the approvals cannot be read', async () => {
    await at.configure('checks: touch ran\n');
    const file = approvalsFile(at.workspace.environment);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{ "approvals": ');
    const outcome = await checkWorktree(at.workspace, path);
    assert.ok(outcome.state === 'unapproved');
    assert.match(outcome.trouble ?? '', /approvals\.json/);
    await assert.rejects(checkWorktree(at.workspace, path, { approve: true }), { reason: 'unreadable-file' });
    assert.equal(existsSync(join(path, 'ran')), false);
    assert.equal(await readFile(file, 'utf8'), '{ "approvals": ', 'left as it was');
  });
});
