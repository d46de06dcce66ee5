import assert from 'node:assert/strict';
import { Pace, durationText } from '../../../src/core/github/pace.ts';
import { fakeClock } from '../../github/support/fakeClock.ts';
import { heard } from '../../support/texts.ts';

describe('the pace of changes on GitHub', () => {
  it('is one a second, and 480 in any hour', async () => {
    const clock = fakeClock();
    const told: string[] = [];
    const pace = new Pace(
      clock,
      heard((text) => told.push(text)),
    );
    const at: number[] = [];
    for (let write = 0; write < 1000; write++) {
      await pace.turn();
      at.push(clock.now());
    }
    for (const [index, time] of at.entries()) {
      if (index > 0) assert.ok(time - (at[index - 1] ?? 0) >= 1000, `write ${index}`);
      assert.ok(at.filter((each) => each > time - 3_600_000 && each <= time).length <= 480, `write ${index}`);
    }
    assert.equal(told.length, 2);
    assert.match(told[0] ?? '', /^Waiting 52 min: GitHub accepts 480 changes an hour/);
  });

  it('tells the time that is left', () => {
    const pace = new Pace(fakeClock());
    assert.deepEqual(
      [0, 1, 120, 480, 481, 1000].map((writes) => durationText(pace.timeFor(writes))),
      ['0 s', '1 s', '2 min', '8 min', '60 min', '2 h'],
    );
  });
});
