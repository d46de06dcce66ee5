import assert from 'node:assert/strict';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { beganAfter, secondsOf } from '../../../src/core/base/processAge.ts';
import { needsPrograms } from '../../support/skip.ts';

describe('an id that another process may have by now', () => {
  const environment = {
    ...environmentOf(process),
    platform: 'win32' as const,
    now: () => new Date('2026-01-01T12:00:00Z'),
  };
  let pid = 1_000_000;
  const began = (since: string, age: number | undefined, own: Partial<typeof environment> = {}): Promise<boolean> =>
    beganAfter({ ...environment, ...own }, pid++, since, () => Promise.resolve(age));

  it('is that of a process that began after the note was written', async () => {
    assert.equal(await began('2026-01-01T11:00:00Z', 60), true);
    assert.equal(await began('2026-01-01T11:00:00Z', 3600), false);
    assert.equal(await began('2026-01-01T11:00:00Z', 86_400), false);
  });

  it('is taken for the same where the system does not say, or says it only to some seconds', async () => {
    assert.equal(await began('2026-01-01T11:00:00Z', undefined), false);
    assert.equal(await began('2026-01-01T11:59:00Z', 57), false);
    assert.equal(await began('no time', 1), false);
  });

  it('is asked for only where it has lasted, once in a while, and never on Linux', async () => {
    let asked = 0;
    const ask = (): Promise<number> => Promise.resolve(++asked);
    await beganAfter(environment, pid, '2026-01-01T11:59:58Z', ask);
    await beganAfter({ ...environment, platform: 'linux' }, pid, '2026-01-01T11:00:00Z', ask);
    assert.equal(asked, 0);
    for (let turn = 0; turn < 3; turn++)
      assert.equal(await beganAfter(environment, pid, '2026-01-01T11:00:00Z', ask), true);
    assert.equal(asked, 1);
  });

  for (const [text, seconds] of [
    ['75', 75],
    ['   01:15\n', 75],
    ['02:01:15', 7275],
    ['1-02:01:15', 93_675],
    ['', undefined],
    ['ERROR: no process', undefined],
  ] as const) {
    it(`its time is read as the system writes it: ${JSON.stringify(text)}`, () => {
      assert.equal(secondsOf(text), seconds);
    });
  }

  it('is asked of a system that has ps', async function () {
    needsPrograms(this, 'ps');
    const mac = { ...environmentOf(process), platform: 'darwin' as const };
    assert.equal(await beganAfter(mac, process.pid, '2001-01-01T00:00:00Z'), true);
  });
});
