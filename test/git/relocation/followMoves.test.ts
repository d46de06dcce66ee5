import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { examine, treat } from '../../../src/core/doctor/doctor.ts';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { readActive } from '../../../src/core/repository/stateFile.ts';
import { createWorktree } from '../../../src/core/create/create.ts';
import { followMoves, type Followed } from '../../../src/core/relocation/followMoves.ts';
import { mustFollow } from '../../../src/core/relocation/moves.ts';
import { readSnapshot, type SnapshotSources } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

suite('what is written down follows worktrees that were moved', () => {
  let home: TestHome;
  let repository: TestRepository;
  const programs = { wt: process.execPath, hook: process.execPath };
  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.write('.worktrees.yml', 'tracking_file: track.json\n');
    const workspace = await testWorkspace(home, repository.root);
    await createWorktree(workspace, { name: 'plum', workId: '7', createdBy: 'test' }, { programs });
    await createWorktree(workspace, { name: 'pear', base: 'plum', task: 'Pears', createdBy: 'test' }, { programs });
  });
  teardown(() => home.dispose());

  const follow = async (root = repository.root): Promise<Followed> => {
    const workspace = await testWorkspace(home, root);
    let sources: SnapshotSources | undefined;
    const snapshot = await readSnapshot(workspace, { withChanges: false, onSources: (read) => (sources = read) });
    return followMoves(workspace, snapshot, { branches: sources?.branches.local, programs });
  };
  const written = async (root = repository.root): Promise<unknown> => {
    const workspace = await testWorkspace(home, root);
    const pear = (await readRegistry(workspace.repository)).worktrees.get('pear');
    const { worktrees } = JSON.parse(await readFile(join(root, 'track.json'), 'utf8')) as {
      worktrees: readonly { path: string; branch: string }[];
    };
    const agent = await readFile(join(root, '.claude', 'agents', 'wt-pear.md'), 'utf8');
    const active = await readActive(workspace.repository);
    return {
      entry: [pear?.id, pear?.path, pear?.branch, pear?.base, pear?.task],
      tracked: worktrees.map(({ path, branch }) => [path, branch]),
      active: [active?.path, active?.branch],
      agent: /\*\*Worktree path:\*\* (.*)\n- \*\*Branch:\*\* (.*)/.exec(agent)?.slice(1),
      launcher: agent.includes(JSON.stringify(join(root, '.worktrees', 'hooks', 'run'))),
    };
  };
  const at = (path: string, tracked: string, branch = 'pear', base = 'plum'): unknown => ({
    entry: ['pear', path, branch, base, 'Pears'],
    tracked: [
      ['.worktrees/plum', base],
      [tracked, branch],
    ],
    active: [path, branch],
    agent: [path, branch],
    launcher: true,
  });

  test('nothing is written while everything is where it was', async () => {
    const workspace = await testWorkspace(home, repository.root);
    assert.equal(mustFollow(await readSnapshot(workspace, { withChanges: false })), false);
    const { entries, active, files, problems } = await follow();
    assert.deepEqual([entries, active, files, problems], [[], false, [], []]);
  });

  test('git worktree move', async () => {
    const to = join(home.root, 'elsewhere');
    await repository.git('worktree', 'move', '.worktrees/pear', to);
    const { entries, snapshot } = await follow();
    assert.deepEqual(entries, ['pear']);
    assert.equal(snapshot.worktrees.find(({ name }) => name === 'pear')?.entry?.path, to);
    assert.deepEqual(await written(), at(to, '../elsewhere'));
    assert.deepEqual((await follow()).entries, []);
  });

  test('a move by hand', async () => {
    const to = join(repository.root, '.worktrees', 'by-hand');
    await rename(join(repository.root, '.worktrees', 'pear'), to);
    await follow();
    assert.deepEqual(await written(), at(to, '.worktrees/by-hand'));
  });

  test('a repository that was renamed, and renamed back', async () => {
    const to = join(home.root, 'renamed');
    await rename(repository.root, to);
    await follow(to);
    assert.deepEqual(await written(to), at(join(to, '.worktrees', 'pear'), '.worktrees/pear'));
    await rename(to, repository.root);
    await follow();
    assert.deepEqual(await written(), at(join(repository.root, '.worktrees', 'pear'), '.worktrees/pear'));
  });

  test('a branch that was renamed, with the branches that stand on it', async () => {
    await repository.git('branch', '-m', 'plum', 'damson');
    await repository.git('branch', '-m', 'pear', 'quince');
    assert.deepEqual((await follow()).entries, ['pear', 'plum']);
    const registry = await readRegistry((await testWorkspace(home, repository.root)).repository);
    assert.equal(registry.worktrees.get('plum')?.branch, 'damson');
    assert.deepEqual(((await written()) as { entry: unknown }).entry, [
      'pear',
      join(repository.root, '.worktrees', 'pear'),
      'quince',
      'damson',
      'Pears',
    ]);
  });

  test('another branch that is checked out for a while is no renaming', async () => {
    await repository.gitIn(join(repository.root, '.worktrees', 'pear'), 'switch', '--quiet', '-c', 'try');
    assert.deepEqual((await follow()).entries, []);
  });

  test('a worktree that cannot be seen keeps all that is recorded of it', async () => {
    const before = await written();
    await rename(join(repository.root, '.worktrees'), join(home.root, 'unmounted'));
    await mkdir(join(repository.root, '.worktrees'));
    await rename(join(home.root, 'unmounted', 'stack.json'), join(repository.root, '.worktrees', 'stack.json'));
    await follow();
    assert.deepEqual(await written(), before);
    await rm(join(repository.root, '.worktrees', 'stack.json'));
  });

  test('a repository whose links were repaired after it was renamed', async () => {
    const to = join(home.root, 'renamed');
    await rename(repository.root, to);
    await repository.gitIn(to, 'worktree', 'repair', '.worktrees/plum', '.worktrees/pear');
    await repository.gitIn(to, 'worktree', 'repair', '.worktrees/plum', '.worktrees/pear');
    await rm(join(to, '.claude', 'dev-worktree.local.md'));
    const snapshot = await readSnapshot(await testWorkspace(home, to), { withChanges: false });
    assert.equal(mustFollow(snapshot), false, 'only the agents tell');
    assert.equal((await follow(to)).files.length, 2);
    assert.equal(((await written(to)) as { launcher: boolean }).launcher, true);
  });

  test('an entry of an earlier version gets the id', async () => {
    const file = join(repository.root, '.worktrees', 'stack.json');
    const registry = JSON.parse(await readFile(file, 'utf8')) as { worktrees: Record<string, { id?: string }> };
    for (const entry of Object.values(registry.worktrees)) delete entry.id;
    await repository.write('.worktrees/stack.json', JSON.stringify(registry));
    assert.deepEqual((await follow()).entries, ['pear', 'plum']);
    assert.deepEqual(await written(), at(join(repository.root, '.worktrees', 'pear'), '.worktrees/pear'));
  });

  test('what cannot be written is told and stops nobody', async function () {
    if (process.getuid?.() === 0) {
      // To root everything can be written, except below a file.
      await rm(join(repository.root, '.claude', 'agents'), { recursive: true });
      await repository.write('.claude/agents', 'a file');
    } else await chmod(join(repository.root, '.claude', 'agents'), 0o555);
    await repository.git('worktree', 'move', '.worktrees/pear', join(home.root, 'elsewhere'));
    const { entries, problems } = await follow();
    assert.deepEqual(entries, ['pear']);
    assert.equal(problems.length, 1);
    await chmod(join(repository.root, '.claude', 'agents'), 0o755);
  });

  test('doctor finds it, repairs it, and finds nothing then', async () => {
    const to = join(home.root, 'elsewhere');
    await repository.git('worktree', 'move', '.worktrees/pear', to);
    const workspace = await testWorkspace(home, repository.root);
    const findings = await examine(workspace, { programs });
    assert.deepEqual(
      findings.map(({ kind, subject }) => [kind, subject]),
      [
        ['entry', 'pear'],
        ['state-file', 'pear'],
        ['agents', '.claude/agents'],
        ['tracking', '../elsewhere'],
      ],
    );
    for (const { outcome } of await treat(findings)) assert.equal(outcome, 'repaired');
    assert.deepEqual(await examine(workspace, { programs }), []);
    assert.deepEqual(await written(), at(to, '../elsewhere'));
  });
});
