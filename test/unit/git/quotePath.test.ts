import assert from 'node:assert/strict';
import { quotePath } from '../../../src/core/git/quotePath.ts';

suite('paths as git prints them', () => {
  const cases: [path: string, printed: string][] = [
    ['plain/ü ñ.txt', 'plain/ü ñ.txt'],
    ['tab\there', '"tab\\there"'],
    ['say "hi"', '"say \\"hi\\""'],
    ['back\\slash', '"back\\\\slash"'],
    ['bell\x07 esc\x1b', '"bell\\a esc\\033"'],
  ];
  for (const [path, printed] of cases) {
    test(`${JSON.stringify(path)} is printed as ${printed}`, () => {
      assert.equal(quotePath(path), printed);
    });
  }

  test('the short status quotes a path with a space', () => {
    assert.equal(quotePath('a b', { spaces: true }), '"a b"');
  });
});
