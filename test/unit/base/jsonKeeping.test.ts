import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonKeeping } from '../../../src/core/base/jsonKeeping.ts';

/** JSON as another program may write it: blanks, and numbers that JavaScript cannot hold. */
const jsonText = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', '  '))
  .map(([value, indent]) =>
    JSON.stringify(value, undefined, indent).replaceAll('true', '12345678901234567890').replaceAll('false', '1.50'),
  );
const never = (): boolean => false;

describe('JSON that keeps what was not changed', () => {
  it('is the text itself where nothing was changed', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const value: unknown = JSON.parse(text);
        assert.equal(jsonKeeping(value, { value, text }, never), text);
      }),
    );
  });

  it('holds each value as it stood where everything around it is made anew, and means what it is to mean', () => {
    fc.assert(
      fc.property(jsonText, fc.jsonValue(), (inner, added) => {
        const text = `{ "a":[ ${inner}, "]," ] , "b": ${inner},"c":{"d":${inner}, "b": 0, "b": 1.0} }`;
        const value = JSON.parse(text) as { a: unknown[]; b: unknown; c: Record<string, unknown> };
        const next = { ...value, a: [...value.a, added], c: { ...value.c, e: added }, added };
        const made = jsonKeeping(next, { value, text }, never);
        assert.deepEqual(JSON.parse(made), JSON.parse(jsonKeeping(next, undefined, never)));
        for (const kept of [`"b": ${inner},`, `"d": ${inner},`, '"b": 1.0,']) assert.ok(made.includes(kept), made);
      }),
    );
  });

  it('finds the element that was changed, and keeps the rest of it', () => {
    const text = '[{"id":1,"n":12345678901234567890},{"id":2,"n":98765432109876543210}]';
    const value = JSON.parse(text) as { id: number }[];
    const isSame = (one: unknown, other: unknown): boolean =>
      (one as { id: number }).id === (other as { id: number }).id;
    const made = jsonKeeping([{ ...value[1], more: 1 }, { id: 3 }], { value, text }, isSame);
    assert.deepEqual(made.replaceAll(/\s/g, ''), '[{"id":2,"n":98765432109876543210,"more":1},{"id":3}]');
  });
});
