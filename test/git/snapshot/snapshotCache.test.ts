import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { SnapshotCache } from '../../../src/core/snapshot/snapshotCache.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

describe('a snapshot that builds on an earlier one', () => {
  let home: TestHome;
  let repository: TestRepository;
  let workspace: Workspace;
  let cache: SnapshotCache;
  let x: string;
  /** The working trees whose status was not in the cache. */
  let asked: string[];

  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.write('.git/info/exclude', '/.worktrees/\n');
    x = join(repository.root, '.worktrees', 'x');
    await repository.git('worktree', 'add', '-q', x);
    workspace = await testWorkspace(home, repository.root);
    cache = new SnapshotCache();
  });
  afterEach(() => home.dispose());

  /** Takes a snapshot: how many changes each worktree has, and which ones were not served from the cache. */
  const take = async (): Promise<{ totals: Record<string, number | undefined>; asked: string[] }> => {
    asked = [];
    const { worktrees } = await readSnapshot(workspace, { cache, onStatus: (path) => void asked.push(path) });
    const totals = Object.fromEntries(worktrees.map(({ name, changes }) => [name, changes?.total]));
    return { totals, asked: asked.sort() };
  };

  it('asks for every tree that nobody watches', async () => {
    await take();
    await repository.write(join(x, 'new.txt'), 'new\n');
    assert.deepEqual(await take(), { totals: { main: 0, x: 1 }, asked: [repository.root, x] });
  });

  it('asks for nothing when everything is watched and nothing was touched', async () => {
    for (const root of [repository.root, x]) cache.watch(root);
    await repository.write(join(x, 'new.txt'), 'new\n');
    await take();
    assert.deepEqual(await take(), { totals: { main: 0, x: 1 }, asked: [] });
  });

  it('asks for the one tree that was touched', async () => {
    for (const root of [repository.root, x]) cache.watch(root);
    await take();
    await repository.write(join(x, 'new.txt'), 'new\n');
    cache.invalidate(join(x, 'new.txt'));
    assert.deepEqual(await take(), { totals: { main: 0, x: 1 }, asked: [x] });
  });

  it('of many trees does not ask again for those that were watched before their turn came', async () => {
    const roots = [repository.root, x];
    for (let at = 0; at < 32; at++) {
      roots.push(join(repository.root, '.worktrees', `x${at}`));
      await repository.git('worktree', 'add', '-q', roots.at(-1) ?? '');
    }
    const beforeStatuses = (): Promise<void> => {
      for (const root of roots) cache.watch(root);
      return Promise.resolve();
    };
    await readSnapshot(workspace, { cache, beforeStatuses });
    await repository.write(join(x, 'new.txt'), 'new\n');
    cache.invalidate(join(x, 'new.txt'));
    const told: string[] = [];
    const { worktrees } = await readSnapshot(workspace, { cache, onStatus: (path) => void told.push(path) });
    assert.deepEqual(told, [x]);
    assert.equal(worktrees.find(({ path }) => path === x)?.changes?.total, 1);
  });

  describe('of many trees, near by', () => {
    let roots: string[];

    beforeEach(async () => {
      roots = [repository.root, x];
      for (let at = 0; at < 32; at++) {
        roots.push(join(repository.root, '.worktrees', `x${at}`));
        await repository.git('worktree', 'add', '-q', roots.at(-1) ?? '');
      }
      for (const root of roots) cache.watch(root);
      const { environment } = workspace;
      // So much later that the times of all files can be relied on.
      workspace = { ...workspace, environment: { ...environment, now: () => new Date(Date.now() + 60_000) } };
      await readSnapshot(workspace, { cache });
    });

    /** The paths of worktrees that are another than in the snapshot before. */
    const changed = async (act: () => Promise<unknown>): Promise<string[]> => {
      const before = (await readSnapshot(workspace, { cache, near: true })).worktrees;
      await act();
      const { worktrees } = await readSnapshot(workspace, { cache, near: true });
      return worktrees.filter((each, index) => each !== before[index]).map(({ path }) => path);
    };
    const touch = async (root: string): Promise<void> => {
      await repository.write(join(root, 'new.txt'), 'new\n');
      cache.invalidate(join(root, 'new.txt'));
    };

    it('sees what was reported, and keeps the other rows', async () => {
      assert.deepEqual(await changed(() => touch(x)), [x]);
    });

    it('sees what git did in a tree of which something was reported', async () => {
      await touch(x);
      await readSnapshot(workspace, { cache, near: true });
      const act = async (): Promise<void> => {
        await touch(x);
        await repository.gitIn(x, 'switch', '-q', '--detach');
      };
      assert.equal((await changed(act)).includes(x), true);
      const { worktrees } = await readSnapshot(workspace, { cache, near: true });
      assert.equal(worktrees.find(({ path }) => path === x)?.branch, undefined);
    });

    it('sees what is common to all', async () => {
      const [, , other = ''] = roots;
      const act = async (): Promise<void> => {
        await repository.git('worktree', 'remove', other);
        await repository.git('branch', 'one-more');
      };
      await changed(act);
      const { worktrees } = await readSnapshot(workspace, { cache, near: true });
      assert.equal(
        worktrees.some(({ path }) => path === other),
        false,
      );
    });

    it('leaves what nobody reported to the next look at all of them', async () => {
      const [, , other = ''] = roots;
      const stage = async (): Promise<void> => {
        await repository.write(join(other, 'staged.txt'), 'new\n');
        await repository.gitIn(other, 'add', '.');
        await touch(x);
      };
      assert.deepEqual(await changed(stage), [x]);
      const { worktrees } = await readSnapshot(workspace, { cache });
      assert.equal(worktrees.find(({ path }) => path === other)?.changes?.staged, 1);
    });
  });

  it('sees by itself what was staged, committed and ignored', async () => {
    for (const root of [repository.root, x]) cache.watch(root);
    await repository.write(join(x, 'new.txt'), 'new\n');
    await take();
    await repository.gitIn(x, 'add', 'new.txt');
    assert.deepEqual((await take()).asked, [x]);
    await repository.gitIn(x, 'commit', '-q', '-m', 'New');
    assert.deepEqual(await take(), { totals: { main: 0, x: 0 }, asked: [x] });
    await repository.write(join(x, 'other.log'), 'x\n');
    cache.invalidate(x);
    await take();
    await appendFile(join(repository.root, '.git', 'info', 'exclude'), '*.log\n');
    assert.deepEqual(await take(), { totals: { main: 0, x: 0 }, asked: [repository.root, x] });
  });

  it('sees by itself that the branch was moved under the tree', async () => {
    for (const root of [repository.root, x]) cache.watch(root);
    const other = await repository.commit('Other', { 'other.txt': 'o\n' });
    await take();
    await repository.git('update-ref', 'refs/heads/x', other);
    assert.deepEqual(await take(), { totals: { main: 0, x: 1 }, asked: [x] });
  });

  it('always asks for a tree with submodules, whose own files nobody watches', async () => {
    const library = await home.repository('library');
    await repository.git('submodule', '--quiet', 'add', library.root, 'lib');
    await repository.commit('Add the library', {});
    cache.watch(repository.root);
    await take();
    await repository.commit('Inside', {}, join(repository.root, 'lib'));
    assert.equal((await take()).totals['main'], 1);
  });
});
