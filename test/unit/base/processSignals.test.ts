import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Environment } from '../../../src/core/base/environment.ts';
import { silentLog } from '../../../src/core/base/log.ts';
import {
  endOnWindows,
  endTreeOnWindows,
  type EndedProcess,
  type EndOnWindows,
} from '../../../src/core/base/processSignals.ts';

/** A process that is not there. */
class Child extends EventEmitter implements EndedProcess {
  pid: number | undefined = 4711;
  exitCode: number | null = null;
  signalCode = null;
  killed = 0;
  kill(): boolean {
    this.killed += 1;
    return true;
  }
  end(): void {
    this.exitCode = 1;
    this.emit('exit', 1);
  }
}

describe('ending a process and all that it has started on Windows', () => {
  let child: Child;
  let lines: string[];
  let failures: string[];
  beforeEach(() => {
    child = new Child();
    lines = [];
    failures = [];
  });

  /** Ends it; `answer` is what taskkill does, by how often it was run before. */
  const end = (answer: (turn: number) => Error | undefined, options: EndOnWindows = {}): Promise<void> =>
    endTreeOnWindows(child, {
      onFailure: ({ message }) => failures.push(message),
      run: async (program, args) => {
        lines.push([program, ...args].join(' '));
        return { stdout: '', stderr: '', failure: answer(lines.length - 1) };
      },
      ...options,
    });

  it('asks the whole tree first, and is content when that has ended', async () => {
    await end(() => void child.end());
    assert.deepEqual(lines, ['C:\\Windows\\System32\\taskkill.exe /pid 4711 /T']);
    assert.deepEqual([failures, child.killed], [[], 0]);
  });

  it('forces who could not be asked, by the program of this Windows', async () => {
    const cannotBeAsked = (turn: number): Error | undefined =>
      turn === 0 ? new Error('can only be terminated forcefully') : void child.end();
    await end(cannotBeAsked, { SystemRoot: 'D:\\Win' });
    const program = 'D:\\Win\\System32\\taskkill.exe';
    assert.deepEqual(lines, [`${program} /pid 4711 /T`, `${program} /pid 4711 /T /F`]);
    assert.deepEqual([failures, child.killed], [[], 0]);
  });

  it('asks nobody where it is to be forced', async () => {
    await end(() => void child.end(), { force: true });
    assert.deepEqual(lines, ['C:\\Windows\\System32\\taskkill.exe /pid 4711 /T /F']);
  });

  it('ends at least the process itself where taskkill fails or is not there, and says why', async () => {
    await end(() => new Error('spawn taskkill.exe ENOENT'), { force: true });
    assert.deepEqual([failures, child.killed], [['spawn taskkill.exe ENOENT'], 1]);
  });

  it('sends nothing to an id that may be another one’s by now, and says nothing where it failed because all had ended', async () => {
    child.exitCode = 0;
    await end(() => undefined);
    assert.deepEqual(lines, []);
    child.exitCode = null;
    await end(
      () => {
        child.end();
        return new Error('not found');
      },
      { force: true },
    );
    child.pid = undefined;
    await end(() => undefined);
    assert.deepEqual([lines.length, failures, child.killed], [1, [], 0]);
  });

  it('finds the folder of Windows whatever the case of its variable, and tells the log what failed', () => {
    const said: string[] = [];
    const log = { ...silentLog, warn: (text: string) => void said.push(text) };
    const environment: Pick<Environment, 'variables' | 'log'> = { variables: { SYSTEMROOT: 'E:\\Windows' }, log };
    const { SystemRoot, onFailure } = endOnWindows(environment);
    assert.equal(SystemRoot, 'E:\\Windows');
    onFailure?.(new Error('access is denied'));
    assert.match(said.join(), /taskkill failed.*may still run: access is denied/);
  });
});
