import assert from 'node:assert/strict';
import { byPath, parseIndexEntries } from '../../../src/core/git/indexEntries.ts';
import { sidesOf, type Unmerged } from '../../../src/core/git/unmerged.ts';
import { conflictKind } from '../../../src/core/snapshot/conflicts.ts';

const parseUnmerged = (output: string): Unmerged[] => sidesOf(byPath(parseIndexEntries(output)));
const oid = (digit: string): string => digit.repeat(40);
const record = (stage: number, path: string, mode = '100644'): string =>
  `${mode} ${oid(String(stage))} ${stage}\t${path}\0`;

describe('files in conflict', () => {
  it('are told with each side that the index holds', () => {
    const found = parseUnmerged(record(1, 'a b.txt') + record(2, 'a b.txt') + record(3, 'a b.txt', '100755'));
    assert.deepEqual(found, [
      {
        path: 'a b.txt',
        base: { oid: oid('1'), mode: '100644' },
        ours: { oid: oid('2'), mode: '100644' },
        theirs: { oid: oid('3'), mode: '100755' },
      },
    ]);
  });

  it('keep names with tabs and line breaks, and the order of git', () => {
    const found = parseUnmerged(record(2, 'z\t\n') + record(3, 'a'));
    assert.deepEqual(
      found.map(({ path }) => path),
      ['z\t\n', 'a'],
    );
  });

  it('are none in an empty answer', () => {
    assert.deepEqual(parseUnmerged(''), []);
  });

  it('are of the kind that the sides make it', () => {
    const kinds = [[1, 2, 3], [2, 3], [1, 2], [1, 3], [1]].map((stages) => {
      const [file] = parseUnmerged(stages.map((stage) => record(stage, 'f')).join(''));
      return file && conflictKind(file);
    });
    assert.deepEqual(kinds, ['both-changed', 'both-added', 'deleted-by-theirs', 'deleted-by-ours', 'both-deleted']);
  });
});
