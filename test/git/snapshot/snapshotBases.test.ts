import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot, Worktree } from '../../../src/core/worktree/model.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

suite('what the branches of worktrees stand on', () => {
  let home: TestHome;
  let repository: TestRepository;

  setup(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  teardown(() => home.dispose());

  const snapshot = async (): Promise<Snapshot> =>
    readSnapshot(await testWorkspace(home, repository.root), { withChanges: false });
  const worktree = async (name: string): Promise<Worktree> => {
    const { worktrees } = await snapshot();
    const found = worktrees.find((each) => each.name === name);
    assert.ok(found, `no ${name} among ${worktrees.map((each) => each.name).join(', ')}`);
    return found;
  };
  const add = async (name: string, start = 'HEAD'): Promise<string> => {
    const root = join(home.root, 'w', name);
    await repository.git('worktree', 'add', '-q', '--no-track', '-b', name, root, start);
    return root;
  };
  const record = async (entries: Record<string, { branch?: string; base: string }>): Promise<void> => {
    const worktrees = Object.fromEntries(
      Object.entries(entries).map(([name, { branch = name, base }]) => [
        name,
        { path: join(home.root, 'w', name), branch, base, pr: null },
      ]),
    );
    await repository.write('.worktrees/stack.json', JSON.stringify({ version: 1, revision: 1, worktrees }));
  };
  /** A clone's state after `git push -u` and `git fetch`. */
  const addRemote = async (): Promise<void> => {
    await repository.git('clone', '-q', '--bare', repository.root, join(home.root, 'origin.git'));
    await repository.git('remote', 'add', 'origin', join(home.root, 'origin.git'));
    await repository.git('fetch', '-q', 'origin');
  };

  suite('trunk', () => {
    test('is the configured branch, whether there is one or not', async () => {
      await repository.write('.worktrees.yml', 'stack: { trunk: develop }\n');
      assert.equal((await snapshot()).trunk, 'develop');
    });

    test('is the default branch of the remote', async () => {
      await repository.git('branch', 'release/1');
      await addRemote();
      await repository.git('remote', 'set-head', 'origin', 'release/1');
      assert.equal((await snapshot()).trunk, 'release/1');
    });

    test('is the default branch of the configured remote', async () => {
      await repository.git('branch', 'theirs');
      await addRemote();
      await repository.git('remote', 'rename', 'origin', 'upstream');
      await repository.git('remote', 'set-head', 'upstream', 'theirs');
      assert.equal((await snapshot()).trunk, 'main');
      await repository.write('.worktrees.yml', 'stack: { remote: upstream }\n');
      assert.equal((await snapshot()).trunk, 'theirs');
    });

    test('is the branch that git begins repositories with, where there is one', async () => {
      await repository.git('config', 'init.defaultBranch', 'stem');
      assert.equal((await snapshot()).trunk, 'main');
      await repository.git('branch', 'stem');
      assert.equal((await snapshot()).trunk, 'stem');
    });

    test('is master where there is no main', async () => {
      await repository.git('branch', '-m', 'master');
      await repository.git('switch', '-q', '-c', 'other');
      assert.equal((await snapshot()).trunk, 'master');
    });

    test('is what the main working tree has checked out, when nothing else tells', async () => {
      await repository.git('branch', '-m', 'only');
      assert.equal((await snapshot()).trunk, 'only');
    });
  });

  suite('the base', () => {
    test('is trunk when none is recorded', async () => {
      await add('x');
      await repository.commit('On trunk', {});
      const { base } = await worktree('x');
      assert.deepEqual(base, { branch: 'main', recorded: false, exists: true, distance: { ahead: 0, behind: 1 } });
    });

    test('is the recorded one', async () => {
      const parent = await add('parent');
      await repository.commit('Parent 1', {}, parent);
      const child = await add('child', 'parent');
      await repository.commit('Child 1', {}, child);
      await repository.commit('Child 2', {}, child);
      await repository.commit('Parent 2', {}, parent);
      await record({ child: { base: 'parent' } });
      assert.deepEqual((await worktree('child')).base, {
        branch: 'parent',
        recorded: true,
        exists: true,
        distance: { ahead: 2, behind: 1 },
      });
    });

    test('that is gone is told as gone', async () => {
      await add('x');
      await record({ x: { base: 'merged-long-ago' } });
      assert.deepEqual((await worktree('x')).base, {
        branch: 'merged-long-ago',
        recorded: true,
        exists: false,
        distance: undefined,
      });
    });

    test('that is only on the remote exists', async () => {
      await addRemote();
      await repository.git('push', '-q', 'origin', 'HEAD:refs/heads/far');
      await add('x');
      await record({ x: { base: 'far' } });
      assert.deepEqual((await worktree('x')).base, {
        branch: 'far',
        recorded: true,
        exists: true,
        distance: { ahead: 0, behind: 0 },
      });
    });

    test('stays with a branch that was renamed', async () => {
      await add('parent');
      await add('x');
      await record({ x: { base: 'parent' } });
      await repository.git('branch', '-m', 'x', 'y');
      assert.equal((await worktree('x')).base?.branch, 'parent');
    });

    test('is that of the branch which is checked out now', async () => {
      await add('parent');
      const root = await add('x');
      await record({ x: { base: 'parent' } });
      await repository.gitIn(root, 'switch', '-q', '-c', 'other');
      assert.deepEqual((await worktree('x')).base?.branch, 'main');
    });

    test('is none for trunk and for the main working tree', async () => {
      await repository.git('switch', '-q', '-c', 'elsewhere');
      await repository.git('worktree', 'add', '-q', join(home.root, 'w', 'main'), 'main');
      assert.equal((await worktree('main')).base, undefined);
      assert.equal((await worktree('elsewhere')).base, undefined);
    });

    test('trunk that is behind what was fetched is the fetched one', async () => {
      await addRemote();
      const root = await add('x');
      await repository.commit('Mine', {}, root);
      await repository.commit('Theirs', {});
      await repository.git('push', '-q', 'origin', 'main');
      await repository.git('fetch', '-q');
      await repository.git('reset', '-q', '--hard', 'HEAD~1');
      assert.deepEqual((await worktree('x')).base?.distance, { ahead: 1, behind: 1 });
    });

    test('trunk that is ahead of what was pushed is the local one', async () => {
      await addRemote();
      await repository.commit('Not pushed yet', {});
      const root = await add('x');
      await repository.commit('Mine', {}, root);
      assert.deepEqual((await worktree('x')).base?.distance, { ahead: 1, behind: 0 });
    });

    test('without a common commit is at a distance all the same', async () => {
      await repository.git('worktree', 'add', '-q', '--detach', join(home.root, 'w', 'pages'));
      await repository.gitIn(join(home.root, 'w', 'pages'), 'switch', '-q', '--orphan', 'pages');
      await repository.commit('Pages', {}, join(home.root, 'w', 'pages'));
      await repository.commit('Second', {});
      assert.deepEqual((await worktree('pages')).base?.distance, { ahead: 1, behind: 2 });
    });
  });

  suite('the upstream', () => {
    test('is told with its distance', async () => {
      await addRemote();
      await repository.git('push', '-q', '--set-upstream', 'origin', 'main');
      await repository.commit('One', {});
      await repository.commit('Two', {});
      assert.deepEqual((await worktree('main')).upstream, {
        name: 'origin/main',
        gone: false,
        distance: { ahead: 2, behind: 0 },
      });
    });

    test('that was deleted is gone', async () => {
      await addRemote();
      await add('x');
      await repository.git('push', '-q', '--set-upstream', 'origin', 'x');
      await repository.git('push', '-q', 'origin', '--delete', 'x');
      assert.deepEqual((await worktree('x')).upstream, { name: 'origin/x', gone: true, distance: undefined });
    });

    test('may be a local branch', async () => {
      await add('x');
      await repository.git('branch', '-q', '--set-upstream-to=main', 'x');
      assert.deepEqual((await worktree('x')).upstream, {
        name: 'main',
        gone: false,
        distance: { ahead: 0, behind: 0 },
      });
    });
  });

  suite('an operation under way', () => {
    /** A branch whose commit conflicts with main's. */
    const conflicting = async (): Promise<string> => {
      const root = await add('x');
      await repository.commit('Mine', { 'a.txt': 'mine\n' }, root);
      await repository.commit('More of mine', { 'b.txt': 'mine\n' }, root);
      await repository.commit('Theirs', { 'a.txt': 'theirs\n' });
      return root;
    };
    const fails = (run: Promise<string>): Promise<void> => assert.rejects(run);

    test('a rebase keeps the branch, its base and its distance', async () => {
      const root = await conflicting();
      await fails(repository.gitIn(root, 'rebase', 'main'));
      const found = await worktree('x');
      assert.deepEqual([found.operation, found.branch, found.name], ['rebase', 'x', 'x']);
      assert.deepEqual(found.base?.distance, { ahead: 2, behind: 1 });
    });

    test('a rebase with the older backend', async () => {
      const root = await conflicting();
      await fails(repository.gitIn(root, 'rebase', '--apply', 'main'));
      const found = await worktree('x');
      assert.deepEqual([found.operation, found.branch], ['rebase', 'x']);
    });

    test('patches being applied', async () => {
      const root = await conflicting();
      const patch = join(home.root, 'mine.patch');
      await repository.write(patch, `${await repository.git('format-patch', '--stdout', '-1', 'x~1')}\n`);
      await repository.gitIn(root, 'checkout', '-q', '-B', 'x', 'main');
      await fails(repository.gitIn(root, 'am', '--3way', patch));
      const found = await worktree('x');
      assert.deepEqual([found.operation, found.branch], ['am', 'x']);
    });

    for (const operation of ['merge', 'cherry-pick'] as const) {
      test(`a ${operation}`, async () => {
        const root = await conflicting();
        await fails(repository.gitIn(root, operation, 'main'));
        const found = await worktree('x');
        assert.deepEqual([found.operation, found.branch], [operation, 'x']);
      });
    }

    test('a revert', async () => {
      const root = await conflicting();
      await repository.commit('Mine again', { 'a.txt': 'again\n' }, root);
      await fails(repository.gitIn(root, 'revert', '--no-edit', 'HEAD~2'));
      assert.equal((await worktree('x')).operation, 'revert');
    });

    test('a series of cherry-picks between two of its commits', async () => {
      const root = await conflicting();
      await repository.gitIn(root, 'checkout', '-q', '-B', 'x', 'main');
      const tip = await repository.commit('Elsewhere', { 'a.txt': 'elsewhere\n' });
      const last = await repository.commit('Last', { 'c.txt': 'c\n' });
      await repository.commit('Different', { 'a.txt': 'different\n' }, root);
      await fails(repository.gitIn(root, 'cherry-pick', tip, last));
      await repository.write(join(root, 'a.txt'), 'solved\n');
      await repository.gitIn(root, 'commit', '-q', '--all', '--message', 'Solved');
      await assert.rejects(repository.gitIn(root, 'rev-parse', '--verify', 'CHERRY_PICK_HEAD'));
      assert.equal((await worktree('x')).operation, 'cherry-pick');
    });

    test('a bisection keeps the branch', async () => {
      const root = await conflicting();
      await repository.gitIn(root, 'bisect', 'start', 'HEAD', 'HEAD~2');
      const found = await worktree('x');
      assert.deepEqual([found.operation, found.branch], ['bisect', 'x']);
    });

    test('in the main working tree', async () => {
      await conflicting();
      await fails(repository.git('merge', 'x'));
      assert.equal((await worktree('main')).operation, 'merge');
    });

    test('that was ended is no more', async () => {
      const root = await conflicting();
      await fails(repository.gitIn(root, 'rebase', 'main'));
      await repository.gitIn(root, 'rebase', '--abort');
      assert.equal((await worktree('x')).operation, undefined);
    });
  });

  test('a branch whose commit is lost does not take the others’ distances with it', async () => {
    const x = await add('x');
    await add('y');
    const lost = await repository.commit('Lost', {}, x);
    await repository.commit('On trunk', {});
    await rm(join(repository.root, '.git', 'objects', lost.slice(0, 2), lost.slice(2)));
    const { worktrees } = await snapshot();
    const distances = worktrees.map(({ name, base }) => [name, base?.distance]);
    assert.deepEqual(distances, [
      ['main', undefined],
      ['x', undefined],
      ['y', { ahead: 0, behind: 1 }],
    ]);
  });
});
