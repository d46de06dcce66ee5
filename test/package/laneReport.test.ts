import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  filesToTryAgain,
  readReport,
  titleAndWords,
  unsteadyTests,
  withSecondTry,
} from '../../scripts/lib/laneReport.mjs';

const test = (file: string | undefined, fullTitle = 't') => ({
  title: fullTitle,
  fullTitle,
  ...(file === undefined ? {} : { file }),
});
const none = { passes: [], failures: [], pending: [] };

describe('the report of a lane', () => {
  it('is empty where a lane left none, or half of one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wt-report-'));
    try {
      assert.deepEqual(await readReport(join(folder, 'none.json')), none);
      writeFileSync(join(folder, 'half.json'), '{"stats":{"passes":1},"passes":[');
      assert.deepEqual(await readReport(join(folder, 'half.json')), none);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names the files that are tried again: few, and all of them known', () => {
    const failures = [test('/a'), test('/a'), test('/b')];
    assert.deepEqual(filesToTryAgain({ ...none, failures }), ['/a', '/b']);
    assert.deepEqual(filesToTryAgain({ ...none, failures: [...failures, test('/c')] }), []);
    assert.deepEqual(filesToTryAgain({ ...none, failures: [test('/a'), test(undefined)] }), []);
    assert.deepEqual(filesToTryAgain(none), []);
  });

  it('counts of files that were tried twice what they said the second time', () => {
    const first = {
      passes: [test('/a', 'a1'), test('/b', 'b1')],
      failures: [test('/a', 'a2'), test('/c', 'c1')],
      pending: [test('/a', 'a3')],
    };
    const second = { passes: [test('/a', 'a1')], failures: [test('/a', 'a2')], pending: [] };
    const { passes, failures, pending } = withSecondTry(first, second, ['/a']);
    const titles = (tests: readonly { fullTitle: string }[]): string[] => tests.map(({ fullTitle }) => fullTitle);
    assert.deepEqual([titles(passes), titles(failures), titles(pending)], [['b1', 'a1'], ['c1', 'a2'], []]);
  });

  it('names the tests that failed at first and passed then', () => {
    const first = { ...none, failures: [test('/a', 'a1'), test('/a', 'a2')] };
    const second = { ...none, passes: [test('/a', 'a2'), test('/a', 'a3')], failures: [test('/a', 'a1')] };
    assert.deepEqual(unsteadyTests(first, second), [test('/a', 'a2')]);
  });

  it('tells a failed test with the beginning of what it said', () => {
    const words = titleAndWords({ ...test(undefined, 'it holds'), err: { message: `no\n\n  ${'x'.repeat(400)}` } });
    assert.equal(words, `it holds\n      no\n        ${'x'.repeat(298)}`);
  });
});
