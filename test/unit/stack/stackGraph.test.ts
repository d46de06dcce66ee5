import assert from 'node:assert/strict';
import { byBranch, StackGraph, worktreeGraph, worktreeRows } from '../../../src/core/stack/graph.ts';
import type { Worktree } from '../../../src/core/worktree/model.ts';
import { randomNumbers } from '../../support/randomStacks.ts';
import { worktreeModel as worktree } from '../../support/worktreeModel.ts';

type Edges = Readonly<Record<string, string | undefined>>;

const graphOf = (edges: Edges): StackGraph<{ branch: string; base: string | undefined }> =>
  new StackGraph(Object.entries(edges).map(([branch, base]) => ({ branch, base })));

const names = (branches: readonly { readonly branch: string }[]): string[] => branches.map(({ branch }) => branch);

const shape = (worktrees: readonly Worktree[]): string[] =>
  worktreeRows(worktrees).map(({ worktree: { name }, depth }) => `${'-'.repeat(depth)}${name}`);

describe('the graph of a stack', () => {
  const forest = graphOf({ d: 'b', b: 'a', c: 'a', a: 'main', x: 'release', y: 'x', lost: undefined });

  it('has each branch after its parent', () => {
    assert.deepEqual([...forest.branches.keys()], ['a', 'x', 'lost', 'b', 'c', 'y', 'd']);
  });

  it('gives parents within it only, and children of any base', () => {
    assert.equal(forest.parent('d')?.branch, 'b');
    assert.deepEqual([forest.parent('a'), forest.parent('lost'), forest.parent('nobody')], Array(3).fill(undefined));
    assert.deepEqual(names(forest.children('main')), ['a']);
    assert.deepEqual(names(forest.children('a')), ['b', 'c']);
    assert.deepEqual(forest.children('d'), []);
  });

  it('gives chains from the bottom, and descendants each after its parent', () => {
    assert.deepEqual(names(forest.chain('d')), ['a', 'b', 'd']);
    assert.deepEqual(forest.chain('main'), []);
    assert.deepEqual(names(forest.descendants('a')), ['b', 'c', 'd']);
    assert.deepEqual(names(forest.descendants('main')), ['a', 'b', 'c', 'd']);
    assert.deepEqual(names(forest.stackOf('b')), ['a', 'b', 'd']);
    assert.deepEqual(forest.stackOf('main'), []);
  });

  it('is drawn with each branch right below its parent', () => {
    const rows = forest.walk('main').map(({ branch, depth }) => `${'-'.repeat(depth)}${branch.branch}`);
    assert.deepEqual(rows, ['a', '-b', '--d', '-c']);
  });

  it('cuts cycles at each of their branches, and what is based on them', () => {
    for (const edges of [
      { a: 'a' },
      { a: 'b', b: 'a' },
      { a: 'c', b: 'a', c: 'b' },
      { a: 'b', b: 'a', hanging: 'a', top: 'hanging' },
    ] as Edges[]) {
      const graph = graphOf({ ...edges, sound: 'main' });
      assert.deepEqual(graph.chain('sound').length, 1);
      assert.equal([...graph.branches.keys()][0], 'sound');
      for (const branch of Object.keys(edges)) {
        assert.ok(graph.isCyclic(branch), branch);
        assert.equal(graph.parent(branch), undefined);
        assert.deepEqual(names(graph.chain(branch)), [branch]);
        assert.deepEqual([graph.children(branch), graph.walk(branch)], [[], []]);
      }
    }
  });

  it('agrees with itself, whatever the bases are', () => {
    const random = randomNumbers(11);
    for (let round = 0; round < 200; round++) {
      const size = 1 + random(9);
      const edges = Object.fromEntries(
        Array.from({ length: size }, (_, index) => [`b${index}`, [`b${random(size)}`, 'main', 'gone'][random(3)]]),
      );
      const graph = graphOf(edges);
      assert.deepEqual([...graph.branches.keys()].sort(), Object.keys(edges).sort());
      const drawn = ['main', 'gone'].flatMap((base) => names(graph.walk(base).map(({ branch }) => branch)));
      const cyclic = Object.keys(edges).filter((branch) => graph.isCyclic(branch));
      assert.deepEqual([...drawn, ...cyclic].sort(), Object.keys(edges).sort());
      for (const branch of drawn) {
        const chain = names(graph.chain(branch));
        assert.equal(chain.at(-1), branch);
        for (const below of chain.slice(0, -1)) assert.ok(names(graph.descendants(below)).includes(branch));
      }
    }
  });
});

describe('the worktrees of a stack', () => {
  it('come each behind the one that it is based on, siblings in their order', () => {
    const worktrees = [
      worktree('main'),
      worktree('c', 'b'),
      worktree('a', 'main'),
      worktree('d', 'main'),
      worktree('b', 'a'),
    ];
    assert.deepEqual(shape(worktrees), ['main', '-a', '--b', '---c', '-d']);
  });

  it('begin at a base without a worktree', () => {
    const worktrees = [worktree('main'), worktree('a', 'release')];
    assert.deepEqual(shape(worktrees), ['main', 'a']);
    assert.deepEqual(
      worktreeGraph({ worktrees })
        .chain('a')
        .map(({ base }) => base),
      ['release'],
    );
  });

  it('come once each, with a detached one, a cycle and a branch that two have', () => {
    const worktrees = [
      worktree('main'),
      worktree('a', 'c'),
      worktree('b', 'a'),
      worktree('c', 'b'),
      worktree('d', 'd'),
      worktree('e', 'main'),
      worktree('f', 'main', { branch: 'e' }),
      worktree('loose', undefined, { branch: undefined }),
    ];
    assert.deepEqual(shape(worktrees), ['main', '-e', '-f', 'a', 'b', 'c', 'd', 'loose']);
  });

  it('are found by branch, the one that was made for it first', () => {
    const entry = { path: '/orchard/a', branch: 'a', base: 'main', pr: null };
    const worktrees = [
      worktree('main-on-a', undefined, { branch: 'a', main: true }),
      worktree('twice', 'main', { branch: 'a' }),
      worktree('a', 'main', { entry }),
      worktree('b', 'a'),
    ];
    assert.deepEqual(
      byBranch(worktrees)
        .get('a')
        ?.map(({ name }) => name),
      ['a', 'twice', 'main-on-a'],
    );
    const graph = worktreeGraph({ worktrees });
    assert.equal(graph.branches.get('a')?.worktree.name, 'a');
    assert.deepEqual(names(graph.children('a')), ['b']);
  });

  it('leave out the trunk, the main working tree and those without a branch', () => {
    const worktrees = [
      worktree('main', undefined, { main: true }),
      worktree('bare', 'main', { bare: true }),
      worktree('loose', undefined, { branch: undefined }),
      worktree('a', 'main'),
    ];
    assert.deepEqual([...worktreeGraph({ worktrees }).branches.keys()], ['a']);
  });

  it('are put in order, two thousand in a row', () => {
    const worktrees = Array.from({ length: 2000 }, (_, index) => worktree(`w${index}`, `w${index - 1}`)).reverse();
    const ordered = worktreeRows(worktrees);
    assert.deepEqual([ordered[0]?.worktree.name, ordered.at(-1)?.depth], ['w0', 1999]);
  });
});
