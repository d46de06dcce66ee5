import { EventEmitter, once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { makeSampleRepository } from '../scripts/sampleRepository.mjs';
import { packExtension } from '../scripts/package.mjs';
import { ensureServer, type InstalledServer } from '../scripts/lib/vscodeServer.mjs';
import { launchBrowser, workbenchUrl } from '../test/support/launch/browser.ts';
import { installVsix, startCodeServer } from '../test/support/launch/codeServer.ts';
import { makePlace } from '../test/support/launch/place.ts';
import { quantile, type Line } from './compare.ts';

/** The most that our activation may add to the start of the host, in milliseconds (SPEC section 10). */
const allowance = 50;

/**
 * How long the extension host takes from its process's start until its extensions are up, with the packaged extension installed and
 * activated, and without it. The host itself keeps the time: what the server and the browser do is not in it.
 */
export async function benchActivation(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say('Packing the extension and starting extension hosts…');
  const vsix = await packExtension();
  const server = await ensureServer();
  const browser = await launchBrowser();
  const times: Record<'candidate' | 'baseline', HostStart>[] = [];
  try {
    for (let round = -1; round < rounds; round++) {
      const start = (extension: string | undefined): Promise<HostStart> => hostStart(server, browser, extension);
      // Who goes first changes, so that what the first leaves warm helps both alike.
      const early = round % 2 === 0 ? await start(vsix) : undefined;
      const baseline = await start(undefined);
      const candidate = early ?? (await start(vsix));
      if (round >= 0) times.push({ candidate, baseline });
    }
  } finally {
    await browser.close();
  }
  const baselines = times.map((each) => each.baseline.wall);
  const baselineMs = quantile(baselines, 0.5);
  const added = (what: keyof HostStart): string => {
    const ms = quantile(
      times.map((each) => each.candidate[what] - each.baseline[what]),
      0.5,
    );
    return `${ms >= 0 ? '+' : ''}${ms.toFixed(0)} ms`;
  };
  return [
    {
      work: 'extension activation',
      baseline: 'host start without it',
      ratio: quantile(
        times.map((each) => each.candidate.wall / each.baseline.wall),
        0.5,
      ),
      aim: (baselineMs + allowance) / baselineMs,
      candidateMs: quantile(
        times.map((each) => each.candidate.wall),
        0.5,
      ),
      baselineMs,
      rounds,
      noise: (quantile(baselines, 0.75) - quantile(baselines, 0.25)) / baselineMs,
      // A busy machine moves the clock more than the processor's time.
      remark: `${added('wall')} of +${allowance} ms, ${added('cpu')} of processor time`,
    },
  ];
}

/** From the host process's birth to the moment when what is installed has been activated, in milliseconds. */
interface HostStart {
  readonly wall: number;
  /** Of the host's process, in the kernel as well. */
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

/** An extension of nothing but a stop watch. */
async function writeProbe(folder: string, out: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'probe', publisher: 'bench', version: '1.0.0', engines: { vscode: '^1.110.0' } }),
  );
  await writeFile(
    join(folder, 'probe.cjs'),
    `exports.run = async () => {
  await require('vscode').extensions.getExtension('worktree-stacks.worktree-stacks')?.activate();
  const { user, system } = process.cpuUsage();
  const time = { wall: performance.now(), cpu: (user + system) / 1000 };
  require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify(time));
};
`,
  );
  return folder;
}
