import assert from 'node:assert/strict';
import { byteSizeWords, parseByteSize } from '../../../src/core/base/byteSize.ts';

suite('sizes in bytes', () => {
  test('are read as people write them', () => {
    const sizes: [string | number, number | undefined][] = [
      ['20MB', 20_000_000],
      ['512 KiB', 524_288],
      ['1.5 gb', 1_500_000_000],
      ['12', 12],
      ['7 B', 7],
      [0, 0],
      [300, 300],
      [-1, undefined],
      ['', undefined],
      ['MB', undefined],
      ['20 MBit', undefined],
      ['1e6', undefined],
    ];
    for (const [written, bytes] of sizes) assert.equal(parseByteSize(written), bytes, String(written));
  });

  test('are told in few digits', () => {
    const words = [0, 1, 999, 1000, 9_949, 99_600, 999_499, 999_500, 20_000_000, 1_234_000_000].map(byteSizeWords);
    const told = [
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.0 kB',
      '9.9 kB',
      '100 kB',
      '999 kB',
      '1.0 MB',
      '20 MB',
      '1.2 GB',
    ];
    assert.deepEqual(words, told);
  });
});
