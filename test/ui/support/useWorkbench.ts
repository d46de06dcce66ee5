import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import { ensureServer } from '../../../scripts/lib/vscodeServer.mjs';
import {
  fileName,
  launchBrowser,
  recordConsole,
  saveArtifact,
  screenshot,
  workbenchUrl,
  type Opening,
} from '../../support/launch/browser.ts';
import { copyExtensions, installVsix, startCodeServer, type CodeServer } from '../../support/launch/codeServer.ts';
import { keepLogs } from '../../support/launch/hostRun.ts';
import { makePlace, type Place } from '../../support/launch/place.ts';
import { packagedVsix } from '../../support/launch/vsix.ts';
import { patience } from './eventually.ts';
import { Workbench } from './workbench.ts';

/** What the window of a describe block is like. */
export interface WorkbenchOptions {
  /** Makes the repositories in `place.work` and says what to open; the sample repository if left out. */
  readonly prepare?: (place: Place) => Promise<Opening>;
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False leaves workspace trust on. */
  readonly trusted?: boolean;
  /** On top of the place's environment. */
  readonly env?: (place: Place) => Promise<NodeJS.ProcessEnv>;
}

/** What the tests of a describe block get. */
export interface OpenWorkbench {
  readonly workbench: Workbench;
  readonly place: Place;
  readonly opening: Opening;
  /** The folder that is open, if one is. */
  readonly folder: string;
  /** Opens the same (or another) folder again, as a reload or a second window does. */
  open(opening?: Opening): Promise<Workbench>;
}

/** The installed extension, once for all blocks of a run, because installing takes seconds; it goes with the process. */
let installed: Promise<Place> | undefined;

/** One for all blocks of a run, each with a profile of its own in it: to start one takes seconds of a processor. */
let browser: Promise<Browser> | undefined;
after('close the browser', async () => (await browser)?.close());

/**
 * Opens a workbench with the packaged extension installed, before the tests of the enclosing describe block, and closes it
 * after them. A failed test leaves a screenshot, the console and the hosts' logs in artifacts/.
 */
export function useWorkbench(options: WorkbenchOptions = {}): () => OpenWorkbench {
  let place: Place | undefined;
  let server: CodeServer | undefined;
  let profile: BrowserContext | undefined;
  let open: OpenWorkbench | undefined;
  let lines: string[] = [];

  before('open the workbench', async function () {
    this.timeout(8 * patience);
    const program = await ensureServer();
    place = await makePlace('ui', options.settings);
    await copyExtensions(await (installed ??= installOnce()), place);
    const prepare =
      options.prepare ?? (async (at) => ({ folder: await makeSampleRepository(join(at.work, 'orchard'), at.env) }));
    const opening = await prepare(place);
    const env = await options.env?.(place);
    server = await startCodeServer(program, place, { trusted: options.trusted ?? true, ...(env ? { env } : {}) });
    const context = await (
      await (browser ??= launchBrowser({ whole: true }))
    ).newContext({ viewport: { width: 1280, height: 800 } });
    profile = context;
    context.setDefaultTimeout(patience);
    context.setDefaultNavigationTimeout(2 * patience);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { authority } = server;
    const openPage = async (what: Opening): Promise<Workbench> => {
      const page = await context.newPage();
      lines = recordConsole(page);
      await page.goto(workbenchUrl(authority, what));
      const workbench = new Workbench(page);
      await workbench.ready();
      return workbench;
    };
    const first = await openPage(opening);
    open = {
      workbench: first,
      place,
      opening,
      folder: 'folder' in opening ? opening.folder : '',
      open: (what = opening) => openPage(what),
    };
  });

  afterEach('keep what a failure looked like', async function () {
    if (this.currentTest?.state !== 'failed' || !open || !place || !server) return;
    await keepFailure(`ui-${fileName(this.currentTest.fullTitle())}`, open.workbench.page, lines, place, server);
  });

  after('close the workbench', async function () {
    this.timeout(patience);
    await profile?.close();
    await server?.stop();
    await place?.remove();
  });

  return () => {
    if (!open) throw new Error('The workbench is open only while a test runs.');
    return open;
  };
}

async function keepFailure(
  name: string,
  page: Page,
  lines: readonly string[],
  place: Place,
  server: CodeServer,
): Promise<void> {
  await screenshot(page, `FAILED-${name}`).catch(() => undefined);
  await saveArtifact(`${name}-console.log`, lines.join('\n'));
  await saveArtifact(`${name}-server.log`, server.log());
  await keepLogs(place, `${name}-logs`);
}

async function installOnce(): Promise<Place> {
  const place = await makePlace('extensions');
  await installVsix(await ensureServer(), place, await packagedVsix());
  return place;
}
