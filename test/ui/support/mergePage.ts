import type { FrameLocator, Locator, Page } from 'playwright-core';

/** A row of the session merge editor as a screen reader meets it. */
export interface MergeRow {
  /** The accessible name: the entry, what happened, why, whether it is to be looked at, what is chosen. */
  readonly name: string;
  readonly unfolded: boolean;
  readonly focused: boolean;
}

/** The page of the session merge editor, which lives in a frame within a frame. */
export class MergePage {
  readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  get grid(): Locator {
    return this.frame.getByRole('treegrid');
  }

  async rows(): Promise<MergeRow[]> {
    return this.grid.locator('.entry').evaluateAll((rows) =>
      rows.map((row) => ({
        name: row.getAttribute('aria-label') ?? '',
        unfolded: row.getAttribute('aria-expanded') === 'true',
        focused: row === document.activeElement,
      })),
    );
  }
}
