import { EventEmitter, once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { makeSampleRepository } from '../scripts/sampleRepository.mjs';
import { build, packExtension } from '../scripts/package.mjs';
import { ensureServer, type InstalledServer } from '../scripts/lib/vscodeServer.mjs';
import { launchBrowser, workbenchUrl } from '../test/support/launch/browser.ts';
import { installVsix, startCodeServer } from '../test/support/launch/codeServer.ts';
import { makePlace } from '../test/support/launch/place.ts';
import { quantile, type Line } from './compare.ts';

/** The most that our activation may add to the start of the host, in milliseconds. */
const allowance = 50;

/**
 * What the packaged extension adds to the start of the extension host: the time from the moment when the host is ready to start
 * extensions until they have started, with ours beside an extension that does nothing, less the same without ours. It is set against
 * the whole start of the host, from its process's birth. That whole swings by seconds from start to start, because a browser and a
 * server start beside it, so its own difference would say little; it is told as a remark.
 */
export async function benchActivation(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say('Packing the extension and starting extension hosts…');
  await build();
  const vsix = await packExtension();
  const server = await ensureServer();
  const browser = await launchBrowser();
  const pairs: Record<'candidate' | 'baseline', HostStart>[] = [];
  try {
    for (let round = -1; round < rounds; round++) {
      const start = (extension: string | undefined): Promise<HostStart> => hostStart(server, browser, extension);
      // Who goes first changes, so that what the first leaves warm helps both alike.
      const early = round % 2 === 0 ? await start(vsix) : undefined;
      const baseline = await start(undefined);
      const candidate = early ?? (await start(vsix));
      if (round >= 0) pairs.push({ candidate, baseline });
    }
  } finally {
    await browser.close();
  }
  const added = (what: keyof HostStart): number =>
    median(pairs.map(({ candidate, baseline }) => candidate[what] - baseline[what]));
  const signed = (ms: number): string => `${ms >= 0 ? '+' : ''}${ms.toFixed(0)} ms`;
  const baselineMs = median(pairs.map(({ baseline }) => baseline.whole));
  const candidateMs = baselineMs + added('activation');
  const activations = pairs.map(({ baseline }) => baseline.activation);
  return [
    {
      work: 'extension activation',
      baseline: 'host start without it',
      ratio: candidateMs / baselineMs,
      aim: (baselineMs + allowance) / baselineMs,
      candidateMs,
      baselineMs,
      rounds,
      noise: (quantile(activations, 0.75) - quantile(activations, 0.25)) / baselineMs,
      remark: `${signed(added('activation'))} of +${allowance} ms; the whole start ${signed(added('whole'))}, its processor time ${signed(added('cpu'))}`,
    },
  ];
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** In milliseconds. */
interface HostStart {
  /** From the host process's birth until what is installed has started. */
  readonly whole: number;
  /** The last part of it: from when extensions may start until they have. */
  readonly activation: number;
  /** The processor time of the host's process in the whole, in the kernel as well. */
  readonly cpu: number;
}

async function hostStart(server: InstalledServer, browser: Browser, vsix: string | undefined): Promise<HostStart> {
  const place = await makePlace('bench');
  try {
    if (vsix) await installVsix(server, place, vsix);
    const folder = join(place.work, 'project');
    await makeSampleRepository(folder, place.env);
    const probe = await writeProbe(join(place.root, 'probe'), join(place.out, 'time'));
    const started = await startCodeServer(server, place, { testDriver: true });
    const page = await browser.newPage();
    try {
      const ended = new EventEmitter();
      const end = once(ended, 'end');
      await page.exposeFunction('codeAutomationLog', () => undefined);
      await page.exposeFunction('codeAutomationExit', () => ended.emit('end'));
      const remote = (path: string): string => `vscode-remote://${started.authority}${path}`;
      await page.goto(
        workbenchUrl(started.authority, { folder }, [
          ['extensionDevelopmentPath', remote(probe)],
          ['extensionTestsPath', remote(join(probe, 'probe.cjs'))],
        ]),
      );
      await end;
    } finally {
      await page.close();
      await started.stop();
    }
    return JSON.parse(await readFile(join(place.out, 'time'), 'utf8')) as HostStart;
  } finally {
    await place.remove();
  }
}

/** An extension that does nothing, with a stop watch as its test. */
async function writeProbe(folder: string, out: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'probe',
      publisher: 'bench',
      version: '1.0.0',
      main: './main.cjs',
      engines: { vscode: '^1.110.0' },
    }),
  );
  await writeFile(join(folder, 'main.cjs'), 'exports.activate = () => undefined;\n');
  await writeFile(
    join(folder, 'probe.cjs'),
    `exports.run = async () => {
  const ready = performance.now();
  const { extensions } = require('vscode');
  await extensions.getExtension('bench.probe').activate();
  await extensions.getExtension('worktree-stacks.worktree-stacks')?.activate();
  const whole = performance.now();
  const { user, system } = process.cpuUsage();
  const time = { whole, activation: whole - ready, cpu: (user + system) / 1000 };
  require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify(time));
};
`,
  );
  return folder;
}
