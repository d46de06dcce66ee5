import assert from 'node:assert/strict';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../../src/core/base/environment.ts';
import { identityOf } from '../../../src/core/base/processes.ts';
import { markerAgeLimit, markerName, pollStateOf } from '../../../src/core/claude/pollMarker.ts';
import { needsBirths } from '../../support/skip.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

describe('the marker of a poll', () => {
  let home: TestHome;
  let environment: Environment;
  let file: string;
  beforeEach(async () => {
    home = await testHome();
    environment = testEnvironment(home, home.root);
    file = join(home.root, markerName);
  });
  afterEach(() => home.dispose());

  /** Writes it as it would be so long after. */
  const write = async (text: string | Buffer, age = 0): Promise<void> => {
    await writeFile(file, text);
    const then = new Date(Date.now() - age);
    await utimes(file, then, then);
  };
  const state = (): Promise<string> => pollStateOf(environment, home.root);
  const old = markerAgeLimit + 60_000;
  const young = markerAgeLimit - 60_000;

  it('that proves nothing counts as live while it is young, and as dead afterwards', async () => {
    const elsewhere = { pid: 1, host: `not-${environment.host}`, born: '1' };
    const texts = [
      '',
      ' \n',
      'watching',
      '{ "pid": ',
      '[]',
      'null',
      '{"pid": "one"}',
      '{"theirs": true}',
      '\u0000\u0001',
      'x'.repeat(100_000),
      // The id of a process that lives, but nothing says that it is the poll's.
      String(process.pid),
      JSON.stringify({ pid: process.pid }),
      JSON.stringify({ pid: process.pid, host: environment.host }),
      // Another host's, or a container's: nobody here can look.
      JSON.stringify(elsewhere),
    ];
    for (const text of texts) {
      await write(text, young);
      assert.equal(await state(), 'live', `${JSON.stringify(text.slice(0, 60))}, young`);
      await write(text, old);
      assert.equal(await state(), 'dead', `${JSON.stringify(text.slice(0, 60))}, old`);
      await write(text, -old);
      assert.equal(await state(), 'dead', `${JSON.stringify(text.slice(0, 60))}, of the future`);
    }
  });

  it('of another host is as old as its last heartbeat', async () => {
    const at = (age: number): string =>
      JSON.stringify({ pid: 1, host: 'elsewhere', heartbeat: new Date(Date.now() - age).toISOString() });
    await write(at(young), old);
    assert.equal(await state(), 'live');
    await write(at(old), 0);
    assert.equal(await state(), 'dead');
  });

  it('of a process that has ended is dead however young it is', async () => {
    for (const text of [String(2 ** 22 + 1), JSON.stringify({ pid: 2 ** 22 + 1, host: environment.host, born: '1' })]) {
      await write(text);
      assert.equal(await state(), 'dead', text);
    }
  });

  it('of the very process that lives is live however old it is', async function () {
    needsBirths(this);
    await write(JSON.stringify(await identityOf(environment)), 10 * old);
    assert.equal(await state(), 'live');
  });

  it('may be something else than a file, or not be there', async () => {
    assert.equal(await state(), 'none');
    await mkdir(file);
    assert.equal(await state(), 'live');
    const then = new Date(Date.now() - old);
    await utimes(file, then, then);
    assert.equal(await state(), 'dead');
    await rm(file, { recursive: true });
    assert.equal(await pollStateOf(environment, join(home.root, 'no', 'such')), 'none');
  });
});
