import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { wtHome, type WtHome } from '../support/wt.ts';

describe('wt which', () => {
  let home: WtHome;
  let repository: TestRepository;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    await home.done(repository.root, 'create', 'outer');
    const nested = join(repository.root, '.worktrees/outer/nested');
    await repository.git('worktree', 'add', '--quiet', '-b', 'nested', nested);
    await repository.git('worktree', 'add', '--quiet', '--detach', join(home.root, 'elsewhere'));
    await mkdir(join(repository.root, 'src'));
    await symlink(join(repository.root, '.worktrees/outer'), join(home.root, 'link'));
  });
  after(() => home.dispose());

  const which = async (cwd: string, path: string): Promise<string> => (await home.done(cwd, 'which', path)).trim();

  it('names the innermost worktree, for what exists and for what does not', async () => {
    const { root } = repository;
    const main = await which(root, '.');
    assert.equal(await which(root, 'src'), main);
    assert.equal(await which(root, '.worktrees/outer/README.md'), 'outer');
    assert.equal(await which(root, '.worktrees/outer/not/there/yet.ts'), 'outer');
    assert.equal(await which(root, '.worktrees/outer/nested/README.md'), 'nested');
    assert.equal(await which(join(root, '.worktrees/outer/nested'), '..'), 'outer');
    assert.equal(await which(root, join(home.root, 'elsewhere/README.md')), 'elsewhere');
    assert.equal(await which(root, join(home.root, 'link/README.md')), 'outer');
  });

  it('prints as JSON where the path is in the worktree', async () => {
    const ran = await home.wt(repository.root, ['which', '.worktrees/outer/src/new.ts', '--json']);
    assertMatches('which', ran.json());
    const { name, branch, main, worktree_root: root, file } = ran.json();
    assert.deepEqual(
      [name, branch, main, root, file],
      ['outer', 'outer', false, join(repository.root, '.worktrees/outer'), 'src/new.ts'],
    );
    const detached = await home.wt(repository.root, ['which', join(home.root, 'elsewhere'), '--json']);
    assertMatches('which', detached.json());
    assert.deepEqual([detached.json()['branch'], detached.json()['file']], [null, '.']);
  });

  it('does not complete for what is in no worktree, git’s own files among it, and names the worktrees', async () => {
    for (const path of [home.root, join(repository.root, '.git/config'), '/']) {
      const ran = await home.wt(repository.root, ['which', path, '--json']);
      assert.equal(ran.code, 1, path);
      assertFailure(ran.json(), 'not-found');
      assertMatches('which', ran.json());
      assert.match(ran.stderr, /is in no worktree of this repository\.\n(.*\n)*.*\.worktrees\/outer/);
    }
  });

  it('refuses an empty path and a missing one as wrong usage', async () => {
    for (const args of [['which', ''], ['which']]) {
      const ran = await home.wt(repository.root, args);
      assert.deepEqual([ran.code, ran.stdout], [2, '']);
    }
  });

  it('offers files to complete, and itself among the commands', async () => {
    assert.match(await home.done(repository.root, 'complete', 'fish', 'wh'), /^which\t/m);
    assert.equal((await home.done(repository.root, 'complete', 'fish', 'which', '')).trim(), ':file');
  });
});
