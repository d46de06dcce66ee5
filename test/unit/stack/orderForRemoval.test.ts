import assert from 'node:assert/strict';
import { sep } from 'node:path';
import type { Worktree } from '../../../src/core/worktree/model.ts';
import { orderForRemoval } from '../../../src/core/stack/removalOrder.ts';
import { worktreeModel } from '../../support/worktreeModel.ts';

const at = (path: string): string => path.replaceAll('/', sep);

const worktree = (name: string, base: string | undefined, path = `/r/.worktrees/${name}`): Worktree =>
  worktreeModel(name, base, { path: at(path) });

suite('the order of removals', () => {
  const order = (...worktrees: Worktree[]): string[] => orderForRemoval(worktrees).map((each) => each.name);

  test('those that stand on others go first, all the way up', () => {
    assert.deepEqual(order(worktree('a', 'main'), worktree('b', 'a'), worktree('c', 'b')), ['c', 'b', 'a']);
    assert.deepEqual(order(worktree('c', 'b'), worktree('b', 'a'), worktree('a', 'main')), ['c', 'b', 'a']);
  });

  test('those that do not stand on each other stay in their order', () => {
    assert.deepEqual(order(worktree('b', 'main'), worktree('a', 'main'), worktree('c', undefined)), ['b', 'a', 'c']);
  });

  test('one that lies inside another goes before it, even if that stands on it', () => {
    const outer = worktree('outer', 'inner', '/r/.worktrees/outer');
    const inner = worktree('inner', 'main', '/r/.worktrees/outer/.worktrees/inner');
    assert.deepEqual(order(outer, inner), ['inner', 'outer']);
  });

  test('one whose path only begins like that of another is not inside it', () => {
    const one = worktree('one', 'main', '/r/.worktrees/one');
    const longer = worktree('one-more', 'main', '/r/.worktrees/one-more');
    assert.deepEqual(order(one, longer), ['one', 'one-more']);
  });

  test('bases that go round in a circle end somewhere', () => {
    assert.deepEqual(order(worktree('a', 'b'), worktree('b', 'a'), worktree('c', 'c')).sort(), ['a', 'b', 'c']);
  });

  test('a stack of two thousand is put in order', () => {
    const all = Array.from({ length: 2000 }, (_, index) =>
      worktree(`w${index}`, index === 0 ? 'main' : `w${index - 1}`),
    );
    assert.deepEqual(orderForRemoval(all), all.toReversed());
  });
});
