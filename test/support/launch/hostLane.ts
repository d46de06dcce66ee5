import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureServer } from '../../../scripts/lib/vscodeServer.mjs';
import { launchBrowser, saveArtifact } from './browser.ts';
import { bundleHostSuite, hostSuiteNames, hostTests } from './hostBundle.ts';
import { runHostSuite, type HostRunResult } from './hostRun.ts';
import type { HostSuite } from './hostSuite.ts';
import type { LaneReport } from './specAndJson.ts';

// The host lane: every suite of test/host in an extension host of its own, one after the other.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only tests whose title matches. */
    grep: { type: 'string' },
    /** `current` or `oldest`: which end of engines.vscode. */
    vscode: { type: 'string', default: 'current' },
    /** Where the report of all suites goes. */
    output: { type: 'string', default: 'host.json' },
  },
});

// Without an exit of its own a signal would leave the server behind.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));

const names = await hostSuiteNames();
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`No host suite ${unknown.join(', ')}; there are ${names.join(', ')}.`);

const server = await ensureServer(values.vscode === 'oldest' ? 'oldest' : 'current');
const browser = await launchBrowser();
const total: LaneReport = {
  stats: { suites: 0, tests: 0, passes: 0, pending: 0, failures: 0, duration: 0 },
  tests: [],
  passes: [],
  pending: [],
  failures: [],
};
try {
  for (const name of positionals.length > 0 ? positionals : names) {
    const { default: suite } = (await import(join(hostTests, name, 'suite.ts'))) as { default: HostSuite };
    process.stdout.write(`\n${name}: ${suite.title} (VS Code ${server.version})\n`);
    add(name, await runSafely(name, suite));
  }
} finally {
  await browser.close();
  await saveArtifact(values.output, JSON.stringify(total, null, 2));
}
process.exitCode = total.stats.failures > 0 ? 1 : 0;

async function runSafely(name: string, suite: HostSuite): Promise<HostRunResult> {
  try {
    return await runHostSuite(name, suite, await bundleHostSuite(name), { server, browser, grep: values.grep });
  } catch (error) {
    return { spec: '', problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Adds a run to the sum; a run that did not come to its end counts as one failure, because its tests said nothing. */
function add(name: string, { report, spec, problem }: HostRunResult): void {
  process.stdout.write(spec);
  for (const key of ['tests', 'passes', 'pending', 'failures'] as const) total[key].push(...(report?.[key] ?? []));
  for (const key of Object.keys(total.stats) as (keyof LaneReport['stats'])[])
    total.stats[key] += report?.stats[key] ?? 0;
  if (problem === undefined) return;
  process.stdout.write(`\n${problem}\n`);
  total.failures.push({ title: name, fullTitle: `host ${name}`, err: { message: problem } });
  total.stats.failures += 1;
  total.stats.tests += 1;
}
