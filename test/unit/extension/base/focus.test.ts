import assert from 'node:assert/strict';
import { onFocus } from '../../../../src/extension/base/focus.ts';

describe('a window gets the focus', () => {
  const resting = { focused: true, active: false };
  const back = { focused: true, active: true };
  const left = { focused: false, active: true };
  const away = { focused: false, active: false };

  for (const [name, focused, states, times] of [
    ['not when the person rests and goes on', true, [resting, back, resting, back], 0],
    ['when the person comes back from elsewhere, however long that was', true, [left, back, left, away, back], 2],
    ['once, whatever is told of it then', false, [back, back, resting], 1],
    ['not when it loses the focus', true, [left, away], 0],
  ] as const) {
    it(name, () => {
      let got = 0;
      const tell = onFocus(focused, () => got++);
      for (const state of states) tell(state);
      assert.equal(got, times);
    });
  }
});
