import assert from 'node:assert/strict';
import { Problem } from '../../../../src/core/base/problem.ts';
import { parseSince } from '../../../../src/core/claude/retro/retrospective.ts';

suite('the time that a retrospective begins at', () => {
  const now = new Date('2026-11-28T12:00:00.000Z');

  for (const [text, expected] of [
    ['90m', '2026-11-28T10:30:00.000Z'],
    ['12h', '2026-11-28T00:00:00.000Z'],
    ['2d', '2026-11-26T12:00:00.000Z'],
    ['1w', '2026-11-21T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:00:00Z', '2026-11-01T08:00:00.000Z'],
  ] as const) {
    test(`is ${expected} for ${text}`, () => assert.equal(parseSince(text, now).toISOString(), expected));
  }

  for (const text of ['', 'yesterday', '2', '2y', '2026-99-99']) {
    test(`is none for ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseSince(text, now),
        (thrown) => Problem.is(thrown, 'usage'),
      );
    });
  }
});
