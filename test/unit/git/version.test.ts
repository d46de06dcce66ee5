import assert from 'node:assert/strict';
import { textOf } from '../../../src/core/messages/message.ts';
import { isAtLeast, missingIn, oldestGit, parseGitVersion } from '../../../src/core/git/version.ts';

describe('the version of git', () => {
  const cases: [words: string, version: [number, number] | undefined][] = [
    ['git version 2.39.5\n', [2, 39]],
    ['git version 2.39.3 (Apple Git-146)\n', [2, 39]],
    ['git version 2.45.1.windows.1\n', [2, 45]],
    ['git version 2.50.0-rc1\n', [2, 50]],
    ['git version 3.0\n', [3, 0]],
    ['hub version 2.14.2\n', undefined],
    ['', undefined],
  ];
  for (const [words, version] of cases) {
    it(`${JSON.stringify(words)} is ${version?.join('.') ?? 'not known'}`, () => {
      assert.deepEqual(parseGitVersion(words), version);
    });
  }

  it('is compared by numbers', () => {
    assert.ok(isAtLeast([2, 100], [2, 38]));
    assert.ok(isAtLeast([3, 0], [2, 38]));
    assert.ok(isAtLeast([2, 38], [2, 38]));
    assert.ok(!isAtLeast([2, 9], [2, 38]));
    assert.ok(!isAtLeast([1, 99], [2, 38]));
  });

  it('tells what is missing below one that would do it better', () => {
    assert.match(
      missingIn(oldestGit)
        .map((each) => textOf(each))
        .join('\n'),
      /^Below git 2\.39 \(this is 2\.38\) /,
    );
    assert.deepEqual(missingIn([2, 39]), []);
    assert.deepEqual(missingIn([3, 0]), []);
  });
});
