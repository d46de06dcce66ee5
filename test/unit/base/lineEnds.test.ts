import assert from 'node:assert/strict';
import fc from 'fast-check';
import { writtenLike } from '../../../src/core/base/lineEnds.ts';

describe('a text in the place of another one', () => {
  it('has line ends of Windows where all of that one were such, and its byte order mark', () => {
    assert.equal(writtenLike('a\r\nb', 'c\nd\r\n'), 'c\r\nd\r\n');
    assert.equal(writtenLike('\uFEFFa\n', 'c\n'), '\uFEFFc\n');
    assert.equal(writtenLike('\uFEFFa\r\n', '\uFEFFc\n'), '\uFEFFc\r\n');
  });

  it('stays as it is where that one was not there, had other ends, none, or both', () => {
    for (const before of [undefined, '', 'a', 'a\n', 'a\r\nb\n', '\na\r\n'])
      for (const text of ['c\nd\n', 'c\r\nd\n']) assert.equal(writtenLike(before, text), text);
  });

  it('says the same, and is settled', () => {
    const text = fc.array(fc.constantFrom('a', '\n', '\r\n', '\r', '\uFEFF')).map((parts) => parts.join(''));
    const plain = (written: string): string => written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
    fc.assert(
      fc.property(text, text, (before, next) => {
        const written = writtenLike(before, next);
        assert.equal(plain(written), plain(next));
        assert.equal(writtenLike(before, written), written);
      }),
    );
  });
});
