import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseRawDiff } from '../../../src/core/git/rawDiff.ts';
import { parseMerges } from '../../../src/core/git/mergePairs.ts';

const raw = (status: string, ...paths: string[]): string =>
  `:100644 100644 aaa bbb ${status}\0${paths.map((path) => `${path}\0`).join('')}`;

suite('git diff --raw --numstat', () => {
  test('a changed file has its lines', () => {
    assert.deepEqual(parseRawDiff(`${raw('M', 'a b')}3\t1\ta b\0`), [
      { status: 'M', path: 'a b', added: 3, deleted: 1 },
    ]);
  });

  test('a rename has where it came from', () => {
    assert.deepEqual(parseRawDiff(`${raw('R090', 'old', 'new')}1\t0\t\0old\0new\0`), [
      { status: 'R', path: 'new', from: 'old', added: 1, deleted: 0 },
    ]);
  });

  test('a binary file has no lines', () => {
    assert.deepEqual(parseRawDiff(`${raw('A', 'x.png')}-\t-\tx.png\0`), [{ status: 'A', path: 'x.png' }]);
  });

  test('a file in conflict is told once', () => {
    assert.deepEqual(parseRawDiff(`${raw('U', 'x')}${raw('M', 'x')}0\t0\tx\0`), [
      { status: 'U', path: 'x', added: 0, deleted: 0 },
    ]);
  });

  test('no output whatever makes it fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (output) => {
        assert.ok(Array.isArray(parseRawDiff(output)) && Array.isArray(parseMerges(output)));
      }),
    );
  });
});

suite('git merge-tree --stdin', () => {
  test('tells the tree of each merge, and the files of those in conflict', () => {
    const output =
      '0\0aaa\x00100644 a1 1\t1\x00100644 a2 2\t1\x00100755 a3 3\t1\x00100644 b2 2\tb c\0\x001\0ccc\0\x000\0ddd\x00100644 d3 3\tx\0\0';
    assert.deepEqual(parseMerges(output), [
      {
        clean: false,
        tree: 'aaa',
        files: ['1', 'b c'],
        versions: new Map([
          ['1', { 1: 'a1', 2: 'a2', 3: 'a3' }],
          ['b c', { 2: 'b2' }],
        ]),
      },
      { clean: true, tree: 'ccc', files: [], versions: new Map() },
      { clean: false, tree: 'ddd', files: ['x'], versions: new Map([['x', { 3: 'd3' }]]) },
    ]);
    assert.deepEqual(parseMerges(''), []);
  });
});
