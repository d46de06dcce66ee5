import assert from 'node:assert/strict';
import fc from 'fast-check';
import { distinctSlugOf, slugOf } from '../../../src/core/repository/slug.ts';

suite('slugs', () => {
  test('are lower case, with one dash for whatever is no letter or digit', () => {
    assert.equal(slugOf('Build the Login (v2)!'), 'build-the-login-v2');
    assert.equal(slugOf('feature/JIRA-12_x'), 'feature-jira-12-x');
    assert.equal(slugOf('--a--'), 'a');
  });

  test('are at most thirty characters, and end in none that was cut in half', () => {
    assert.equal(slugOf('a'.repeat(40)), 'a'.repeat(30));
    assert.equal(slugOf(`${'a'.repeat(29)} b`), 'a'.repeat(29));
  });

  test('are made of a hash for names without a letter or digit of that kind', () => {
    assert.match(slugOf('日本語'), /^wt-[0-9a-f]{6}$/);
    assert.notEqual(slugOf('日本語'), slugOf('中文'));
  });

  test('of every name fit a folder, and the distinct one differs from name to name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary', minLength: 1 }),
        (one, other) => {
          for (const slug of [slugOf(one), distinctSlugOf(one)])
            assert.match(slug, /^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/);
          if (one !== other) assert.notEqual(distinctSlugOf(one), distinctSlugOf(other));
        },
      ),
    );
  });

  test('of a slug are itself', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), (name) => assert.equal(slugOf(slugOf(name)), slugOf(name))));
  });
});
