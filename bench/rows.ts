import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build, packExtension } from '../scripts/package.mjs';
import { ensureServer, type InstalledServer } from '../scripts/lib/vscodeServer.mjs';
import { run } from '../scripts/lib/processes.mjs';
import { launchBrowser, workbenchUrl } from '../test/support/launch/browser.ts';
import { installVsix, startCodeServer } from '../test/support/launch/codeServer.ts';
import { makePlace, type Place } from '../test/support/launch/place.ts';
import { eventually } from '../test/ui/support/eventually.ts';
import { Workbench } from '../test/ui/support/workbench.ts';
import { quantile, type Line } from './compare.ts';

const count = 1000;
/** The longest that the rows may take, in milliseconds. */
const allowance = 2000;

/**
 * How long the rows of 1,000 worktrees take to be there once our view is opened in a window whose extensions have started, and the
 * memory of its extension host, with ours and without. It is set against the Explorer, which shows the same 1,000 folders.
 */
export async function benchRows(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say(`Packing the extension and making ${count} worktrees for VS Code…`);
  await build();
  const vsix = await packExtension();
  const server = await ensureServer();
  const browser = await launchBrowser();
  const place = await makePlace('bench');
  try {
    const folder = await crowd(place);
    const without = [await look(server, browser, place, folder, false)];
    await installVsix(server, place, vsix);
    const windows: Look[] = [];
    for (let round = -1; round < rounds; round++) {
      const seen = await look(server, browser, place, folder, true);
      if (round >= 0) windows.push(seen);
    }
    const of = (what: (look: Look) => number, looks: readonly Look[] = windows): number =>
      quantile(looks.map(what), 0.5);
    const [candidateMs, baselineMs] = [of(({ rows }) => rows), of(({ files }) => files)];
    const explorers = windows.map(({ files }) => files);
    const [ours, bare] = [of(({ memory }) => memory), of(({ memory }) => memory, without)];
    return [
      {
        work: 'rows of 1,000 worktrees shown in VS Code',
        baseline: 'the Explorer showing their 1,000 folders',
        ratio: candidateMs / baselineMs,
        aim: allowance / baselineMs,
        candidateMs,
        baselineMs,
        rounds,
        noise: (quantile(explorers, 0.75) - quantile(explorers, 0.25)) / baselineMs,
        remark: `the host takes ${ours.toFixed(0)} MB of memory, ${bare.toFixed(0)} without the extension`,
      },
    ];
  } finally {
    await browser.close();
    await place.remove();
  }
}

/** What one window showed, in milliseconds and megabytes. */
interface Look {
  readonly rows: number;
  readonly files: number;
  /** Of the host's process, at the end. */
  readonly memory: number;
}

async function crowd(place: Place): Promise<string> {
  const folder = join(place.work, 'project');
  const git = async (...args: string[]): Promise<void> => {
    const { code, output } = await run('git', args, {
      cwd: args[0] === 'init' ? place.work : folder,
      env: place.env,
      quiet: true,
    });
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${output}`);
  };
  await git('init', '--quiet', folder);
  await git('commit', '--quiet', '--allow-empty', '-m', 'Start');
  for (let at = 0; at < count; at++)
    await git('worktree', 'add', '--quiet', '--no-track', '-b', `task-${at}`, join(folder, '.worktrees', `task-${at}`));
  return folder;
}

async function look(
  server: InstalledServer,
  browser: Browser,
  place: Place,
  folder: string,
  ours: boolean,
): Promise<Look> {
  const started = await startCodeServer(server, place);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(workbenchUrl(started.authority, { folder }));
    const workbench = new Workbench(page);
    await workbench.ready();
    const shows = async (name: string, least: number): Promise<void> => {
      await page.waitForFunction(
        ([title, size]) =>
          [...document.querySelectorAll(`[role=tree][aria-label*="${title}"] [role=treeitem]`)].some(
            (row) => Number(row.getAttribute('aria-setsize')) >= Number(size),
          ),
        [name, String(least)],
        { polling: 'raf' },
      );
    };
    if (ours) await hostHasStarted(place);
    await workbench.openContainer('Explorer');
    const explorer = workbench.tree('Files Explorer');
    await explorer.waitForRow('.worktrees');
    let from = performance.now();
    await explorer.click('.worktrees');
    await shows('Files Explorer', count);
    const files = performance.now() - from;
    let rows = 0;
    if (ours) {
      from = performance.now();
      await workbench.openContainer('Worktree Stacks');
      await shows('Worktrees', count);
      rows = performance.now() - from;
    }
    return { rows, files, memory: await hostMemory(started.pid) };
  } finally {
    await context.close();
    await started.stop();
  }
}

/** Waits until our extension was started: the window is there before its host is, on a busy machine by many seconds. */
async function hostHasStarted({ userData }: Place): Promise<void> {
  const logs = join(userData, 'logs');
  const isStarted = async (): Promise<boolean> => {
    const latest = (await readdir(logs).catch(() => [])).sort().at(-1) ?? '';
    const log = await readFile(join(logs, latest, 'exthost1/remoteexthost.log'), 'utf8').catch(() => '');
    return log.includes('_doActivateExtension worktree-stacks.');
  };
  await eventually('our extension was started', isStarted, (started) => started);
}

/** The resident memory of the extension host below a server, in megabytes; 0 where the system has no /proc. */
async function hostMemory(server: number): Promise<number> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const read = (id: string, file: string): Promise<string> => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
  const parents = new Map<string, string>();
  for (const id of ids) parents.set(id, /^PPid:\s+(\d+)/m.exec(await read(id, 'status'))?.[1] ?? '');
  const isBelow = (id: string | undefined): boolean =>
    id !== undefined && (id === String(server) || isBelow(parents.get(id)));
  for (const id of ids) {
    if (!isBelow(id) || !(await read(id, 'cmdline')).includes('--type=extensionHost')) continue;
    return Number(/^VmRSS:\s+(\d+)/m.exec(await read(id, 'status'))?.[1] ?? 0) / 1024;
  }
  return 0;
}
