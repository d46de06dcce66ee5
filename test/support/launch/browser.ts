import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium, findHeadlessShell, root } from '../../../scripts/lib/install.mjs';

/** Where lanes leave what a person may want to look at. */
export const artifacts = join(root, 'artifacts');

/** How the browser differs from the usual one. */
export interface BrowserOptions {
  /** Chromium as a person has it, even where there is one without a window, which takes half the processor time. */
  readonly whole?: boolean;
}

/** Starts the machine's own Chromium. */
export async function launchBrowser({ whole = false }: BrowserOptions = {}): Promise<Browser> {
  const executablePath = (whole ? undefined : await findHeadlessShell()) ?? (await findChromium());
  if (!executablePath) throw new Error('No Chromium was found: name one in CHROMIUM_PATH.');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // The workbench makes many stack traces, and each first one of a function of its 19 MB would parse the whole file again.
    '--js-flags=--no-enable-lazy-source-positions',
  ];
  return chromium.launch({ executablePath, args });
}

/** What the workbench should show. */
export type Opening = { readonly folder: string } | { readonly workspace: string } | { readonly empty: true };

/** The address of a workbench; `payload` pairs reach its environment (see VS Code's browser test runner). */
export function workbenchUrl(authority: string, opening: Opening, payload: readonly [string, string][] = []): string {
  const url = new URL(`http://${authority}/`);
  if ('folder' in opening) url.searchParams.set('folder', opening.folder);
  else if ('workspace' in opening) url.searchParams.set('workspace', opening.workspace);
  else url.searchParams.set('ew', 'true');
  url.searchParams.set('payload', JSON.stringify([['skipWelcome', 'true'], ...payload]));
  // The workbench decodes with decodeURIComponent, which leaves a plus sign standing.
  return url.href.replaceAll('+', '%20');
}

/** Collects what a page says from now on: console lines, errors and a crash. */
export function recordConsole(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`page error: ${error.stack ?? error.message}`));
  page.on('crash', () => lines.push('the page crashed'));
  return lines;
}

/** Takes a screenshot to artifacts/screenshots; a name of several words becomes one file name. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(artifacts, 'screenshots', `${fileName(name)}.png`);
  await page.screenshot({ path });
  return path;
}

/** Writes a text to the artifacts. */
export async function saveArtifact(name: string, text: string): Promise<string> {
  const path = join(artifacts, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

/** A test's title as a file name. */
export function fileName(title: string): string {
  return title
    .replace(/[^\w.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 120);
}
