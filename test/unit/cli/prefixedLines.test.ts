import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PrefixedLines } from '../../../src/cli/prefixedLines.ts';

/** What comes out for the pieces of an output. */
function prefixed(pieces: readonly (string | Buffer)[]): string {
  const lines = new PrefixedLines('a | ');
  return Buffer.concat([...pieces.map((piece) => lines.push(Buffer.from(piece))), lines.rest()]).toString('utf8');
}

describe('output with a prefix before each line', () => {
  it('is the same however it comes in pieces, and only whole lines are given away', () => {
    const text = fc
      .array(fc.constantFrom('x', 'é', '🔀', '\n', '\r\n', ' '), { maxLength: 40 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 6 }), (whole, cuts) => {
        const bytes = Buffer.from(whole);
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        const expected = whole.split('\n').map((line) => `a | ${line}\n`);
        if (whole.endsWith('\n') || whole === '') expected.pop();
        assert.equal(prefixed(pieces), expected.join(''));
        const lines = new PrefixedLines('a | ');
        for (const piece of pieces) assert.match(lines.push(piece).toString('utf8'), /^$|\n$/);
      }),
    );
  });

  it('holds no more than a long line back: that is broken, between two characters', () => {
    const lines = new PrefixedLines('a | ');
    const broken: string[] = [];
    for (let at = 0; at < 200; at++) broken.push(lines.push(Buffer.from('é'.repeat(1001))).toString('utf8'));
    broken.push(lines.push(Buffer.from('\nnext\n')).toString('utf8'));
    const all = broken.join('').trimEnd().split('\n');
    assert.ok(all.length > 5 && all.length < 12);
    assert.ok(all.every((line) => line.startsWith('a | ') && Buffer.byteLength(line) <= 64 * 1024 + 4));
    assert.equal(
      all
        .slice(0, -1)
        .map((line) => line.slice(4))
        .join(''),
      'é'.repeat(200_200),
    );
    assert.equal(all.at(-1), 'a | next');
    assert.equal(lines.rest().length, 0);
  });
});
