import assert from 'node:assert/strict';
import { isoTime } from '../../src/core/base/isoTime.ts';

suite('Times as text', () => {
  test('every time reads as the language itself writes it', () => {
    const first = new Date('0000-01-01T00:00:00.000Z').getTime();
    const last = new Date('9999-12-31T23:59:59.999Z').getTime();
    // A step that is no multiple of a day, an hour or a second.
    for (let time = first; time <= last; time += 86_400_000 * 9.137 + 3_723_457) {
      const whole = Math.floor(time);
      assert.equal(isoTime(whole), new Date(whole).toISOString());
    }
    assert.equal(isoTime(last), '9999-12-31T23:59:59.999Z');
  });

  test('the days around a leap day and the turn of a year are right', () => {
    for (const year of [1, 4, 100, 400, 1600, 1900, 1969, 1970, 2000, 2023, 2024, 2100])
      for (const [month, day] of [
        [1, 28],
        [1, 29],
        [2, 1],
        [11, 31],
        [0, 1],
      ] as const) {
        const time = new Date(0).setUTCFullYear(year, month, day);
        for (const at of [time, time - 1, time + 1]) assert.equal(isoTime(at), new Date(at).toISOString());
      }
  });
});
