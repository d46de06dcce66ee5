import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { debounce } from '../../../../src/extension/base/debounce.ts';

describe('a call that waits for quiet', () => {
  let runs = 0;
  let now = 0;

  beforeEach(() => {
    runs = 0;
    now = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  function pass(milliseconds: number): void {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  }

  it('runs once for many requests in a row', () => {
    const call = debounce(() => runs++, 100, 1000);
    for (let index = 0; index < 5; index++) {
      call();
      pass(50);
    }
    assert.equal(runs, 0);
    pass(100);
    assert.equal(runs, 1);
  });

  it('runs in time although the requests never pause', () => {
    const call = debounce(() => runs++, 100, 1000);
    for (let time = 0; time < 3000; time += 50) {
      call();
      pass(50);
    }
    assert.equal(runs, 3);
  });

  it('does not run after it was let go', () => {
    const call = debounce(() => runs++, 100, 1000);
    call();
    call.dispose();
    pass(2000);
    assert.equal(runs, 0);
  });
});
