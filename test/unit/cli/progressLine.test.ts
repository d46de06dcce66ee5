import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { ProgressLine } from '../../../src/cli/progressLine.ts';
import { coloursFor } from '../../../src/cli/colour.ts';

suite('the line that names what is waited for', () => {
  test('leaves the terminal to whoever asks for something, until the next step', async () => {
    const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 80 });
    const seen: string[] = [];
    const drawn = (words: string): Promise<void> =>
      new Promise((resolve) =>
        stream.on('data', (text: string) => {
          seen.push(text);
          if (text.includes(words)) resolve();
        }),
      );
    const line = new ProgressLine(stream as unknown as NodeJS.WriteStream, coloursFor({}, {}, true));
    const first = drawn('Trying');
    line.show('Trying it in memory');
    await first;
    line.show('');
    stream.write('Enter passphrase: ');
    const asked = seen.length;
    const next = drawn('Moving');
    line.show('Moving branches');
    await next;
    line.stop();
    assert.deepEqual(
      seen.slice(asked - 1).filter((text) => text.includes('Trying')),
      [],
    );
    assert.ok(seen.includes('\r\u001b[K') && seen.includes('Enter passphrase: '), JSON.stringify(seen));
  });
});
