import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inParts, runner } from '../../scripts/lib/windowsLane.mjs';
import { onZ } from '../../scripts/lib/windowsPrograms.mjs';

const files = ['test/unit/a.test.ts', 'test/unit/b.test.ts', 'test/unit/c.test.ts'];
const bundleOf = (file: string): string => `/bundles/${file}`;
const fileOf = new Map(files.map((file) => [onZ(bundleOf(file)).toLowerCase(), file]));

describe('the lane of Windows', () => {
  let artifacts: string;
  beforeEach(() => (artifacts = mkdtempSync(join(tmpdir(), 'wt-lane-'))));
  afterEach(() => rmSync(artifacts, { recursive: true }));

  /** A line of the report for a test of a file. */
  const line = (event: string, file?: string): string =>
    `${JSON.stringify(file === undefined ? { event } : { event, title: 't', fullTitle: `t of ${file}`, file: onZ(bundleOf(file)) })}\n`;
  /** Runs the files by mochas that write these lines, one after the other. */
  function runWith(...runs: { lines: string; late?: boolean }[]) {
    let ended = 0;
    const drive = {
      node: (_: readonly string[], { output }: { output: string }) => {
        const { lines, late = false } = runs.shift() ?? assert.fail('one mocha too many');
        writeFileSync(output, 'what it printed');
        writeFileSync(join(artifacts, 'windows-1.jsonl'), lines);
        return Promise.resolve({ code: 3, late });
      },
      end: () => Promise.resolve(void ended++),
    };
    const run = runner({ drive, bundleOf, fileOf, grep: undefined, artifacts, number: 1 });
    return { run, endings: () => ended };
  }
  const [a = '', b = '', c = ''] = files;

  it('is what a mocha reports that came to its end', async () => {
    const lines = [line('begins', a), line('passes', a), line('pending', b), line('failures', c), line('ends')];
    const { report, unseen } = await runWith({ lines: lines.join('') }).run(files);
    assert.deepEqual([report.passes.length, report.pending.length, report.failures.length, unseen], [1, 1, 1, []]);
  });

  it('fails the test at which mocha crashed, and hides none of the files behind it', async () => {
    const { run, endings } = runWith({ lines: line('begins', a) + line('passes', a) + line('begins', b) });
    const { report, unseen } = await run(files);
    assert.deepEqual([report.passes.length, unseen, endings()], [1, [c], 0]);
    assert.match(report.failures[0]?.err?.message ?? '', /ended with 3/);
    assert.match(report.failures[0]?.err?.message ?? '', /what it printed/);
  });

  it('tries a file once more in which Wine stood still, counts none of its tests twice, and fails it the next time', async () => {
    const lines = line('begins', a) + line('passes', a) + line('begins', b) + line('passes', b) + line('begins', b);
    const { run, endings } = runWith({ lines, late: true }, { lines: line('begins', b), late: true });
    const first = await run(files);
    assert.deepEqual([first.report.passes.length, first.report.failures], [1, []]);
    assert.deepEqual([first.unseen, first.stuck, endings()], [[b, c], b, 1]);
    const { report, unseen, stuck } = await run(first.unseen);
    assert.deepEqual([report.passes, unseen, stuck, endings()], [[], [c], undefined, 2]);
    assert.match(report.failures[0]?.err?.message ?? '', /did not end within/);
  });

  it('finds the file that cannot even be loaded', async () => {
    const { run } = runWith({ lines: '' }, { lines: '' });
    const { report, unseen } = await run(files);
    assert.deepEqual([report.failures.map(({ title }) => title), unseen], [[a], [b, c]]);
  });

  it('deals its files out, each once', () => {
    const many = Array.from({ length: 20 }, (_, index) => `${index}`);
    const parts = inParts(many);
    assert.equal(parts.length, 3);
    assert.deepEqual(parts.flat().sort(), [...many].sort());
  });
});
