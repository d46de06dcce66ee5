import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { runInShell } from '../../../src/core/base/shell.ts';
import { onlyWhere, reasons } from '../../support/systems.ts';

describe('shell commands', () => {
  const environment = environmentOf(process);
  const cwd = tmpdir();

  onlyWhere(reasons.fork)('give their exit code and last lines, both streams in order', async () => {
    const answer = await runInShell(environment, 'echo one; echo two >&2; echo; echo three; exit 4', { cwd });
    assert.equal(answer.exitCode, 4);
    assert.deepEqual([...answer.lastLines].sort(), ['one', 'three', 'two']);
  });

  onlyWhere(reasons.fork)('keep the last of much output', async () => {
    const { lastLines } = await runInShell(
      environment,
      'i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done',
      { cwd },
    );
    assert.equal(lastLines.length, 20);
    assert.equal(lastLines.at(-1), 'line 4999');
  });

  onlyWhere({ notOn: 'Windows', because: 'it has no signals' })('that a signal ends have no exit code', async () => {
    assert.equal((await runInShell(environment, 'kill -9 $$', { cwd })).exitCode, undefined);
  });

  it('run in a shell that knows their syntax, whatever the user’s is', async () => {
    const odd = { ...environment, variables: { ...environment.variables, SHELL: '/usr/bin/nu' } };
    assert.equal((await runInShell(odd, '[ -n "x" ] && exit 3', { cwd })).exitCode, 3);
  });

  onlyWhere(reasons.fork)('have no standard input to wait for', async () => {
    assert.equal((await runInShell(environment, 'cat', { cwd })).exitCode, 0);
  });

  it('may print in any code page: what is no UTF-8 becomes a sign for that, and the rest is there', async () => {
    // "Größe" and "Füße" as cmd.exe prints them in a German console (850) and Windows itself writes them (1252), a sign of UTF-8 that is
    // never completed, one whose bytes come one by one, and a line break of Windows.
    const bytes = [
      ...[...Buffer.from('ok Gr'), 0x94, 0xe1, ...Buffer.from('e\r\nF'), 0xfc, 0xdf, ...Buffer.from('e\r\n')],
      ...[0xe2, 0x82, ...Buffer.from(' cut\r\n'), ...Buffer.from('日本 end\n'), 0xf0, 0x9f],
    ];
    const program = `for (const byte of [${bytes.join()}]) fs.writeSync(1, Buffer.of(byte)); process.exitCode = 3`;
    const variables = { ...environment.variables, PRINTS: program, NODE: process.execPath };
    const heard: string[] = [];
    const answer = await runInShell({ ...environment, variables }, 'exec "$NODE" -e "$PRINTS"', {
      cwd,
      onStdout: (text) => heard.push(text),
    });
    assert.equal(answer.exitCode, 3);
    const text = heard.join('');
    assert.match(text, /^ok Gr\uFFFD\uFFFDe\r\nF\uFFFD\uFFFDe\r\n\uFFFD cut\r\n日本 end\n/);
    const lines = ['ok Gr\uFFFD\uFFFDe', 'F\uFFFD\uFFFDe', '\uFFFD cut', '日本 end'];
    assert.deepEqual(
      answer.lastLines.filter((line) => lines.includes(line)),
      lines,
    );
  });

  it('that cannot start are told about', async () => {
    await assert.rejects(runInShell(environment, 'true', { cwd: '/nowhere/at/all' }), {
      reason: 'setup-failed',
      message: /could not be started/,
    });
  });

  it('are not begun once cancelled', async () => {
    await assert.rejects(runInShell(environment, 'true', { cwd, signal: AbortSignal.abort() }), {
      reason: 'cancelled',
    });
  });
});
