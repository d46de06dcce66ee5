import assert from 'node:assert/strict';
import { Lull } from '../../../../src/extension/base/lull.ts';

describe('work that waits until VS Code has got what it asks for', () => {
  /** What happened, in order: work is begun beside questions that come at these moments, in milliseconds. */
  async function orderOf(lull: Lull, work: () => Promise<void>, questions: readonly number[]): Promise<string[]> {
    const order: string[] = [];
    const asked = questions.map(
      (at) =>
        new Promise<void>((resolve) => {
          setTimeout(() => {
            order.push('asked');
            lull.asks();
            resolve();
          }, at);
        }),
    );
    await Promise.all([work().then(() => order.push('work')), ...asked]);
    return order;
  }

  it('comes after a question that was announced, however long that takes', async () => {
    const lull = new Lull();
    lull.expects();
    assert.deepEqual(await orderOf(lull, () => lull.wait(), [700]), ['asked', 'work']);
    lull.expects();
    assert.deepEqual(await orderOf(lull, () => lull.pause(), [700]), ['asked', 'work']);
  });

  it('comes after a question that nobody has announced, where it waits for one', async () => {
    const lull = new Lull();
    assert.deepEqual(await orderOf(lull, () => lull.wait(), [0]), ['asked', 'work']);
  });

  it('does not wait for a question that nobody has announced, where it only goes on', async () => {
    const lull = new Lull();
    assert.deepEqual(await orderOf(lull, () => lull.pause(), [0]), ['work', 'asked']);
  });

  it('is not kept waiting for ever where nobody asks', async () => {
    await new Lull().wait();
    const lull = new Lull();
    lull.expects();
    await Promise.all([lull.wait(), lull.pause()]);
  }).timeout(20_000);
});
