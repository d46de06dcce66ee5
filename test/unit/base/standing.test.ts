import assert from 'node:assert/strict';
import { parseStanding } from '../../../src/core/base/standing.ts';

describe('where processes stand', () => {
  it('is read of the fields that lsof prints for each', () => {
    const text = [
      ...['p1', 'claunchd', 'fcwd', 'n/'],
      ...['p812', 'cpath finder', 'fcwd', 'n/private/tmp/shop/.worktrees/p9 n'],
      // Another user's.
      ...['p813', 'croot', 'fcwd', 'nunknown (Permission denied)'],
      ...['p814', 'czsh', 'fcwd', 'n/Users/ada/Größe'],
      '',
    ].join('\n');
    assert.deepEqual(parseStanding(text), [
      { pid: 1, folder: '/', name: 'launchd' },
      { pid: 812, folder: '/private/tmp/shop/.worktrees/p9 n', name: 'path finder' },
      { pid: 814, folder: '/Users/ada/Größe', name: 'zsh' },
    ]);
    assert.deepEqual(parseStanding(''), []);
  });

  it('is the folder itself, also where lsof writes some of its characters in another way', () => {
    const folders = {
      'n/Users/ada/Gr\\xc3\\xb6\\xc3\\x9fe': '/Users/ada/Größe',
      'n/tmp/\\xf0\\x9f\\x8c\\xb3/src': '/tmp/🌳/src',
      'n/tmp/back\\\\slash': '/tmp/back\\slash',
      'n/tmp/\\\\xc3': '/tmp/\\xc3',
      'n/tmp/two\\nlines\\tand a tab': '/tmp/two\nlines\tand a tab',
    };
    const text = Object.keys(folders).map((written) => `p7\nczsh\nfcwd\n${written}\n`);
    assert.deepEqual(
      parseStanding(text.join('')).map(({ folder }) => folder),
      Object.values(folders),
    );
  });
});
