import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { repositoryForEach, type WtHome } from '../support/wt.ts';

describe('uncommitted work', () => {
  let home: WtHome;
  let repository: TestRepository;
  repositoryForEach((at) => ({ home, repository } = at));

  const at = (name: string): string => join(repository.root, '.worktrees', name);
  const status = (folder: string): Promise<string> => repository.gitIn(folder, 'status', '--porcelain');

  it('stays where it is unless it is asked for, and wt create says so', async () => {
    await repository.write('new.txt', 'new\n');
    const ran = await home.wt(repository.root, ['create', 'x']);
    assert.match(ran.stderr, /1 uncommitted file stays where it is; `wt carry \. x` brings it along/);
    const { uncommitted } = JSON.parse(await home.done(repository.root, 'create', 'y', '--json')) as Record<
      string,
      unknown
    >;
    assert.deepEqual(uncommitted, { state: 'stays', files: ['new.txt'], operation: null });
    assert.equal(await status(at('x')), '');
  });

  it('comes along, moved or copied, and wt undo brings it back', async () => {
    await repository.write('README.md', '# changed\n');
    await repository.git('add', 'README.md');
    await repository.write('new.txt', 'new\n');
    const before = await status(repository.root);
    const copied = await home.wt(repository.root, ['create', 'x', '--with-changes=copy', '--json']);
    assertMatches('create', copied.json());
    assert.equal((copied.json()['uncommitted'] as Record<string, unknown>)['state'], 'copied');
    assert.equal(await status(repository.root), before);
    assert.equal(await status(at('x')), before);
    const moved = await home.wt(repository.root, ['create', '--with-changes', 'y']);
    assert.match(moved.stderr, /2 uncommitted files came along/);
    assert.equal(await status(repository.root), '');
    assert.equal(await status(at('y')), before);
    await home.done(repository.root, 'undo');
    assert.equal(await status(repository.root), before);
    assert.equal(await status(at('y')), '');
  });

  it('that does not fit stops the creation before anything is made', async () => {
    await repository.git('branch', 'other');
    await repository.commit('Mine', { 'README.md': '# mine\n' });
    await repository.write('README.md', '# changed\n');
    const ran = await home.wt(repository.root, ['create', 'x', '--base', 'other', '--with-changes', '--json']);
    assertFailure(ran.json(), 'conflicts');
    assert.ok(!existsSync(at('x')));
    assert.equal(await repository.git('branch', '--list', 'x'), '');
    assert.equal(await status(repository.root), ' M README.md');
  });

  it('is carried between worktrees by wt carry', async () => {
    await home.done(repository.root, 'create', 'x');
    await repository.write('new.txt', 'new\n');
    const dry = await home.wt(repository.root, ['carry', '@', 'x', '--dry-run', '--json']);
    assertMatches('carry', dry.json());
    assert.deepEqual([dry.json()['dry_run'], dry.json()['operation']], [true, null]);
    assert.equal(await status(at('x')), '');
    assert.equal(await home.done(at('x'), 'carry', '@', '.'), 'new.txt\n');
    assert.equal(await status(at('x')), '?? new.txt');
    assertFailure((await home.wt(repository.root, ['carry', '@', 'x', '--json'])).json(), 'not-found');
    const log = JSON.parse(await home.done(repository.root, 'log', '--json')) as { operations: { kind: string }[] };
    assert.deepEqual(
      log.operations.map(({ kind }) => kind),
      ['carry'],
    );
  });
});
