import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import { specAndJson } from '../support/launch/specAndJson.ts';

/**
 * Runs one suite inside the extension host. The bundle of each suite calls it with a function that loads its test files
 * (see support/launch/hostBundle.ts). Results go to disk, which the launcher shares, so they never depend on forwarded logs.
 */
export async function runTests(load: () => Promise<void>): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const out = process.env['WORKTREE_STACKS_TEST_OUT'];
  if (!out)
    throw new Error('WORKTREE_STACKS_TEST_OUT names no folder: start the host lane through `npm test -- host`.');
  const grep = process.env['WORKTREE_STACKS_TEST_GREP'];

  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => appendFileSync(`${out}/spec.txt`, `${format(...args)}\n`);
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 180_000,
    color: process.env['WORKTREE_STACKS_TEST_COLOUR'] === '1',
    forbidOnly: process.env['CI'] === 'true',
    reporter: specAndJson(Mocha),
    reporterOptions: { output: `${out}/report.json` },
    ...(grep ? { grep } : {}),
  });
  // The test files are in the bundle: mocha is asked for its globals, and the files are loaded where it would load them.
  mocha.suite.emit('pre-require', globalThis, 'host', mocha);
  await load();
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} failed`);
}
