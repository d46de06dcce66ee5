import assert from 'node:assert/strict';
import type { Changes } from '../../../src/core/worktree/model.ts';
import { SnapshotCache } from '../../../src/core/snapshot/snapshotCache.ts';

const changes: Changes = { total: 1, staged: 0, unstaged: 1, untracked: 0, conflicts: 0, submodules: 0 };

suite('what is kept of earlier snapshots', () => {
  test('nothing of a tree that nobody watches', () => {
    const cache = new SnapshotCache();
    cache.reading('/p/x', 'stamp')(changes);
    assert.equal(cache.known('/p/x', 'stamp'), undefined);
  });

  test('a watched tree that nobody touched', () => {
    const cache = new SnapshotCache();
    cache.watch('/p/x');
    cache.reading('/p/x', 'stamp')(changes);
    assert.equal(cache.known('/p/x', 'stamp'), changes);
  });

  test('not when git’s own files have changed', () => {
    const cache = new SnapshotCache();
    cache.watch('/p/x');
    cache.reading('/p/x', 'stamp')(changes);
    assert.equal(cache.known('/p/x', 'other'), undefined);
  });

  test('not after a file in it was touched, and only of the innermost tree', () => {
    const cache = new SnapshotCache();
    for (const root of ['/p', '/p/.worktrees/x', '/p/.worktrees/xy']) {
      cache.watch(root);
      cache.reading(root, 'stamp')(changes);
    }
    cache.invalidate('/p/.worktrees/x/src/a.ts');
    assert.equal(cache.known('/p/.worktrees/x', 'stamp'), undefined);
    assert.equal(cache.known('/p/.worktrees/xy', 'stamp'), changes);
    assert.equal(cache.known('/p', 'stamp'), changes);
  });

  test('nothing after a touch that might be anywhere', () => {
    const cache = new SnapshotCache();
    cache.watch('/p');
    cache.reading('/p', 'stamp')(changes);
    cache.invalidate();
    assert.equal(cache.known('/p', 'stamp'), undefined);
  });

  test('not when it was touched while it was being read', () => {
    const cache = new SnapshotCache();
    cache.watch('/p');
    const keep = cache.reading('/p', 'stamp');
    cache.invalidate('/p/a');
    keep(changes);
    assert.equal(cache.known('/p', 'stamp'), undefined);
  });

  test('nothing once its last watcher has gone, also when another comes', () => {
    const cache = new SnapshotCache();
    const first = cache.watch('/p');
    const second = cache.watch('/p');
    cache.reading('/p', 'stamp')(changes);
    first.dispose();
    first.dispose();
    assert.equal(cache.known('/p', 'stamp'), changes);
    const keep = cache.reading('/p', 'stamp');
    second.dispose();
    cache.watch('/p');
    keep(changes);
    assert.equal(cache.known('/p', 'stamp'), undefined);
  });

  test('that a tree is there not after a folder around it was touched; its status holds', () => {
    const cache = new SnapshotCache();
    for (const root of ['/p', '/p/.worktrees/x', '/p/other']) cache.watch(root);
    cache.reading('/p/.worktrees/x', 'stamp')(changes);
    const before = cache.versions();
    cache.invalidate('/p/.worktrees');
    const same = [...cache.versions()].filter(([root, version]) => before.get(root) === version).map(([root]) => root);
    assert.deepEqual(same, ['/p/other']);
    assert.equal(cache.known('/p/.worktrees/x', 'stamp'), changes);
  });
});
