import assert from 'node:assert/strict';
import { mayStartSoon, untilStarted } from '../../../src/core/base/startAgain.ts';

const refusal = (code: string): Error => Object.assign(new Error(`spawn git ${code}`), { code, syscall: 'spawn git' });

describe('a program that the system refuses to start', () => {
  it('may start soon where the machine has too little of something, or Windows gives no reason', () => {
    for (const code of ['UNKNOWN', 'EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'EBUSY', 'ETXTBSY']) {
      assert.equal(mayStartSoon(refusal(code)), true, code);
      assert.equal(mayStartSoon(new Error(`Error: spawn ${code}`)), true, `${code} in words`);
    }
  });

  it('does not start later where it is missing, may not be run, or is no program', () => {
    for (const code of ['ENOENT', 'EACCES', 'EPERM', 'E2BIG', 'ENOEXEC', 'ENOTDIR'])
      assert.equal(mayStartSoon(refusal(code)), false, code);
  });

  it('is not what has run and failed', () => {
    const failed = Object.assign(new Error('Command failed: git EAGAIN'), { code: 1 });
    const read = Object.assign(new Error('EMFILE: too many open files, open a'), { code: 'EMFILE' });
    const told = Object.assign(new Error('Command failed: npm install\nError: spawn sh EAGAIN\n'), { code: 1 });
    for (const other of [failed, read, told, new Error('spawn'), 'spawn EAGAIN', undefined])
      assert.equal(mayStartSoon(other), false, String(other));
  });

  it('is started again until it starts', async () => {
    let tries = 0;
    const start = async (): Promise<string> => {
      tries += 1;
      if (tries < 3) throw refusal('EAGAIN');
      return 'runs';
    };
    assert.equal(await untilStarted(start), 'runs');
    assert.equal(tries, 3);
  });

  it('is given up at last, with the reason that was given last', async () => {
    let tries = 0;
    const start = async (): Promise<never> => {
      tries += 1;
      throw refusal(tries === 5 ? 'ENOMEM' : 'EAGAIN');
    };
    await assert.rejects(untilStarted(start), { code: 'ENOMEM' });
    assert.equal(tries, 5);
  });

  it('is not waited for by those who have called it off', async () => {
    const stop = new AbortController();
    let tries = 0;
    const start = async (): Promise<never> => {
      tries += 1;
      stop.abort();
      throw refusal('UNKNOWN');
    };
    await assert.rejects(untilStarted(start, stop.signal), { code: 'UNKNOWN' });
    assert.equal(tries, 1);
  });
});
