import assert from 'node:assert/strict';
import { chainTo, dependentsOf, stackOrder } from '../../src/cli/stackOrder.ts';
import type { Worktree } from '../../src/core/worktree/model.ts';

function worktree(name: string, base?: string, more: Partial<Worktree> = {}): Worktree {
  return {
    name,
    slug: name,
    id: name,
    path: `/orchard/${name}`,
    main: false,
    bare: false,
    branch: name,
    head: 'a'.repeat(40),
    base: base === undefined ? undefined : { branch: base, recorded: true, exists: true, distance: undefined },
    upstream: undefined,
    changes: undefined,
    operation: undefined,
    condition: 'fine',
    staleLink: false,
    lockReason: undefined,
    active: false,
    sharesBranchWith: [],
    lastCommit: undefined,
    gitDir: undefined,
    entry: undefined,
    trouble: undefined,
    ...more,
  };
}

const shape = (worktrees: readonly Worktree[]): string[] =>
  stackOrder(worktrees).map(({ worktree: { name }, depth }) => `${'-'.repeat(depth)}${name}`);

describe('the order of a stack', () => {
  it('puts each worktree behind the one that it stands on, siblings as they come', () => {
    const worktrees = [
      worktree('main'),
      worktree('c', 'b'),
      worktree('a', 'main'),
      worktree('d', 'main'),
      worktree('b', 'a'),
    ];
    assert.deepEqual(shape(worktrees), ['main', '-a', '--b', '---c', '-d']);
  });

  it('takes a base without a worktree for the bottom', () => {
    const worktrees = [worktree('main'), worktree('a', 'release')];
    assert.deepEqual(shape(worktrees), ['main', 'a']);
    assert.deepEqual(chainTo(worktrees, worktrees[1] as Worktree), ['release', 'a']);
  });

  it('shows every worktree once even if the bases make a ring', () => {
    const worktrees = [
      worktree('main'),
      worktree('a', 'c'),
      worktree('b', 'a'),
      worktree('c', 'b'),
      worktree('d', 'd'),
    ];
    assert.deepEqual(shape(worktrees).sort(), ['--c', '-b', 'a', 'd', 'main']);
    assert.deepEqual(chainTo(worktrees, worktrees[3] as Worktree), ['a', 'b', 'c']);
  });

  it('stands on the worktree that was made for a branch, where it is checked out twice', () => {
    const entry = { path: '/orchard/a', branch: 'a', base: 'main', pr: null };
    const worktrees = [
      worktree('twice', 'main', { branch: 'a' }),
      worktree('a', 'main', { entry }),
      worktree('b', 'a'),
    ];
    assert.deepEqual(
      dependentsOf(worktrees, worktrees[1] as Worktree).map(({ name }) => name),
      ['b'],
    );
    assert.deepEqual(dependentsOf(worktrees, worktrees[0] as Worktree), []);
  });

  it('orders two thousand in a row', () => {
    const worktrees = Array.from({ length: 2000 }, (_, index) => worktree(`w${index}`, `w${index - 1}`)).reverse();
    const ordered = stackOrder(worktrees);
    assert.deepEqual([ordered[0]?.worktree.name, ordered.at(-1)?.depth], ['w0', 1999]);
  });
});
