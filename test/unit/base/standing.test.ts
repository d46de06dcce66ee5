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
});
