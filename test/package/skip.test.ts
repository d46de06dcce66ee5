import assert from 'node:assert/strict';
import Mocha from 'mocha';
import { skipBecause } from '../support/skip.ts';

/** The titles of the tests that a suite skips, as a lane prints and counts them. */
async function skippedOf(define: (suite: Mocha.Suite, inner: Mocha.Suite) => void): Promise<string[]> {
  const titles: string[] = [];
  class Listener {
    constructor(runner: Mocha.Runner) {
      runner.on('pending', ({ title }) => titles.push(title));
    }
  }
  const mocha = new Mocha({ reporter: Listener as unknown as Mocha.ReporterConstructor });
  const suite = Mocha.Suite.create(mocha.suite, 'outer');
  define(suite, Mocha.Suite.create(suite, 'inner'));
  assert.equal(await new Promise<number>((resolve) => mocha.run(resolve)), 0, 'failed');
  return titles;
}

describe('a skip says why in the title of each test that it skips', () => {
  const skip = function (this: Mocha.Context): void {
    skipBecause(this, 'no reason');
  };
  const add = (suite: Mocha.Suite, title: string, test: Mocha.Func = () => undefined): unknown =>
    suite.addTest(new Mocha.Test(title, test));

  it('in the test itself, also after it has waited', async () => {
    const skipped = await skippedOf((suite) => {
      add(suite, 'one', skip);
      add(suite, 'two', async function () {
        await Promise.resolve();
        skipBecause(this, 'not now');
      } as Mocha.Func);
      add(suite, 'three');
    });
    assert.deepEqual(skipped, ['one (skipped: no reason)', 'two (skipped: not now)']);
  });

  it('before all tests of a suite, those of the suites in it too', async () => {
    const skipped = await skippedOf((suite, inner) => {
      suite.beforeAll(skip);
      for (const title of ['one', 'two']) add(suite, title);
      add(inner, 'deep');
    });
    assert.deepEqual(
      skipped,
      ['one', 'two', 'deep'].map((title) => `${title} (skipped: no reason)`),
    );
  });

  it('before each test', async () => {
    const skipped = await skippedOf((suite) => {
      suite.beforeEach(skip);
      for (const title of ['one', 'two']) add(suite, title);
    });
    assert.deepEqual(
      skipped,
      ['one', 'two'].map((title) => `${title} (skipped: no reason)`),
    );
  });
});
