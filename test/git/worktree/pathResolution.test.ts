import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { resolveProjectPath } from '../../../src/core/worktree/pathResolution.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

suite('a project path in a worktree', () => {
  let home: TestHome;
  let repository: TestRepository;
  let inside: string;
  let beside: string;

  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    inside = join(repository.root, '.worktrees', 'x');
    beside = join(home.root, 'beside');
    await repository.git('worktree', 'add', '-q', inside);
    await repository.git('worktree', 'add', '-q', beside);
  });
  teardown(() => home.dispose());

  const path = async (file: string, root = inside, folder = repository.root): Promise<string> =>
    resolveProjectPath(await testWorkspace(home, folder), root, file);
  const refused = async (file: string, reason: 'usage' | 'outside-repository' = 'outside-repository'): Promise<void> =>
    assert.rejects(path(file), (thrown) => Problem.is(thrown, reason));

  test('starts at the worktree’s root, wherever the person is', async () => {
    await mkdir(join(inside, 'src'));
    assert.equal(await path('src/a.ts', inside, join(inside, 'src')), join(inside, 'src', 'a.ts'));
  });

  test('need not exist', async () => {
    assert.equal(await path('not/yet/there.md'), join(inside, 'not', 'yet', 'there.md'));
  });

  test('a file of the main working tree is the same file here', async () => {
    assert.equal(await path(join(repository.root, 'src', 'a.ts')), join(inside, 'src', 'a.ts'));
  });

  test('a file of this worktree stays', async () => {
    assert.equal(await path(join(inside, 'src', 'a.ts')), join(inside, 'src', 'a.ts'));
  });

  test('a file of another worktree is the same file here', async () => {
    assert.equal(await path(join(beside, 'src', 'a.ts')), join(inside, 'src', 'a.ts'));
    assert.equal(await path(join(inside, 'src', 'a.ts'), beside), join(beside, 'src', 'a.ts'));
  });

  test('a file of this worktree seen from the main one is the main one’s', async () => {
    assert.equal(await path(join(inside, 'src', 'a.ts'), repository.root), join(repository.root, 'src', 'a.ts'));
  });

  test('a file elsewhere stays', async () => {
    assert.equal(await path('/etc/hosts'), '/etc/hosts');
    assert.equal(await path(`${repository.root}-other/a.ts`), `${repository.root}-other/a.ts`);
  });

  test('a file of the main working tree through a link is the same file here', async () => {
    await symlink(repository.root, join(home.root, 'link'));
    assert.equal(await path(join(home.root, 'link', 'src', 'a.ts')), join(inside, 'src', 'a.ts'));
  });

  test('the root is the root', async () => {
    assert.equal(await path('.'), inside);
    assert.equal(await path(repository.root), inside);
  });

  test('that leads out is refused', async () => {
    await refused('../x2/a.ts');
    await refused('src/../../y/a.ts');
  });

  test('that leads out through a link is refused', async () => {
    await symlink(home.root, join(inside, 'out'));
    await refused('out/a.ts');
  });

  test('through a link that stays inside is fine', async () => {
    await mkdir(join(inside, 'real'));
    await symlink('real', join(inside, 'alias'));
    assert.equal(await path('alias/a.ts'), join(inside, 'alias', 'a.ts'));
  });

  test('that only looks like leading out is fine', async () => {
    assert.equal(await path('..a/b'), join(inside, '..a', 'b'));
    assert.equal(await path('src/../a'), join(inside, 'a'));
  });

  test('that is empty is refused', async () => {
    await refused('', 'usage');
  });
});
