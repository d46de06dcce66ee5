import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placesOf, type PlacedEntry } from '../../../src/webview/resultLines.ts';

const entry = (id: string, result: string | null, ours: string | null = result): PlacedEntry => ({ id, ours, result });

describe('where entries stand in a result', () => {
  it('each behind the one before, also when they are alike', () => {
    const lines = ['# Title', '- a', '- b', '  more', '- a'];
    assert.deepEqual(
      Object.fromEntries(placesOf(lines, [entry('1', '- a'), entry('2', '- b\n  more'), entry('3', '- a')])),
      {
        1: { start: 1, end: 2, touched: false },
        2: { start: 2, end: 4, touched: false },
        3: { start: 4, end: 5, touched: false },
      },
    );
  });

  it('touched where ours has something else or nothing', () => {
    const places = placesOf(['- a', '- b'], [entry('1', '- a', '- A'), entry('2', '- b', null)]);
    assert.deepEqual(
      [...places.values()].map((place) => place.touched),
      [true, true],
    );
  });

  it('nowhere when they are left out, or stand there in another shape', () => {
    const places = placesOf(['- a', '- c'], [entry('1', null, '- x'), entry('2', '- a\n- b'), entry('3', '- c')]);
    assert.deepEqual([...places.keys()], ['3']);
  });

  it('whatever the line ends of an entry are', () => {
    assert.deepEqual(placesOf(['- a', '  b'], [entry('1', '- a\r\n  b')]).get('1'), {
      start: 0,
      end: 2,
      touched: false,
    });
  });

  it('exactly where they were put, for any entries in any text', () => {
    const line = fc.constantFrom('- a', '- b', '  c', '');
    const block = fc.array(line, { minLength: 1, maxLength: 3 }).filter((all) => all.join('\n') !== '');
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        const places = placesOf(
          blocks.flat(),
          blocks.map((each, index) => entry(String(index), each.join('\n'))),
        );
        let start = 0;
        for (const [index, each] of blocks.entries()) {
          assert.deepEqual(places.get(String(index)), { start, end: start + each.length, touched: false });
          start += each.length;
        }
      }),
    );
  });
});
