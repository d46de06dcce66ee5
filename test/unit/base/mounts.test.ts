import assert from 'node:assert/strict';
import { parseMounts } from '../../../src/core/base/mounts.ts';

suite('mount points', () => {
  test('are the fifth word of each line, blanks and backslashes restored', () => {
    const text = [
      '22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw',
      '95 28 8:1 /pool /home/ada/two\\040words\\134x rw,relatime - ext4 /dev/sda1 rw',
      '96 28 8:1 /pool /home/ada/Größe\\012x rw - ext4 /dev/sda1 rw',
      '',
    ].join('\n');
    assert.deepEqual(parseMounts(text), ['/sys', '/home/ada/two words\\x', '/home/ada/Größe\nx']);
  });

  test('a text of another kind has none', () => {
    assert.deepEqual(parseMounts(''), []);
    assert.deepEqual(parseMounts('something else\n'), []);
  });
});
