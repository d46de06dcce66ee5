import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { filesToTryAgain, unsteadyTests } from '../../../scripts/lib/laneReport.mjs';
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
const reports = new Map<string, LaneReport>();
const unsteady: ReturnType<typeof unsteadyTests> = [];
try {
  for (const name of positionals.length > 0 ? positionals : names) reports.set(name, await runNamed(name));
  // As every lane does it; suites and tests that somebody names are tried once.
  const once = positionals.length > 0 || values.grep !== undefined;
  for (const name of once ? [] : filesToTryAgain(sumOf(reports))) {
    process.stdout.write('\nTried once more, because tests failed in it:');
    const [first, second] = [reports.get(name), await runNamed(name)];
    if (first) unsteady.push(...unsteadyTests(first, second));
    reports.set(name, second);
  }
} finally {
  await browser.close();
  await saveArtifact(values.output, JSON.stringify({ ...sumOf(reports), unsteady }, null, 2));
}
process.exitCode = sumOf(reports).stats.failures > 0 ? 1 : 0;

async function runNamed(name: string): Promise<LaneReport> {
  const { default: suite } = (await import(join(hostTests, name, 'suite.ts'))) as { default: HostSuite };
  process.stdout.write(`\n${name}: ${suite.title} (VS Code ${server.version})\n`);
  return tell(name, await runSafely(name, suite));
}

async function runSafely(name: string, suite: HostSuite): Promise<HostRunResult> {
  try {
    return await runHostSuite(name, suite, await bundleHostSuite(name), { server, browser, grep: values.grep });
  } catch (error) {
    return { spec: '', problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/**
 * Tells how a suite went. Its tests are named by the suite, which is what can be run again; a run that did not come to its end counts as one
 * failure, because its tests said nothing.
 */
function tell(name: string, { report = nothing(), spec, problem }: HostRunResult): LaneReport {
  process.stdout.write(spec);
  const told = { ...report, failures: report.failures.map((test) => ({ ...test, file: name })) };
  if (problem === undefined) return told;
  process.stdout.write(`\n${problem}\n`);
  told.failures.push({ title: name, fullTitle: `host ${name}`, file: name, err: { message: problem } });
  const { tests, failures } = report.stats;
  return { ...told, stats: { ...report.stats, tests: tests + 1, failures: failures + 1 } };
}

function nothing(): LaneReport {
  const stats = { suites: 0, tests: 0, passes: 0, pending: 0, failures: 0, duration: 0 };
  return { stats, tests: [], passes: [], pending: [], failures: [] };
}

function sumOf(all: ReadonlyMap<string, LaneReport>): LaneReport {
  const total = nothing();
  for (const report of all.values()) {
    for (const key of ['tests', 'passes', 'pending', 'failures'] as const) total[key].push(...report[key]);
    for (const key of Object.keys(total.stats) as (keyof LaneReport['stats'])[]) total.stats[key] += report.stats[key];
  }
  return total;
}
