import assert from 'node:assert/strict';
import { turnFor } from '../../../src/core/base/turns.ts';

const never = Number.POSITIVE_INFINITY;

describe('turns', () => {
  const { now } = Date;
  afterEach(() => (Date.now = now));

  it('are waited for as long as the patience lasts, however long whoever is before has had theirs', async () => {
    // The first one began a minute ago.
    Date.now = () => now() - 60_000;
    const first = await turnFor('long', 30_000, never);
    Date.now = now;
    const second = turnFor('long', 30_000, never);
    first.end();
    const { late, end } = await second;
    end();
    assert.equal(late, false);
  });

  it('are late without a movement, at the latest moment that was named, and when they are called off', async () => {
    const first = await turnFor('late', 30_000, never);
    const stop = new AbortController();
    const waiting = [
      turnFor('late', 0, never),
      turnFor('late', 30_000, now()),
      turnFor('late', 30_000, never, stop.signal),
      turnFor('late', 30_000, never, AbortSignal.abort()),
    ];
    stop.abort();
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ late }) => late),
      [true, true, true, true],
    );
    // They have left the queue, and ending them moves nothing.
    for (const turn of await Promise.all(waiting)) turn.end();
    const next = turnFor('late', 30_000, never);
    first.end();
    const { late, end } = await next;
    end();
    assert.equal(late, false);
  });

  it('of one thing do not wait for those of another', async () => {
    const [one, other] = [await turnFor('one', 0, never), await turnFor('other', 0, never)];
    assert.deepEqual([one.late, other.late], [false, false]);
    one.end();
    other.end();
  });
});
