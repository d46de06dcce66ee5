import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { withFileLock } from '../../../src/core/base/fileLock.ts';

const environment = environmentOf(process);
const module = new URL('../../../src/core/base/fileLock.ts', import.meta.url).href;
const environmentModule = new URL('../../../src/core/base/environment.ts', import.meta.url).href;

suite('file locks', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wt-test-'));
    file = join(folder, 'counter');
  });
  teardown(() => rm(folder, { recursive: true }));

  const count = async (): Promise<void> => {
    const before = Number(await readFile(file, 'utf8').catch(() => '0'));
    await writeFile(file, String(before + 1));
  };
  const script = (body: string): string => `
    import { withFileLock } from ${JSON.stringify(module)};
    import { environmentOf } from ${JSON.stringify(environmentModule)};
    import { readFile, writeFile } from 'node:fs/promises';
    const file = ${JSON.stringify(file)};
    ${body}`;
  const run = (body: string) =>
    spawn(process.execPath, ['--input-type=module', '-e', script(body)], { stdio: ['ignore', 'pipe', 'inherit'] });

  test('let one task at a time in, and leave nothing behind', async () => {
    await Promise.all(Array.from({ length: 40 }, () => withFileLock(environment, file, count)));
    assert.equal(await readFile(file, 'utf8'), '40');
    assert.deepEqual(await readdir(folder), ['counter']);
  });

  test('hold across processes', async () => {
    const children = Array.from({ length: 4 }, () =>
      run(`for (let turn = 0; turn < 25; turn++) await withFileLock(environmentOf(process), file, async () => {
        await writeFile(file, String(Number(await readFile(file, 'utf8').catch(() => '0')) + 1));
      });`),
    );
    await Promise.all(children.map((child) => once(child, 'close')));
    assert.equal(await readFile(file, 'utf8'), '100');
    assert.deepEqual(await readdir(folder), ['counter']);
  });

  test('of a process that was killed are taken over at once, by one waiter at a time', async () => {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const child = run(`await withFileLock(environmentOf(process), file, async () => {
        process.stdout.write('held');
        await new Promise((resolve) => setTimeout(resolve, 600_000));
      });`);
      await once(child.stdout, 'data');
      child.kill(signal);
      await once(child, 'close');
      await writeFile(file, '0');
      await Promise.all(Array.from({ length: 20 }, () => withFileLock(environment, file, count)));
      assert.equal(await readFile(file, 'utf8'), '20', signal);
    }
  });

  test('of a process id that another process has by now are taken over', async function () {
    if (process.platform !== 'linux') this.skip();
    await mkdir(`${file}.lock`);
    const owner = { pid: process.pid, host: environment.host, born: '1', since: '2020-01-01T00:00:00.000Z' };
    await writeFile(join(`${file}.lock`, 'owner.json'), JSON.stringify(owner));
    await withFileLock(environment, file, count);
    assert.equal(await readFile(file, 'utf8'), '1');
  });

  test('without a note are those of a process that died early: they are taken over when they are old', async () => {
    await mkdir(`${file}.lock`);
    const old = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, old, old);
    await withFileLock(environment, file, count);
    assert.equal(await readFile(file, 'utf8'), '1');
  });

  test('of a living process are waited for until the caller has had enough', async () => {
    const stop = new AbortController();
    await withFileLock(environment, file, async () => {
      const waiting = withFileLock(environment, file, count, stop.signal);
      stop.abort();
      await assert.rejects(waiting, { reason: 'cancelled' });
    });
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  test('are let go when the task fails', async () => {
    await assert.rejects(
      withFileLock(environment, file, async () => {
        throw new Error('no');
      }),
      /no/,
    );
    await withFileLock(environment, file, count);
    assert.deepEqual(await readdir(folder), ['counter']);
  });

  test('are told about when the folder cannot be had', async () => {
    await writeFile(file, '');
    await assert.rejects(withFileLock(environment, join(file, 'below'), count), { reason: 'not-writable' });
  });
});
