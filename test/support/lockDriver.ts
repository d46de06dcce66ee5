import { readFile, writeFile } from 'node:fs/promises';
import { environmentOf } from '../../src/core/base/environment.ts';
import { withFileLock } from '../../src/core/base/fileLock.ts';

/*
 * A process of its own that takes the lock of a file: `count` adds one to the number in it, 25 times; `hold` says that it has the lock, and keeps it.
 */
const [task, file = ''] = process.argv.slice(2);
const environment = environmentOf(process);

if (task === 'hold') {
  await withFileLock(environment, file, async () => {
    process.stdout.write('held');
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });
} else {
  for (let turn = 0; turn < 25; turn++)
    await withFileLock(environment, file, async () => {
      const before = Number(await readFile(file, 'utf8').catch(() => '0'));
      await writeFile(file, String(before + 1));
    });
}
