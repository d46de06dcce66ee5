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

  it('fails the test at which mocha crashed or hung, and hides none of the files behind it', async () => {
    for (const late of [false, true]) {
      const lines = line('begins', a) + line('passes', a) + line('begins', b);
      const { run, endings } = runWith({ lines, late });
      const { report, unseen } = await run(files);
      assert.deepEqual([report.passes.length, unseen, endings()], [1, [c], late ? 1 : 0]);
      assert.match(report.failures[0]?.err?.message ?? '', late ? /did not end within/ : /ended with 3/);
      assert.match(report.failures[0]?.err?.message ?? '', /what it printed/);
    }
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
