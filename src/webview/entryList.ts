import type { Choice } from '../core/session/model.ts';
import { byId, element } from './elements.ts';
import { EntryRow } from './entryRow.ts';
import { choiceOrder, type EntryView, type PageLabels } from './protocol.ts';

/** The most entries that are unfolded by themselves: with more, a person has to be able to see what there is. */
const mostUnfolded = 30;
/** How many rows are drawn, or left undrawn while they are out of view, together. */
const blockSize = 10;
/** How many rows the page keys go. */
const pageStep = 10;

/** What the list reports to the page. */
export interface ListEvents {
  choose(id: string, choice: Choice): void;
  /** Another entry has the focus. */
  focused(id: string): void;
  /** Something changed that is to be remembered. */
  changed(): void;
}

/**
 * The entries, a grid with one row each. One of them is in the tab order; the arrow keys go from row to row, Space and Shift+Space change the choice,
 * Enter shows the three versions, and the right and left arrow open and close them as in a tree.
 */
export class EntryList {
  readonly #grid = byId('entries');
  readonly #events: ListEvents;
  #rows: EntryRow[] = [];
  #byId = new Map<string, EntryRow>();
  #current = 0;
  #canChoose = false;

  constructor(events: ListEvents) {
    this.#events = events;
    this.#grid.addEventListener('click', (event) => this.#onClick(event));
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.#grid.addEventListener('focusin', (event) => {
      const row = this.#rowOf(event.target);
      if (row) this.#setCurrent(Number(row.dataset['index']));
    });
  }

  /** Shows entries. Those to review are expanded, unless `unfolded` lists others. */
  show(entries: readonly EntryView[], words: PageLabels, unfolded: ReadonlySet<string> | undefined): void {
    this.#rows = entries.map((entry, index) => new EntryRow(entry, index, words));
    this.#byId = new Map(this.#rows.map((row) => [row.entry.id, row]));
    this.#current = Math.max(
      0,
      this.#rows.findIndex((row) => row.entry.open),
    );
    const groups: HTMLElement[] = [];
    let section: string | undefined;
    let block: HTMLElement | undefined;
    for (const row of this.#rows) {
      if (row.entry.section !== section) {
        section = row.entry.section;
        groups.push(sectionOf(section || words.topSection));
        block = undefined;
      }
      if (!block || block.childElementCount === blockSize) {
        block = element('div', { role: 'none', class: 'block' });
        groups.at(-1)?.append(block);
      }
      block.append(row.row);
      block.style.setProperty('--rows', String(block.childElementCount));
    }
    this.#grid.hidden = entries.length === 0;
    this.#grid.setAttribute('aria-label', words.entries);
    this.#grid.replaceChildren(...groups);
    const open = unfolded
      ? this.#rows.filter((row) => unfolded.has(row.entry.id))
      : this.#rows.filter((row) => row.entry.open).slice(0, mostUnfolded);
    for (const row of open) row.unfold(true);
    this.#rows[this.#current]?.row.setAttribute('tabindex', '0');
  }

  /** Updates changed entries only. Returns the announcement for screen readers. */
  update(entries: readonly EntryView[]): string {
    const spoken: string[] = [];
    for (const entry of entries) {
      const row = this.#byId.get(entry.id);
      if (!row) continue;
      const chosen = row.entry.choice !== entry.choice;
      row.update(entry);
      if (chosen) spoken.push(row.spoken);
    }
    // One after another can be listened to; a hundred at once are no news.
    return spoken.length > 3 ? '' : spoken.join('. ');
  }

  set canChoose(can: boolean) {
    this.#canChoose = can;
    this.#grid.classList.toggle('locked', !can);
    this.#grid.toggleAttribute('aria-readonly', !can);
  }

  get entries(): EntryView[] {
    return this.#rows.map((row) => row.entry);
  }

  get unfolded(): string[] {
    return this.#rows.filter((row) => row.unfolded).map((row) => row.entry.id);
  }

  get current(): string | undefined {
    return this.#rows[this.#current]?.entry.id;
  }

  /** Puts the focus on an entry, or on the one that had it. */
  focus(id?: string): void {
    const index = id === undefined ? this.#current : this.#rows.findIndex((row) => row.entry.id === id);
    this.#goTo(index < 0 ? 0 : index);
  }

  /** Moves the focus to the next entry to review, starting over after the last. */
  focusNextOpen(): void {
    const { length } = this.#rows;
    for (let step = 1; step <= length; step++) {
      const index = (this.#current + step) % length;
      if (!this.#rows[index]?.entry.open) continue;
      this.#rows[index].unfold(true);
      return this.#goTo(index);
    }
  }

  #onClick(event: MouseEvent): void {
    const row = this.#rowOf(event.target);
    const entry = row && this.#rows[Number(row.dataset['index'])];
    if (!entry || !(event.target instanceof Element)) return;
    const choice = event.target.closest<HTMLElement>('[data-choice]')?.dataset['choice'] as Choice | undefined;
    this.#goTo(Number(row.dataset['index']));
    if (choice) this.#choose(entry, choice);
    // Who marks text to copy it does not want to fold.
    else if (getSelection()?.isCollapsed ?? true) this.#unfold(entry, !entry.unfolded);
  }

  #onKey(event: KeyboardEvent): void {
    const entry = this.#rows[this.#current];
    if (!entry || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.#actionFor(event, entry);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #actionFor({ key, shiftKey }: KeyboardEvent, entry: EntryRow): (() => void) | undefined {
    const last = this.#rows.length - 1;
    const go = (index: number) => (): void => this.#goTo(Math.min(last, Math.max(0, index)));
    switch (key) {
      case 'ArrowDown':
        return go(this.#current + 1);
      case 'ArrowUp':
        return go(this.#current - 1);
      case 'PageDown':
        return go(this.#current + pageStep);
      case 'PageUp':
        return go(this.#current - pageStep);
      case 'Home':
        return go(0);
      case 'End':
        return go(last);
      case 'ArrowRight':
        return () => this.#unfold(entry, true);
      case 'ArrowLeft':
        return () => this.#unfold(entry, false);
      case 'Enter':
        return () => this.#unfold(entry, !entry.unfolded);
      case ' ': {
        const { length } = choiceOrder;
        const next = choiceOrder[(choiceOrder.indexOf(entry.entry.choice) + (shiftKey ? length - 1 : 1)) % length];
        return () => next && this.#choose(entry, next);
      }
      default:
        return undefined;
    }
  }

  #choose(row: EntryRow, choice: Choice): void {
    if (this.#canChoose) this.#events.choose(row.entry.id, choice);
  }

  #unfold(row: EntryRow, unfolded: boolean): void {
    row.unfold(unfolded);
    this.#events.changed();
  }

  #goTo(index: number): void {
    const row = this.#rows[index]?.row;
    if (!row) return;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  }

  #setCurrent(index: number): void {
    if (!this.#rows[index]) return;
    this.#rows[this.#current]?.row.setAttribute('tabindex', '-1');
    this.#current = index;
    this.#rows[index].row.setAttribute('tabindex', '0');
    this.#events.focused(this.#rows[index].entry.id);
  }

  #rowOf(target: EventTarget | null): HTMLElement | undefined {
    return (target instanceof Element ? target.closest<HTMLElement>('.entry') : null) ?? undefined;
  }
}

function sectionOf(name: string): HTMLElement {
  return element(
    'div',
    { role: 'rowgroup', class: 'section', 'aria-label': name },
    element(
      'div',
      { role: 'row', class: 'section-row' },
      element('div', { role: 'rowheader', class: 'section-name' }, name),
    ),
  );
}
