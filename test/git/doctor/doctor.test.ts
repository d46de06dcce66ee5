import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examine, repairAll, treat } from '../../../src/core/doctor/doctor.ts';
import { registryFile, updateRegistry } from '../../../src/core/repository/registry.ts';
import { Stacks } from '../../support/stacks.ts';

describe('the doctor', function () {
  this.timeout(300_000);
  let at: Stacks;
  const programs = { wt: '/opt/worktree-stacks/wt.js', hook: '/opt/worktree-stacks/hook.js' };
  beforeEach(async () => {
    at = await Stacks.start();
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    // What `wt create` would have written beside them.
    await treat(await examine(at.workspace, { programs }));
  });
  afterEach(() => at.dispose());

  const find = async (): Promise<string[]> =>
    (await examine(at.workspace, { programs })).map(
      ({ kind, subject, repair }) => `${kind} ${subject}${repair ? ' repairable' : ''}`,
    );
  const fix = async (): Promise<string[]> => {
    const treated = await repairAll(at.workspace, { programs });
    return treated.map(({ finding, outcome }) => `${finding.kind} ${outcome}`);
  };

  it('finds nothing where all is well', async () => {
    assert.deepEqual(await find(), []);
  });

  it('names a registry that cannot be read, leaves it, and rebuilds it once it is moved away', async () => {
    const file = registryFile(at.workspace.repository);
    await writeFile(file, '{ "worktrees": {');
    assert.deepEqual(await find(), [`registry ${file}`]);
    await rename(file, `${file}.broken`);
    assert.deepEqual(await find(), ['worktree-unregistered a repairable']);
    await fix();
    assert.deepEqual(await find(), []);
    assert.deepEqual([(await at.entry('a'))?.base, (await at.entry('a'))?.baseCommit], ['main', await at.tip('main')]);
    assert.deepEqual([(await at.entry('b'))?.base, (await at.entry('b'))?.baseCommit], ['a', await at.tip('a')]);
  });

  it('keeps all that is on record of a worktree whose folder is out of sight, locked or not', async () => {
    await rm(at.path('b'), { recursive: true });
    await at.add('c', 'main');
    await at.repository.git('worktree', 'lock', at.path('c'));
    await rm(at.path('c'), { recursive: true });
    const missing = ['worktree-missing b', 'worktree-missing c'];
    assert.deepEqual(
      (await find()).filter((each) => each.startsWith('worktree')),
      missing,
    );
    await fix();
    assert.deepEqual(await find(), missing);
    for (const name of ['b', 'c']) {
      assert.ok(await at.entry(name));
      assert.notEqual(await at.tip(name), '');
      assert.ok(existsSync(join(at.repository.root, '.git/worktrees', name)));
    }
  });

  it('drops the entry of a worktree that is gone, but not while something stands on it', async () => {
    await at.add('c', 'b', { 'c.txt': 'c\n' });
    for (const name of ['b', 'c']) {
      await at.repository.git('worktree', 'remove', '--force', at.path(name));
      await at.repository.git('branch', '-D', name);
    }
    assert.deepEqual(
      (await find()).filter((each) => each.startsWith('entry')),
      ['entry b', 'entry c repairable'],
    );
    await fix();
    assert.equal(await at.entry('b'), undefined);
  });

  it('brings names and bases up to date that git has changed, and tells of those that cannot be followed', async () => {
    await at.git('a', 'branch', '-m', 'renamed');
    await at.git('b', 'rebase', '--quiet', '--onto', 'main', 'renamed');
    assert.deepEqual(
      (await find()).filter((each) => !each.startsWith('agents')),
      ['branch a repairable', 'base b repairable', 'base b'],
    );
    await fix();
    assert.equal((await at.entry('a'))?.branch, 'renamed');
    assert.equal((await at.entry('b'))?.base, 'renamed');
    await updateRegistry(at.workspace.environment, at.workspace.repository, ({ worktrees }) => {
      for (const [name, base] of [
        ['a', 'b'],
        ['b', 'renamed'],
      ] as const) {
        const entry = worktrees.get(name);
        if (entry) worktrees.set(name, { ...entry, base });
      }
    });
    assert.deepEqual(
      (await find()).filter((each) => each.startsWith('base')),
      ['base a', 'base b'],
    );
  });

  it('finds markers of dead polls, old locks, leftovers, agents and launchers', async () => {
    await at.repository.write(
      join(at.path('a'), '.poll-active'),
      JSON.stringify({ pid: 0, host: at.workspace.environment.host }),
    );
    const lock = join(at.repository.root, '.git/worktrees/b/index.lock');
    const left = join(at.repository.root, '.git/worktree-stacks/commits-x');
    await writeFile(lock, '');
    await mkdir(left, { recursive: true });
    const long = new Date(Date.now() - 3 * 60 * 60 * 1000);
    const index = join(at.repository.root, '.git/worktrees/a/wt-predict-index-4711');
    await writeFile(index, '');
    for (const path of [lock, left, index]) await utimes(path, long, long);
    const agent = join(at.repository.root, '.claude/agents/wt-a.md');
    await rm(agent);
    await rm(join(at.repository.root, '.worktrees/hooks/run'));
    const kinds = (await find()).map((each) => each.split(' ')[0]);
    assert.deepEqual(kinds, ['poll', 'lock', 'agents', 'launchers', 'leftover', 'leftover']);
    await fix();
    assert.deepEqual(await find(), ['lock b']);
    assert.ok(existsSync(agent));
    assert.ok(existsSync(lock) && !existsSync(index) && !existsSync(left));
  });
});
