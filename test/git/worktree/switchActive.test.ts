import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { updateRegistry } from '../../../src/core/repository/registry.ts';
import { readActive, stateFile, type ActiveWorktree } from '../../../src/core/repository/stateFile.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { switchActive } from '../../../src/core/worktree/switchActive.ts';
import { Removals } from '../../support/removals.ts';
import { testWorkspace } from '../../support/workspace.ts';

suite('switching to a worktree', () => {
  let at: Removals;
  setup(async () => {
    at = await Removals.start();
  });
  teardown(() => at.dispose());

  const switchTo = async (word: string, folder = at.repository.root): Promise<ActiveWorktree> => {
    const workspace = await testWorkspace(at.home, folder);
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    return switchActive(workspace, await findWorktree(snapshot, word, folder));
  };

  test('writes where it is and on which branch, and the next snapshot has it active', async () => {
    const path = await at.add('one');
    const active = await switchTo('one');
    assert.deepEqual([active.path, active.branch, active.composeProject], [path, 'one', undefined]);
    assert.deepEqual(await readActive(at.workspace.repository), active);
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    assert.deepEqual(
      snapshot.worktrees.filter((each) => each.active).map((each) => each.name),
      ['one'],
    );
    assert.doesNotMatch(await readFile(stateFile(at.workspace.repository), 'utf8'), /compose_project/);
  });

  test('writes the main root’s file from inside another worktree', async () => {
    await at.add('one');
    const two = await at.add('two');
    await switchTo('one', two);
    assert.equal((await readActive(at.workspace.repository))?.branch, 'one');
  });

  test('keeps the recorded compose project, and gives others the one that the team’s pattern names', async () => {
    await at.repository.write('.worktrees.yml', 'compose: { project_pattern: "{project}_{slug}" }\n');
    await at.add('one');
    await at.add('two', { registered: false });
    await updateRegistry(at.workspace.environment, at.workspace.repository, ({ worktrees }) => {
      const entry = worktrees.get('one');
      if (entry) worktrees.set('one', { ...entry, composeProject: 'recorded' });
    });
    assert.equal((await switchTo('one')).composeProject, 'recorded');
    assert.equal((await switchTo('two')).composeProject, 'project_two');
    assert.equal((await switchTo('@')).composeProject, undefined);
  });

  test('does without a compose project where the pattern needs what the worktree does not have', async () => {
    await at.repository.write('.worktrees.yml', 'compose: { project_pattern: "{project}-{work_id}" }\n');
    await at.add('one', { registered: false });
    assert.equal((await switchTo('one')).composeProject, undefined);
  });

  test('writes no branch for a detached one', async () => {
    const path = await at.add('one');
    await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
    assert.equal((await switchTo('one')).branch, '');
  });

  test('will not lead a session to a folder that is missing', async () => {
    const path = await at.add('one');
    await rm(path, { recursive: true });
    await assert.rejects(
      switchTo('one'),
      (thrown) => Problem.is(thrown, 'not-found') && /wt cleanup one/.test(thrown.next ?? ''),
    );
    assert.equal(await readActive(at.workspace.repository), undefined);
  });

  test('replaces a state file that cannot be read', async () => {
    await at.add('one');
    await at.repository.write('.claude/dev-worktree.local.md', 'broken');
    await switchTo('one');
    assert.equal((await readActive(at.workspace.repository))?.path, join(at.repository.root, '.worktrees', 'one'));
  });
});
