import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, type Environment } from '../../../src/core/base/environment.ts';
import { approvalsFile, approve, isApproved } from '../../../src/core/repository/approvals.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';

suite('approvals of setup commands', () => {
  let home: string;
  let environment: Environment;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'wt-test-'));
    environment = { ...environmentOf(process), variables: { WORKTREE_STACKS_HOME: home } };
  });
  teardown(() => rm(home, { recursive: true }));

  const repository = (commonDir: string): Repository => ({ commonDir, mainRoot: '/', bare: false, name: 'project' });
  const one = repository('/one/.git');

  test('hold for these commands in this order in this repository', async () => {
    await approve(environment, one, ['npm ci', 'direnv allow']);
    assert.equal(await isApproved(environment, one, ['npm ci', 'direnv allow']), true);
    assert.equal(await isApproved(environment, one, ['direnv allow', 'npm ci']), false);
    assert.equal(await isApproved(environment, one, ['npm ci']), false);
    assert.equal(await isApproved(environment, one, ['npm cidirenv allow']), false);
    assert.equal(await isApproved(environment, repository('/two/.git'), ['npm ci', 'direnv allow']), false);
  });

  test('are not needed for nothing', async () => {
    assert.equal(await isApproved(environment, one, []), true);
  });

  test('are kept where only the user reads them, each with what was approved', async () => {
    await approve(environment, one, ['npm ci']);
    const file = approvalsFile(environment);
    assert.equal(file.startsWith(home), true);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.match(await readFile(file, 'utf8'), /"repository": "\/one\/\.git",\n\s+"commands": \[\n\s+"npm ci"/);
  });

  test('of many windows at once are all kept', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, index) => approve(environment, one, [`command ${index}`])));
    for (let index = 0; index < 10; index++)
      assert.equal(await isApproved(environment, one, [`command ${index}`]), true);
  });

  test('that cannot be read approve nothing and are never overwritten', async () => {
    await approve(environment, one, ['npm ci']);
    for (const text of ['{ "approvals": ', '{"approvals": []}']) {
      await writeFile(approvalsFile(environment), text);
      await assert.rejects(isApproved(environment, one, ['npm ci']), { reason: 'unreadable-file', line: 1 });
      await assert.rejects(approve(environment, one, ['npm ci']), { reason: 'unreadable-file' });
      assert.equal(await readFile(approvalsFile(environment), 'utf8'), text);
    }
  });
});
