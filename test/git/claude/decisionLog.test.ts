import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { appendToLog, logFolder, readLog, type LogEntry } from '../../../src/core/claude/decisionLog.ts';

suite('the log of decisions', () => {
  let commonDir: string;
  setup(async () => {
    commonDir = await mkdtemp(join(tmpdir(), 'wt-log-'));
  });
  teardown(() => rm(commonDir, { recursive: true, force: true }));

  const entry = (number: number, more: Partial<LogEntry> = {}): LogEntry => ({
    at: new Date(Date.UTC(2026, 10, 28) + number * 1000).toISOString(),
    event: 'PreToolUse',
    decision: 'none',
    session: String(number),
    ...more,
  });

  test('gives back what was written, the oldest first', async () => {
    for (const number of [1, 2, 3]) appendToLog(commonDir, entry(number, { reason: 'é\n😀' }));
    const entries = await readLog(commonDir);
    assert.deepEqual(
      entries,
      [1, 2, 3].map((number) => entry(number, { reason: 'é\n😀' })),
    );
    assert.deepEqual(await readLog(commonDir, { since: new Date(entry(2).at) }), entries.slice(1));
  });

  test('is nothing where nothing was written', async () => assert.deepEqual(await readLog(commonDir), []));

  test('passes over lines that cannot be read', async () => {
    appendToLog(commonDir, entry(1));
    await appendFile(join(logFolder(commonDir), 'hooks.jsonl'), '{"at":"half a\n\nnull\n{"at":1}\n');
    appendToLog(commonDir, entry(2));
    assert.equal((await readLog(commonDir)).length, 2);
  });

  test('reads what earlier versions wrote, by the words of today', async () => {
    appendToLog(commonDir, entry(1, { decision: 'notified', reason: 'said "decision":"told"' }));
    const file = join(logFolder(commonDir), 'hooks.jsonl');
    const now = await readFile(file, 'utf8');
    await writeFile(file, now.replace('"notified"', '"told"'));
    assert.deepEqual(await readLog(commonDir), [entry(1, { decision: 'notified', reason: 'said "decision":"told"' })]);
  });

  test('is only for its owner to read', async () => {
    appendToLog(commonDir, entry(1));
    assert.equal((await stat(join(logFolder(commonDir), 'hooks.jsonl'))).mode & 0o077, 0);
  });

  test('does not grow beyond its bounds, and drops the oldest', async () => {
    const filler = 'x'.repeat(3000);
    for (let number = 1; number <= 4000; number++) appendToLog(commonDir, entry(number, { reason: filler }));
    const names = await readdir(logFolder(commonDir));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(logFolder(commonDir), name))).size));
    assert.ok(names.length <= 8, names.join());
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 9 * 1024 * 1024);
    const entries = await readLog(commonDir);
    const numbers = entries.map(({ session }) => Number(session));
    assert.equal(numbers.at(-1), 4000);
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, index) => (numbers[0] ?? 0) + index),
      'without a gap',
    );
    const last = await readLog(commonDir, { lastBytes: 100_000 });
    assert.ok(last.length > 20 && last.length < 40 && last.at(-1)?.session === '4000', String(last.length));
  });

  test('cuts an entry that is too long for one write', async () => {
    appendToLog(commonDir, entry(1, { words: 'y'.repeat(100_000), reason: 'z'.repeat(100_000) }));
    const text = await readFile(join(logFolder(commonDir), 'hooks.jsonl'), 'utf8');
    assert.ok(text.length <= 4000);
    assert.match((await readLog(commonDir))[0]?.words ?? '', /^y{300}$/);
  });

  test('loses nothing when many processes write at once, over the end of a file too', async () => {
    const program = `
      import { appendToLog } from ${JSON.stringify(pathToFileURL(resolve('src/core/claude/decisionLog.ts')).href)};
      for (let number = 0; number < 200; number++) {
        appendToLog(${JSON.stringify(commonDir)}, { at: new Date().toISOString(), event: 'Stop', decision: 'none', session: process.argv[1] + '-' + number, reason: 'x'.repeat(1500) });
      }`;
    const writers = Array.from({ length: 8 }, (_, index) =>
      spawn(process.execPath, ['--input-type=module', '--eval', program, String(index)], { stdio: 'inherit' }),
    );
    await Promise.all(writers.map(async (writer) => assert.deepEqual(await once(writer, 'exit'), [0, null])));
    const sessions = new Set((await readLog(commonDir)).map(({ session }) => session));
    assert.equal(sessions.size, 1600);
  });

  test('never makes a hook fail', async () => {
    const file = join(commonDir, 'a-file');
    await appendFile(file, 'no folder');
    assert.doesNotThrow(() => appendToLog(file, entry(1)));
    assert.doesNotThrow(() => appendToLog(join(commonDir, 'a\0b'), entry(1)));
  });
});
