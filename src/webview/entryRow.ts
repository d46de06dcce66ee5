import { element, fill, icon } from './elements.ts';
import { choiceOrder, type EntryView, type PageLabels } from './protocol.ts';
import { versionsRow } from './versions.ts';

/** What every row is a copy of: copies are made faster than rows, and there may be thousands. */
let pattern: HTMLElement | undefined;

/** One entry: its row, and below it, while it is unfolded, its three versions. */
export class EntryRow {
  readonly row: HTMLElement;
  readonly #words: PageLabels;
  readonly #index: number;
  #entry: EntryView;
  #details: HTMLElement | undefined;

  /** @param index of the entry among all, which the row carries as `data-index`. */
  constructor(entry: EntryView, index: number, words: PageLabels) {
    this.#words = words;
    this.#index = index;
    this.#entry = entry;
    this.row = (pattern ??= makePattern(words)).cloneNode(true) as HTMLElement;
    this.row.dataset['index'] = String(index);
    this.#draw();
  }

  get entry(): EntryView {
    return this.#entry;
  }

  get unfolded(): boolean {
    return this.#details !== undefined;
  }

  /** Shows or hides the three versions. The row must be in the page. */
  unfold(unfolded: boolean): void {
    if (unfolded === this.unfolded) return;
    this.#details?.remove();
    this.#details = unfolded ? versionsRow(this.#entry, `versions-${this.#index}`, this.#words) : undefined;
    if (this.#details) this.row.after(this.#details);
    this.row.setAttribute('aria-expanded', String(unfolded));
  }

  /** Shows another state of the same entry. */
  update(entry: EntryView): void {
    this.#entry = entry;
    this.#draw();
  }

  /** What is announced after a choice. */
  get spoken(): string {
    return fill(this.#words.chosen, this.#entry.name, this.#words.choices[this.#entry.choice]);
  }

  #draw(): void {
    const { name, what, why, open, left, choice } = this.#entry;
    const words = this.#words;
    const [mark, title, story, choices] = this.row.children;
    this.row.classList.toggle('open', open);
    this.row.classList.toggle('left', left);
    mark?.replaceChildren(icon(open ? 'look' : left ? 'left' : 'check'));
    title?.replaceChildren(name);
    title?.setAttribute('title', name);
    story?.replaceChildren(element('span', { class: 'what' }, what), ' ', element('span', { class: 'why' }, why));
    story?.setAttribute('title', `${what} · ${why}`);
    const group = choices?.firstElementChild;
    group?.setAttribute('aria-label', fill(words.choiceFor, name));
    for (const [index, each] of choiceOrder.entries()) {
      group?.children[index]?.setAttribute('aria-checked', String(each === choice));
    }
    const parts = [
      name,
      what,
      why,
      open ? words.lookAt : left ? words.leftBehind : words.decided,
      words.choices[choice],
    ];
    this.row.setAttribute('aria-label', parts.filter((part) => part !== '').join(', '));
  }
}

function makePattern(words: PageLabels): HTMLElement {
  const radios = choiceOrder.map((choice) =>
    element(
      'button',
      {
        type: 'button',
        role: 'radio',
        'aria-checked': 'false',
        tabindex: '-1',
        'data-choice': choice,
        title: words.choiceHints[choice],
      },
      words.choices[choice],
    ),
  );
  const cell = (name: string, ...children: Node[]): HTMLElement =>
    element('div', { role: 'gridcell', class: name }, ...children);
  return element(
    'div',
    { role: 'row', 'aria-level': '1', 'aria-expanded': 'false', tabindex: '-1', class: 'entry' },
    element('div', { role: 'gridcell', class: 'mark' }),
    element('div', { role: 'rowheader', class: 'name' }),
    cell('story'),
    cell('choices', element('div', { role: 'radiogroup', class: 'group' }, ...radios)),
    cell('fold', icon('chevron')),
  );
}
