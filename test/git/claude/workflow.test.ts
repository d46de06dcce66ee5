import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../../src/core/base/environment.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { worktreeId } from '../../../src/core/repository/context.ts';
import { advanceLifecycle } from '../../../src/core/repository/lifecycle.ts';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { readStateDirectory } from '../../../src/core/repository/stateDirectory.ts';
import { readWorkflow, updateWorkflow, workflowFile } from '../../../src/core/repository/workflow.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment, testWorkspace } from '../../support/workspace.ts';

describe('the progress of a workflow', () => {
  let home: TestHome;
  let repository: TestRepository;
  let environment: Environment;
  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    environment = testEnvironment(home, repository.root);
  });
  afterEach(() => home.dispose());
  const owner = () => ({ root: repository.root, branch: 'main' });

  it('is at its first step before there is a file, and reading makes none', async () => {
    assert.deepEqual(await readWorkflow(owner()), {
      worktree_id: worktreeId(repository.root),
      feature_branch: 'main',
      current_step: 1,
      steps_completed: [],
      artifacts: {},
      last_updated: null,
      session_id: null,
    });
    await assert.rejects(readFile(workflowFile(repository.root)), { code: 'ENOENT' });
  });

  it('is kept with the id of the worktree, where git does not see it', async () => {
    await updateWorkflow(environment, owner(), {
      step: 1,
      complete: true,
      artifacts: { spec: 'specs/x.md' },
      sessionId: 's1',
    });
    const written = JSON.parse(await readFile(workflowFile(repository.root), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(
      [
        written['worktree_id'],
        written['current_step'],
        written['steps_completed'],
        written['artifacts'],
        written['session_id'],
      ],
      [worktreeId(repository.root), 2, [1], { spec: 'specs/x.md' }, 's1'],
    );
    assert.ok(!Number.isNaN(Date.parse(String(written['last_updated']))));
    assert.equal(
      await readFile(join(repository.root, '.claude-state', '.worktree-id'), 'utf8'),
      `${worktreeId(repository.root)}\n`,
    );
    assert.equal(await repository.git('status', '--porcelain', '--untracked-files=all'), '');
  });

  it('completes the current step unless one is named, and never goes back by that', async () => {
    await updateWorkflow(environment, owner(), { complete: true });
    await updateWorkflow(environment, owner(), { complete: true });
    const progress = await updateWorkflow(environment, owner(), { step: 1, complete: true });
    assert.deepEqual([progress.current_step, progress.steps_completed], [3, [1, 2]]);
    assert.equal((await updateWorkflow(environment, owner(), { step: 1 })).current_step, 1, 'but a person may go back');
  });

  it('drops an artifact whose path is empty, and keeps what others have written', async () => {
    await updateWorkflow(environment, owner(), { artifacts: { a: 'a.md', b: 'b.md' } });
    const file = workflowFile(repository.root);
    await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), theirs: [1] }));
    const progress = await updateWorkflow(environment, owner(), { artifacts: { a: '' } });
    assert.deepEqual([progress.artifacts, progress['theirs']], [{ b: 'b.md' }, [1]]);
  });

  it('loses no report of many at once', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        updateWorkflow(environment, owner(), { step: index + 1, complete: true, artifacts: { [`a${index}`]: 'x' } }),
      ),
    );
    const progress = await readWorkflow(owner());
    assert.deepEqual(
      progress.steps_completed,
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    assert.equal(Object.keys(progress.artifacts).length, 12);
  });

  for (const [text, named] of [
    ['{ "current_step": 2, "steps', /line 1/],
    ['{ "current_step": "two" }', /`current_step` is not a whole number/],
    ['{ "steps_completed": [0] }', /`steps_completed`/],
    ['{ "artifacts": { "a": 1 } }', /`artifacts`/],
  ] as const) {
    it(`is left as it is when it is damaged: ${text}`, async () => {
      await mkdir(join(repository.root, '.claude-state'));
      await writeFile(workflowFile(repository.root), text);
      const damaged = (thrown: unknown): boolean => Problem.is(thrown, 'unreadable-file') && named.test(thrown.message);
      await assert.rejects(readWorkflow(owner()), damaged);
      await assert.rejects(updateWorkflow(environment, owner(), { step: 1 }), damaged);
      assert.equal(await readFile(workflowFile(repository.root), 'utf8'), text);
    });
  }

  it('is not written through a link out of the worktree', async () => {
    await mkdir(join(home.root, 'elsewhere'));
    await symlink(join(home.root, 'elsewhere'), join(repository.root, '.claude-state'));
    await assert.rejects(updateWorkflow(environment, owner(), { step: 1 }), (thrown) =>
      Problem.is(thrown, 'outside-repository'),
    );
  });

  it('knows state that was made for another place', async () => {
    await updateWorkflow(environment, owner(), { step: 1 });
    await writeFile(join(repository.root, '.claude-state', '.worktree-id'), '0123456789ab\n');
    assert.equal((await readStateDirectory(repository.root)).madeFor, '0123456789ab');
    await updateWorkflow(environment, owner(), { step: 2 });
    assert.equal((await readStateDirectory(repository.root)).madeFor, undefined);
  });

  it('moves a worktree on in its life, never back, and only one that is registered', async () => {
    const workspace = await testWorkspace(home, repository.root);
    const entry = { path: '/x', branch: 'x', base: 'main', pr: null };
    await repository.write(
      '.worktrees/stack.json',
      JSON.stringify({ worktrees: { x: { ...entry, lifecycle: 'created' }, y: entry } }),
    );
    const move = (name: string, to: 'created' | 'active' | 'merged') =>
      advanceLifecycle(environment, workspace.repository, name, to);
    assert.deepEqual(
      [await move('x', 'active'), await move('x', 'active'), await move('x', 'merged'), await move('x', 'active')],
      [true, false, true, false],
    );
    assert.deepEqual([await move('y', 'active'), await move('z', 'active')], [true, false]);
    const { worktrees } = await readRegistry(workspace.repository);
    assert.deepEqual([worktrees.get('x')?.lifecycle, worktrees.get('y')?.lifecycle], ['merged', 'active']);
    await rm(join(repository.root, '.worktrees'), { recursive: true });
  });
});
