import { cp, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { root } from '../../../scripts/lib/install.mjs';
import type { InstalledServer } from '../../../scripts/lib/vscodeServer.mjs';
import { artifacts, recordConsole, saveArtifact, screenshot, workbenchUrl } from './browser.ts';
import { startCodeServer } from './codeServer.ts';
import type { HostSuite } from './hostSuite.ts';
import { makePlace, type Place } from './place.ts';
import type { LaneReport } from './specAndJson.ts';

/** What a run needs besides its suite. */
export interface HostRunContext {
  readonly server: InstalledServer;
  readonly browser: Browser;
  readonly grep?: string | undefined;
}

/** How a run ended. `report` is missing when the tests did not come to their end; `problem` then says why. */
export interface HostRunResult {
  readonly report?: LaneReport;
  readonly spec: string;
  readonly problem?: string;
  /** VS Code gave up its extension host before a test was run. */
  readonly isGivenUp?: boolean;
}

/** VS Code's own words when it gives up an extension host after a minute, which on a busy machine is too soon. */
const hostGivenUp = /extension host took longer than \d+s to send its ready message/;
/** How often it may do that. */
const mostStarts = 3;

/** Runs a bundled suite in a real extension host; once more where VS Code had no patience with the host, which then has run no test. */
export async function runHostSuite(
  name: string,
  suite: HostSuite,
  bundle: string,
  context: HostRunContext,
): Promise<HostRunResult> {
  for (let start = 1; ; start++) {
    const result = await runOnce(name, suite, bundle, context);
    if (start === mostStarts || !result.isGivenUp) return result;
  }
}

async function runOnce(
  name: string,
  suite: HostSuite,
  bundle: string,
  context: HostRunContext,
): Promise<HostRunResult> {
  const place = await makePlace(`host-${name}`, suite.settings);
  try {
    return await runInPlace(name, suite, bundle, context, place);
  } finally {
    await suite.close?.();
    await place.remove();
  }
}

async function runInPlace(
  name: string,
  suite: HostSuite,
  bundle: string,
  { server, browser, grep }: HostRunContext,
  place: Place,
): Promise<HostRunResult> {
  const opening = await suite.prepare(place);
  const env = { ...testEnvironment(place, grep), ...(await suite.env?.(place)) };
  const special = { trusted: suite.trusted ?? true, testDriver: true, fewBuiltins: true };
  const started = await startCodeServer(server, place, { ...special, env });
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  // How long the run may take says its own deadline.
  page.setDefaultNavigationTimeout(0);
  try {
    const lines = recordConsole(page);
    let exit: (code: number) => void = () => undefined;
    const exited = new Promise<number>((resolve) => (exit = resolve));
    // The two functions that VS Code's workbench looks for when it runs tests in a browser.
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) =>
      lines.push(`${type}: ${args.join(' ')}`),
    );
    await page.exposeFunction('codeAutomationExit', (code: number) => exit(code));
    const remote = (path: string) => `vscode-remote://${started.authority}${path}`;
    await page.goto(
      workbenchUrl(started.authority, opening, [
        ['extensionDevelopmentPath', remote(root)],
        ['extensionTestsPath', remote(bundle)],
      ]),
    );
    await page.addStyleTag({ content: stillness });
    const code = await withDeadline(exited, suite.deadline ?? 600_000);
    const report = await readReport(place);
    const spec = await readFile(join(place.out, 'spec.txt'), 'utf8').catch(() => '');
    if (report && (code === 0 || report.stats.failures > 0)) {
      if (report.stats.failures > 0) await keepEvidence(`host-${name}`);
      return { report, spec };
    }
    await keepEvidence(`host-${name}`);
    const how = code === undefined ? 'did not end within its deadline' : `ended with ${code} before the tests did`;
    const tail = lines.filter((line) => !line.includes('[AgentHost]')).slice(-20);
    return {
      spec,
      isGivenUp: spec === '' && lines.some((line) => hostGivenUp.test(line)),
      problem: `The extension host ${how}. Last lines:\n${tail.join('\n')}\nMore in artifacts/host-${name}*.`,
    };

    async function keepEvidence(prefix: string): Promise<void> {
      await screenshot(page, prefix).catch(() => undefined);
      await saveArtifact(`${prefix}-console.log`, lines.join('\n'));
      await saveArtifact(`${prefix}-server.log`, started.log());
      await keepLogs(place, `${prefix}-logs`);
    }
  } finally {
    await page.close();
    await started.stop();
  }
}

/** Nobody looks at a host, and what moves is drawn sixty times a second: a progress bar took a seventh of the browser's processor time. */
const stillness = '*, *::before, *::after { animation: none !important; transition: none !important; }';

/** What the runner inside the host is told; the host inherits the server's environment. */
export function testEnvironment(place: Place, grep: string | undefined): Record<string, string> {
  return {
    WORKTREE_STACKS_TEST_OUT: place.out,
    WORKTREE_STACKS_TEST_COLOUR: process.stdout.isTTY ? '1' : '0',
    ...(grep ? { WORKTREE_STACKS_TEST_GREP: grep } : {}),
    ...(process.env['CI'] ? { CI: process.env['CI'] } : {}),
  };
}

/** The report that the runner left, if it came that far. */
export async function readReport(place: Place): Promise<LaneReport | undefined> {
  const text = await readFile(join(place.out, 'report.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as LaneReport);
}

/** Keeps the logs of the server and its extension hosts. */
export async function keepLogs(place: Place, name: string): Promise<void> {
  for (const data of [place.serverData, place.userData]) {
    const logs = (await readdir(data, { recursive: true }).catch(() => [])).filter((file) => file.endsWith('.log'));
    for (const log of logs)
      await cp(join(data, log), join(artifacts, name, log), { recursive: true }).catch(() => undefined);
  }
}

async function withDeadline<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
