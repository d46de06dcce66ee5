import type { Locator, Page } from 'playwright-core';
import { eventually, matches, patience } from './eventually.ts';

/** What the quick input (palette, picks, input boxes) shows. */
export interface QuickInputState {
  readonly open: boolean;
  readonly title: string;
  readonly placeholder: string;
  readonly value: string;
  /** The accessible names of the rows, in order. */
  readonly rows: readonly string[];
  /** The prompt or the validation message below an input box. */
  readonly message: string;
}

/** VS Code's quick input, used as a person does: read, type, pick, accept, leave. */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;

  constructor(page: Page) {
    this.#page = page;
    // The one part of the workbench without a role of its own.
    this.#widget = page.locator('.quick-input-widget');
  }

  /** What is there now. */
  async state(): Promise<QuickInputState> {
    const closed = { open: false, title: '', placeholder: '', value: '', rows: [], message: '' };
    if (!(await this.#widget.isVisible())) return closed;
    return this.#widget.evaluate((widget) => {
      const shown = (element: Element | null) =>
        element && (element as HTMLElement).offsetParent ? (element.textContent ?? '') : '';
      const input = widget.querySelector<HTMLInputElement>('input.input');
      return {
        open: true,
        title: shown(widget.querySelector('.quick-input-title')).trim(),
        placeholder: input?.placeholder ?? '',
        value: input?.value ?? '',
        rows: [...widget.querySelectorAll('[role=option]')].map((row) => row.getAttribute('aria-label') ?? ''),
        message: shown(widget.querySelector('[id=quickInput_message]')).trim(),
      };
    });
  }

  /** Waits until it shows something (by title, placeholder, message or any row). */
  async shows(wanted: string | RegExp): Promise<QuickInputState> {
    return eventually(
      `the quick input shows ${String(wanted)}`,
      () => this.state(),
      ({ open, title, placeholder, message, rows }) =>
        open && [title, placeholder, message, ...rows].some((text) => matches(text, wanted)),
    );
  }

  /** Waits until the first row is, or begins with, this; icons before it do not count. */
  async firstRowIs(wanted: string | RegExp): Promise<QuickInputState> {
    return eventually(
      `the first row is ${String(wanted)}`,
      () => this.state(),
      ({ open, rows: [first = ''] }) => {
        const text = first.replace(/^([a-z-]+ {2})+/, '');
        return open && (typeof wanted === 'string' ? text.startsWith(wanted) : wanted.test(text));
      },
    );
  }

  /** Waits until it is gone. */
  async closes(): Promise<void> {
    await eventually(
      'the quick input closes',
      () => this.state(),
      ({ open }) => !open,
    );
  }

  /** Replaces the text of its input. */
  async type(text: string, options: { readonly timeout?: number } = {}): Promise<void> {
    const input = this.#widget.locator('input.input');
    await input.waitFor(options);
    await input.fill(text, options);
  }

  /** Presses Enter: takes what is selected or typed. */
  async accept(): Promise<void> {
    await this.#page.keyboard.press('Enter');
  }

  /** Presses Escape: one step back out. */
  async cancel(): Promise<void> {
    await this.#page.keyboard.press('Escape');
  }

  /**
   * Clicks the row whose label is, or begins with, `label`; icons before it do not count. A label that is not in view is
   * typed first, as a person does: VS Code's lists hold only the rows in view.
   */
  async pick(label: string | RegExp): Promise<void> {
    const fits = (row: string) => (typeof label === 'string' ? isLabel(row, label) : label.test(row));
    const offers = (deadline: number) =>
      eventually(
        `the quick input offers ${String(label)}`,
        () => this.state(),
        (state) => state.rows.some(fits),
        deadline,
      );
    const { rows } = await offers(typeof label === 'string' ? 2000 : patience).catch(async (error: unknown) => {
      if (typeof label !== 'string') throw error;
      // Emptied first: a text that stands there already would not be filtered by again.
      await this.type('');
      await this.type(label);
      return offers(patience);
    });
    // By its whole name, not its place: the list may be filtered between the look and the click. The first row of a group is named with it,
    // and another row may become that meanwhile.
    const click = async (name: string | undefined): Promise<void> => {
      const row = this.#page.locator(`[aria-label=${JSON.stringify(name)}]`);
      await this.#widget.getByRole('option').and(row).first().click({ timeout: 10_000 });
    };
    await click(rows.find(fits)).catch(async () => click((await offers(patience)).rows.find(fits)));
  }

  /** Presses a button of its title bar (back, or one of the extension's own). */
  async pressButton(name: string | RegExp): Promise<void> {
    await this.#widget.getByRole('button', { name }).first().click();
  }
}

/**
 * A row is announced as "icon  label, description, …": the label is what stands there up to its end, a comma or a blank.
 * An icon is announced by its name and two blanks.
 */
export function isLabel(announced: string, label: string): boolean {
  const text = announced.replace(/^([a-z-]+ {2})+/, '');
  return text === label || text.startsWith(`${label},`) || text.startsWith(`${label} `);
}
