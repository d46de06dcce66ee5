import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { reserve } from '../../../src/core/operations/store.ts';
import { Removals } from '../../support/removals.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { heard } from '../../support/texts.ts';

describe('removals at the same time', () => {
  let at: Removals;
  beforeEach(async () => {
    at = await Removals.start();
  });
  afterEach(() => at.dispose());

  it('eight different ones all succeed, and no entry of others is lost', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `w${index}`);
    for (const name of [...names, 'stays']) await at.add(name);
    await Promise.all(
      names.map(async (name) => at.remove(name, { workspace: await testWorkspace(at.home, at.repository.root) })),
    );
    assert.deepEqual(await at.branches(), ['main', 'stays']);
    assert.deepEqual([...(await readRegistry(at.workspace.repository)).worktrees.keys()], ['stays']);
    assert.deepEqual((await readdir(join(at.repository.root, '.worktrees'))).sort(), ['stack.json', 'stays']);
  });

  it('of two of the same one exactly one succeeds, and the other says what is going on', async () => {
    const path = await at.add('one');
    const [first, second] = await Promise.all([at.inspect('one'), at.inspect('one')]);
    const outcomes = await Promise.allSettled([at.act(first), at.act(second)]);
    const failures = outcomes.filter((each) => each.status === 'rejected').map((each) => each.reason as unknown);
    assert.equal(failures.length, 1);
    assert.ok(Problem.is(failures[0]), String(failures[0]));
    assert.match(failures[0].message, /Another operation on "one" is under way|one was not removed/);
    assert.equal(existsSync(path), false);
    assert.deepEqual(await readdir(join(at.repository.root, '.git', 'worktree-stacks', 'operations')), []);
  });

  it('one that is under way elsewhere stops it before anything is touched', async () => {
    const path = await at.add('one');
    const removal = await at.inspect('one');
    const pending = await reserve(at.workspace, 'other', 'one', () => Promise.resolve({}));
    await assert.rejects(at.act(removal), (thrown) => Problem.is(thrown, 'in-use'));
    assert.ok(existsSync(path));
    await pending.close();
    await at.act(removal);
  });

  it('a parent and its child in any order leave the other’s edge right', async () => {
    await at.add('parent', { commits: 1 });
    await at.add('child', { base: 'parent', commits: 1 });
    await at.add('grandchild', { base: 'child', commits: 1 });
    // Both branches are merged, so that they go.
    await at.repository.git('merge', '--quiet', '--no-ff', 'child');
    const [parent, child] = await Promise.all([at.inspect('parent'), at.inspect('child')]);
    await at.act(parent);
    // Looked at while it still stood on the parent: its own children go where it stands now.
    await at.act(child);
    const { worktrees } = await readRegistry(at.workspace.repository);
    assert.deepEqual([...worktrees.keys()], ['grandchild']);
    assert.equal(worktrees.get('grandchild')?.base, 'main');
  });

  it('is called off without a trace', async () => {
    const path = await at.add('one');
    await at.repository.write(join(path, 'new.txt'), 'new\n');
    const removal = await at.inspect('one');
    for (const step of ['Rechecking', 'Backing', 'Removing']) {
      const end = new AbortController();
      const deleted: string[] = [];
      await assert.rejects(
        removeWorktree(at.workspace, removal, {
          force: true,
          signal: end.signal,
          progress: heard((text) => text.startsWith(step) && end.abort()),
          deleteLater: (folder) => deleted.push(folder),
        }),
        (thrown) => Problem.is(thrown, 'cancelled'),
        step,
      );
      assert.deepEqual(deleted, []);
      assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '?? new.txt');
      assert.deepEqual(await readdir(join(at.repository.root, '.git', 'worktree-stacks', 'operations')), []);
    }
  });
});
