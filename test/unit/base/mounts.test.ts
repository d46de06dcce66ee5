import assert from 'node:assert/strict';
import { parseMountTable, parseMounts } from '../../../src/core/base/mounts.ts';

describe('mount points', () => {
  it('are the fifth word of each line, blanks and backslashes restored', () => {
    const text = [
      '22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw',
      '95 28 8:1 /pool /home/ada/two\\040words\\134x rw,relatime - ext4 /dev/sda1 rw',
      '96 28 8:1 /pool /home/ada/Größe\\012x rw - ext4 /dev/sda1 rw',
      '',
    ].join('\n');
    assert.deepEqual(parseMounts(text), ['/sys', '/home/ada/two words\\x', '/home/ada/Größe\nx']);
  });

  it('of macOS stand between the device and its kind', () => {
    const text = [
      '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
      'map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)',
      '/dev/disk4s1 on /Users/ada/shop/.worktrees/one/My on (old) disk (apfs, local, nodev)',
      '',
    ].join('\n');
    assert.deepEqual(parseMountTable(text), [
      '/',
      '/System/Volumes/Data/home',
      '/Users/ada/shop/.worktrees/one/My on (old) disk',
    ]);
    assert.deepEqual(parseMountTable(''), []);
  });

  it('a text of another kind has none', () => {
    assert.deepEqual(parseMounts(''), []);
    assert.deepEqual(parseMounts('something else\n'), []);
  });
});
