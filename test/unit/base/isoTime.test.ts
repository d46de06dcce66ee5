import assert from 'node:assert/strict';
import { isoTime } from '../../../src/core/base/isoTime.ts';

describe('times as text', () => {
  it('every time reads as the language itself writes it', () => {
    const last = Date.parse('9999-12-31T23:59:59.999Z');
    // A step that is no multiple of a day, an hour or a second.
    for (let at = Date.parse('0000-01-01T00:00:00.000Z'); at <= last; at += 86_400_000 * 91.37 + 3_723_457) {
      const time = new Date(Math.floor(at));
      assert.equal(isoTime(time), time.toISOString());
    }
    assert.equal(isoTime(new Date(last)), '9999-12-31T23:59:59.999Z');
  });
});
