import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually, matches, patience } from './eventually.ts';

/** A row of the session merge editor as a screen reader meets it. */
export interface MergeRow {
  /** The accessible name: the entry, what happened, why, whether it is to be looked at, what is chosen. */
  readonly name: string;
  readonly unfolded: boolean;
  readonly focused: boolean;
}

/** The page of the session merge editor, which lives in a frame within a frame. There must be one only. */
export class MergePage {
  readonly #page: Page;
  readonly #frame: FrameLocator;

  constructor(page: Page) {
    this.#page = page;
    this.#frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Waits until it shows a conflict, or why there is none. */
  async shown(): Promise<void> {
    await this.#frame.locator('body[data-shown]').waitFor({ timeout: 2 * patience });
  }

  /** The rows of the entries, in order. */
  async rows(): Promise<MergeRow[]> {
    return this.#frame.locator('.entry').evaluateAll((rows) =>
      rows.map((row) => ({
        name: row.getAttribute('aria-label') ?? '',
        unfolded: row.getAttribute('aria-expanded') === 'true',
        focused: row === document.activeElement,
      })),
    );
  }

  /** Waits until a row is as wanted, gives it. */
  async row(name: string | RegExp, accept: (row: MergeRow) => boolean = () => true): Promise<MergeRow> {
    const wanted = (row: MergeRow): boolean => matches(row.name, name) && accept(row);
    const rows = await eventually(
      `the merge editor has the row ${String(name)}`,
      () => this.rows(),
      (all) => all.some(wanted),
    );
    const found = rows.find(wanted);
    if (!found) throw new Error(`The row ${String(name)} went away.`);
    return found;
  }

  /** Waits until the row that has the focus is the wanted one, gives it. */
  async focused(name: string | RegExp): Promise<MergeRow> {
    return this.row(name, (row) => row.focused);
  }

  /** The groups of what is decided: their accessible names. */
  async groups(): Promise<string[]> {
    return this.#frame
      .locator('.group-row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  }

  /** Clicks on a group, which opens or closes it. */
  async clickGroup(name: RegExp): Promise<void> {
    await this.#frame.locator('.group-row').filter({ hasText: name }).click({ timeout: patience });
  }

  /** What becomes of an entry, as its row says: the result, and what is struck through. */
  async outcome(entry: string): Promise<{ readonly result: string; readonly dropped: readonly string[] }> {
    const outcome = this.#rowOf(entry).locator('.outcome');
    const result = await outcome.locator('.outcome-result .lines').innerText();
    return { result, dropped: await outcome.locator('del').allInnerTexts() };
  }

  /** Presses a button in the row of an entry. */
  async pressInRow(entry: string, button: RegExp): Promise<void> {
    await this.#rowOf(entry).getByRole('button', { name: button }).click({ timeout: patience });
  }

  /** Waits until somebody can write in a field. */
  async writes(label: string): Promise<void> {
    await this.#frame
      .getByRole('textbox', { name: label })
      .and(this.#frame.locator(':focus'))
      .waitFor({ timeout: patience });
  }

  /** Types where the focus is. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  #rowOf(entry: string): Locator {
    return this.#frame
      .locator('.entry')
      .filter({ has: this.#frame.getByRole('rowheader', { name: entry, exact: true }) });
  }

  /** Waits for what the head says: what can be shown, and where one is. */
  async summary(wanted: string): Promise<void> {
    await eventually(
      `the head says ${wanted}`,
      async () => (await this.#frame.locator('.summary').innerText()).replace(/\s+/g, ' ').trim(),
      (text) => text === wanted,
    );
  }

  /** Waits for what stands above the entries. */
  async notice(wanted: string | RegExp): Promise<string> {
    const notice = this.#frame.locator('#notice');
    return eventually(
      `the page says ${String(wanted)}`,
      () => notice.innerText().catch(() => ''),
      (text) => matches(text, wanted),
    );
  }

  /** The lines of the result that are marked because ours does not have them. */
  async markedLines(): Promise<string[]> {
    return this.#frame.locator('#result-text .touched').allInnerTexts();
  }

  /** The text of the result. */
  async result(): Promise<string> {
    const lines = await this.#frame
      .locator('#result-text .line')
      .evaluateAll((all) => all.map((each) => each.textContent));
    return lines.map((line) => `${line ?? ''}\n`).join('');
  }

  /** The versions that are unfolded below a row: their headings and texts. */
  async versions(): Promise<string[]> {
    return this.#frame.locator('.version').allInnerTexts();
  }

  /** What was said last to a screen reader. */
  async spoken(): Promise<string> {
    return (await this.#frame.locator('#spoken').textContent()) ?? '';
  }

  /** A choice of a row. */
  choice(entry: string, choice: string): Locator {
    const group = this.#frame.getByRole('radiogroup', { name: `Result for ${entry}`, exact: true });
    return group.getByRole('radio', { name: choice, exact: true });
  }

  /** Clicks on a row, which unfolds or folds it. */
  async clickRow(entry: string): Promise<void> {
    await this.#frame.getByRole('rowheader', { name: entry, exact: true }).click({ timeout: patience });
  }

  /** Presses a button of the page. */
  async press(name: string | RegExp): Promise<void> {
    await this.#frame.getByRole('button', { name }).click({ timeout: patience });
  }

  /** Presses a key where the focus is. */
  async key(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Waits until the page has the colours of a kind of theme. */
  async theme(
    kind: 'vscode-dark' | 'vscode-light' | 'vscode-high-contrast' | 'vscode-high-contrast-light',
  ): Promise<void> {
    await this.#frame.locator(`body.${kind}`).waitFor({ timeout: patience });
  }

  /** What an accessibility check of the whole page finds wrong: the rule, and where. */
  async accessibilityProblems(): Promise<string[]> {
    const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    const handle = await this.#frame.locator('body').elementHandle();
    const frame = await handle?.ownerFrame();
    if (!frame) throw new Error('The page of the merge editor is gone.');
    await frame.evaluate(await readFile(file, 'utf8'));
    const results = await frame.evaluate(() =>
      (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
    );
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
  }

  /** How many rows are drawn, of how many; those out of view are not. */
  async drawn(): Promise<{ readonly drawn: number; readonly all: number }> {
    return this.#frame.locator('.entry').evaluateAll((rows) => ({
      drawn: rows.filter((row) => row.querySelector('.name')?.checkVisibility({ contentVisibilityAuto: true })).length,
      all: rows.length,
    }));
  }

  /**
   * Scrolls through the whole list, a screen at a time. Gives the median times in milliseconds from frame to frame, once while nothing
   * moves, since a busy machine draws nothing at once, and once while it scrolls.
   */
  async scrollThrough(): Promise<{ readonly idle: number; readonly scrolling: number }> {
    return this.#frame.locator('#scroller').evaluate(async (scroller) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const median = async (step: () => boolean): Promise<number> => {
        const times: number[] = [];
        let before = await frame();
        while (step()) {
          const now = await frame();
          times.push(now - before);
          before = now;
        }
        return times.sort((one, other) => one - other)[times.length >> 1] ?? 0;
      };
      let left = 100;
      const idle = await median(() => left-- > 0);
      const scrolling = await median(() => {
        scroller.scrollTop += scroller.clientHeight;
        return scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1;
      });
      return { idle, scrolling };
    });
  }
}
