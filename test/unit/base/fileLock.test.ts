import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { withFileLock } from '../../../src/core/base/fileLock.ts';
import { bundled } from '../../support/bundled.ts';
import { needsBirths } from '../../support/skip.ts';
import { onlyWhere } from '../../support/systems.ts';

const environment = environmentOf(process);

describe('file locks', function () {
  this.timeout(300_000);
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wt-test-'));
    file = join(folder, 'counter');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const count = async (): Promise<void> => {
    const before = Number(await readFile(file, 'utf8').catch(() => '0'));
    await writeFile(file, String(before + 1));
  };
  const driver = bundled(new URL('../../support/lockDriver.ts', import.meta.url));
  const run = (task: 'count' | 'hold') =>
    spawn(process.execPath, [driver, task, file], { stdio: ['ignore', 'pipe', 'inherit'] });

  it('let one task at a time in, and leave nothing behind', async () => {
    await Promise.all(Array.from({ length: 40 }, () => withFileLock(environment, file, count)));
    assert.equal(await readFile(file, 'utf8'), '40');
    assert.deepEqual(await readdir(folder), ['counter']);
  });

  it('are handed on within a process without a look at who has them, in the order in which they were asked for', async () => {
    // The host is asked for once for each note that is written, and for each that is read.
    let asked = 0;
    const watched = {
      ...environment,
      get host() {
        asked++;
        return environment.host;
      },
    };
    const order: number[] = [];
    const all = Array.from({ length: 40 }, (_, index) => index);
    await Promise.all(all.map((index) => withFileLock(watched, file, async () => void order.push(index))));
    assert.deepEqual(order, all);
    assert.equal(asked, 40);
  });

  it('are handed on past those that have given up', async () => {
    const stop = new AbortController();
    const done: string[] = [];
    let waiting: Promise<unknown>[] = [];
    await withFileLock(environment, file, async () => {
      const hurried = withFileLock(environment, file, count, undefined, { patience: 20 });
      const cancelled = withFileLock(environment, file, count, stop.signal);
      waiting = ['one', 'two'].map((name) => withFileLock(environment, file, async () => void done.push(name)));
      stop.abort();
      await assert.rejects(cancelled, { reason: 'cancelled' });
      await assert.rejects(hurried, { reason: 'locked-by-another' });
      assert.deepEqual(done, []);
    });
    await Promise.all(waiting);
    assert.deepEqual(done, ['one', 'two']);
    assert.deepEqual(await readdir(folder), []);
  });

  it('hold across processes', async () => {
    const children = Array.from({ length: 4 }, () => run('count'));
    await Promise.all(children.map((child) => once(child, 'close')));
    assert.equal(await readFile(file, 'utf8'), '100');
    assert.deepEqual(await readdir(folder), ['counter']);
  });

  it('of a process that was killed are taken over at once, by one waiter at a time', async () => {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const child = run('hold');
      await once(child.stdout, 'data');
      child.kill(signal);
      await once(child, 'close');
      await writeFile(file, '0');
      await Promise.all(Array.from({ length: 20 }, () => withFileLock(environment, file, count)));
      assert.equal(await readFile(file, 'utf8'), '20', signal);
    }
  });

  it('of a process id that another process has by now are taken over', async function () {
    needsBirths(this);
    await mkdir(`${file}.lock`);
    const owner = { pid: process.pid, host: environment.host, born: '1', since: '2020-01-01T00:00:00.000Z' };
    await writeFile(join(`${file}.lock`, 'owner.json'), JSON.stringify(owner));
    await withFileLock(environment, file, count);
    assert.equal(await readFile(file, 'utf8'), '1');
  });

  it('without a note are those of a process that died early: they are taken over when they are old', async () => {
    await mkdir(`${file}.lock`);
    const old = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, old, old);
    await withFileLock(environment, file, count);
    assert.equal(await readFile(file, 'utf8'), '1');
  });

  it('of a living process are waited for until the caller has had enough', async () => {
    const stop = new AbortController();
    await withFileLock(environment, file, async () => {
      const waiting = withFileLock(environment, file, count, stop.signal);
      stop.abort();
      await assert.rejects(waiting, { reason: 'cancelled' });
    });
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  it('are not waited for longer than that while one process keeps them', async () => {
    await withFileLock(environment, file, () =>
      assert.rejects(withFileLock(environment, file, count, undefined, { patience: 50 }), {
        reason: 'locked-by-another',
        message: new RegExp(`process ${process.pid}`),
      }),
    );
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  onlyWhere({ notOn: 'Windows', because: 'there no folder takes the place of another' })(
    'are waited for longer while they go from hand to hand',
    async () => {
      // In one step, so that the waiter cannot come in between; without a note, as a lock is that has just been taken.
      const take = (): void => {
        mkdirSync(`${file}.next`);
        renameSync(`${file}.next`, `${file}.lock`);
      };
      take();
      const patience = 400;
      const waiting = withFileLock(environment, file, count, undefined, { patience });
      for (let turn = 0; turn < 12; turn++) {
        await delay(patience / 4);
        take();
      }
      rmdirSync(`${file}.lock`);
      await waiting;
      assert.equal(await readFile(file, 'utf8'), '1');
    },
  );

  it('are let go when the task fails', async () => {
    await assert.rejects(
      withFileLock(environment, file, async () => {
        throw new Error('no');
      }),
      /no/,
    );
    await withFileLock(environment, file, count);
    assert.deepEqual(await readdir(folder), ['counter']);
  });

  it('are told about when the folder cannot be had', async () => {
    await writeFile(file, '');
    await assert.rejects(withFileLock(environment, join(file, 'below'), count), { reason: 'not-writable' });
  });
});
