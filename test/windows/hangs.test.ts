import assert from 'node:assert/strict';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { spawnAndWait } from '../cli/support/wt.ts';
import { isWine } from '../support/systems.ts';
import { patience } from '../support/windows/home.ts';

describe('a program that hangs on Windows', () => {
  it('is ended, and named with what it printed and what runs beside it', async () => {
    const code = 'console.log(`got this far`); setInterval(() => {}, 1000)';
    const variables = Object.fromEntries(Object.entries(process.env)) as Record<string, string>;
    let ended: Promise<unknown> | undefined;
    const hangs = spawnAndWait(process.execPath, ['-e', code], tmpdir(), variables, {
      patience: { ...patience, within: 20_000 },
      onStart: (child) => void (ended = once(child, 'close')),
    });
    await assert.rejects(hangs, ({ message }: Error) => {
      assert.match(message, /node.*setInterval.* did not end within 20000 ms/);
      assert.match(message, /^got this far$/m);
      // Each is called as Linux knows it.
      if (isWine) assert.match(message, /Running then:\n(?:.*\n)*\d+: .*node\.exe -e .*setInterval/);
      return true;
    });
    await ended;
  });
});
