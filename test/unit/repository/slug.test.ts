import assert from 'node:assert/strict';
import fc from 'fast-check';
import { distinctSlugOf, slugOf } from '../../../src/core/repository/slug.ts';

describe('slugs', () => {
  it('are lower case, with one dash for whatever is no letter or digit', () => {
    assert.equal(slugOf('Build the Login (v2)!'), 'build-the-login-v2');
    assert.equal(slugOf('feature/JIRA-12_x'), 'feature-jira-12-x');
    assert.equal(slugOf('--a--'), 'a');
  });

  it('are at most thirty characters, and end in none that was cut in half', () => {
    assert.equal(slugOf('a'.repeat(40)), 'a'.repeat(30));
    assert.equal(slugOf(`${'a'.repeat(29)} b`), 'a'.repeat(29));
  });

  it('have Latin letters in ASCII, and keep those of other alphabets', () => {
    for (const [name, slug] of [
      ['Füße', 'fuesse'],
      ['FÜSSE', 'fuesse'],
      ['Fu\u0308ße', 'fuesse'],
      ['Crème brûlée', 'creme-brulee'],
      ['Ærø ŁÓDŹ', 'aeroe-lodz'],
      ['Ｖ２ ﬁx', 'v2-fix'],
      ['日本語', '日本語'],
      ['日本語 v2', '日本語-v2'],
      ['ПРИВЕТ мир', 'привет-мир'],
      ['हिन्दी', 'हिन्दी'],
    ] as const)
      assert.equal(slugOf(name), slug);
  });

  it('are made of a hash for names without a letter or digit', () => {
    assert.match(slugOf('🚀'), /^wt-[0-9a-f]{6}$/);
    assert.notEqual(slugOf('🚀'), slugOf('🐛'));
  });

  it('of every name fit a folder, and the distinct one differs from name to name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary', minLength: 1 }),
        (one, other) => {
          for (const slug of [slugOf(one), distinctSlugOf(one)]) {
            assert.match(slug, /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u);
            assert.ok([...slug].length <= 30, slug);
          }
          if (one !== other) assert.notEqual(distinctSlugOf(one), distinctSlugOf(other));
        },
      ),
    );
  });

  it('of a slug are itself', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), (name) => assert.equal(slugOf(slugOf(name)), slugOf(name))));
  });
});
