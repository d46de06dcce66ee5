import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitStatuses } from '../../../src/core/git/manyStatuses.ts';
import { parseShortStatus, parseStatus } from '../../../src/core/git/status.ts';
import { countChanges } from '../../../src/core/snapshot/changes.ts';

const ids = `${'a'.repeat(40)} ${'b'.repeat(40)}`;
const changed = (code: string, path: string, submodule = 'N...'): string =>
  `1 ${code} ${submodule} 100644 100644 100644 ${ids} ${path}\0`;
const renamed = (code: string, path: string, from: string): string =>
  `2 ${code} N... 100644 100644 100644 ${ids} R100 ${path}\0${from}\0`;
const unmerged = (code: string, path: string): string =>
  `u ${code} N... 100644 100644 100644 100644 ${ids} ${'c'.repeat(40)} ${path}\0`;

suite('git status', () => {
  test('paths keep spaces, quotes and line breaks', () => {
    const { entries } = parseStatus(changed('.M', ' a "b"\nc ') + '? new file \0');
    assert.deepEqual(
      entries.map(({ path }) => path),
      [' a "b"\nc ', 'new file '],
    );
  });

  test('a rename has both names, and what follows it is still read', () => {
    const { entries } = parseStatus(renamed('R.', 'new name', '? old') + '? x\0');
    assert.deepEqual(entries, [
      { kind: 'renamed', code: 'R.', path: 'new name', from: '? old' },
      { kind: 'untracked', code: '??', path: 'x' },
    ]);
  });

  test('the headers tell commit, branch and distance', () => {
    const status = parseStatus(
      '# branch.oid abc\0# branch.head my branch\0# branch.upstream origin/x\0# branch.ab +2 -3\0',
    );
    assert.deepEqual(
      [status.head, status.branch, status.upstream, status.ahead, status.behind],
      ['abc', 'my branch', 'origin/x', 2, 3],
    );
  });

  test('before the first commit there is no head, and detached no branch', () => {
    const status = parseStatus('# branch.oid (initial)\0# branch.head (detached)\0');
    assert.deepEqual([status.head, status.branch, status.ahead], [undefined, undefined, undefined]);
  });

  test('a path counts once in each kind that it is', () => {
    const output =
      changed('MM', 'both') +
      changed('.M', 'unstaged') +
      renamed('R.', 'to', 'from') +
      unmerged('UU', 'conflict') +
      changed('.M', 'sub', 'S.MU') +
      changed('.M', 'moved-sub', 'SC..') +
      '? new\0! ignored\0';
    assert.deepEqual(countChanges(parseStatus(output).entries), {
      total: 7,
      staged: 2,
      unstaged: 4,
      untracked: 1,
      conflicts: 1,
      submodules: 1,
    });
  });

  test('whatever the paths are, they come back as they were', () => {
    const path = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\0'));
    const entry = fc.oneof(
      path.map((each) => ({ output: changed('.M', each), path: each })),
      fc.tuple(path, path).map(([to, from]) => ({ output: renamed('R.', to, from), path: to })),
      path.map((each) => ({ output: unmerged('AA', each), path: each })),
      path.map((each) => ({ output: `? ${each}\0`, path: each })),
    );
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const back = parseStatus(entries.map(({ output }) => output).join('')).entries;
        assert.deepEqual(
          back.map((each) => each.path),
          entries.map((each) => each.path),
        );
      }),
    );
  });

  test('no output whatever makes it fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (output) => {
        assert.ok(Array.isArray(parseStatus(output).entries) && Array.isArray(parseShortStatus(output)));
      }),
    );
  });
});

suite('several statuses in a row', () => {
  const header = (oid: string): string => `# branch.oid ${oid}\0# branch.head x\0`;

  test('are told apart by their headers, not by a file that is called like one', () => {
    const first = `${header('aaa')}${renamed('R.', 'new', '# branch.oid bbb')}? # branch.oid ccc\0`;
    const second = header('ddd');
    const third = `${header('(initial)')}? new\0`;
    assert.deepEqual(splitStatuses(first + second + third), [first, second, third]);
  });

  test('are none in no output', () => {
    assert.deepEqual(splitStatuses(''), []);
  });
});

suite('git status, short format', () => {
  test('a rename names the new path first', () => {
    assert.deepEqual(parseShortStatus('R  to\0from\0 M a b\0?? dir/\0'), [
      { code: 'R ', path: 'to', from: 'from' },
      { code: ' M', path: 'a b' },
      { code: '??', path: 'dir/' },
    ]);
  });
});
