import { element, fill, icon } from './elements.ts';
import { Outcome } from './outcome.ts';
import { choiceOrder, type EntryView, type PageLabels } from './protocol.ts';
import { versionsRow } from './versions.ts';

/** What every row is a copy of: copies are made faster than rows, and there may be thousands. */
let pattern: HTMLElement | undefined;

/** One entry: its row, and below it, while it is unfolded, its three versions. */
export class EntryRow {
  readonly row: HTMLElement;
  readonly #words: PageLabels;
  readonly #edited: (id: string, text: string) => void;
  #entry: EntryView;
  #details: HTMLElement | undefined;
  #outcome: Outcome | undefined;

  /** @param edited is called when a person wrote another result. */
  constructor(entry: EntryView, words: PageLabels, edited: (id: string, text: string) => void) {
    this.#words = words;
    this.#edited = edited;
    this.#entry = entry;
    this.row = (pattern ??= makePattern(words)).cloneNode(true) as HTMLElement;
    this.#draw();
  }

  get entry(): EntryView {
    return this.#entry;
  }

  /** Names the row among all of the list. */
  get key(): string {
    return this.#entry.id;
  }

  get unfolded(): boolean {
    return this.#details !== undefined;
  }

  /** How deep it is in the list: 2 in a group. */
  set level(level: number) {
    this.row.setAttribute('aria-level', String(level));
    this.#details?.setAttribute('aria-level', String(level + 1));
  }

  /** The row, and its versions while they are shown. */
  get elements(): HTMLElement[] {
    return this.#details ? [this.row, this.#details] : [this.row];
  }

  /** Shows or hides the three versions. */
  unfold(unfolded: boolean): void {
    if (unfolded === this.unfolded) return;
    this.#details?.remove();
    this.#details = unfolded ? versionsRow(this.#entry, this.#words) : undefined;
    if (this.#details) this.row.after(this.#details);
    this.level = Number(this.row.getAttribute('aria-level'));
    this.#draw();
  }

  /** Shows another state of the same entry. */
  update(entry: EntryView): void {
    this.#entry = entry;
    this.#draw();
  }

  /** Lets a person write another result. */
  edit(): void {
    this.#showOutcome().edit();
  }

  /** What is announced after a change. */
  get spoken(): string {
    return fill(this.#words.chosen, this.#entry.name, this.#chosen);
  }

  get #chosen(): string {
    return this.#entry.edited ? this.#words.edited : this.#words.choices[this.#entry.choice];
  }

  get #state(): string {
    const { toReview, open, left } = this.#entry;
    const { toReview: wanted, reviewed, leftBehind, decided } = this.#words;
    return open ? wanted : toReview ? reviewed : left ? leftBehind : decided;
  }

  #showOutcome(): Outcome {
    if (!this.#outcome) {
      this.#outcome = new Outcome(this.#entry, this.#words, (text) => this.#edited(this.#entry.id, text));
      this.row.append(this.#outcome.cell);
    }
    return this.#outcome;
  }

  #draw(): void {
    const { name, what, why, toReview, open, left, choice, edited } = this.#entry;
    const words = this.#words;
    const [mark, title, story, choices] = this.row.children;
    this.row.classList.toggle('open', open);
    this.row.classList.toggle('left', left);
    this.row.setAttribute('aria-expanded', String(this.unfolded));
    mark?.replaceChildren(toReview ? this.#reviewButton() : icon(left ? 'left' : 'check'));
    title?.replaceChildren(name);
    title?.setAttribute('title', name);
    story?.replaceChildren(element('span', { class: 'what' }, what), ' ', element('span', { class: 'why' }, why));
    story?.setAttribute('title', `${what} · ${why}`);
    const group = choices?.firstElementChild;
    group?.setAttribute('aria-label', fill(words.choiceFor, name));
    for (const [index, each] of choiceOrder.entries()) {
      group?.children[index]?.setAttribute('aria-checked', String(each === choice && !edited));
    }
    const parts = [name, what, why, this.#state, this.#chosen];
    this.row.setAttribute('aria-label', parts.filter((part) => part !== '').join(', '));
    if (toReview || this.unfolded || edited) this.#showOutcome().update(this.#entry);
    else {
      this.#outcome?.cell.remove();
      this.#outcome = undefined;
    }
  }

  #reviewButton(): HTMLElement {
    const { open } = this.#entry;
    const label = open ? this.#words.markReviewed : this.#words.markOpen;
    return element(
      'button',
      { type: 'button', tabindex: '-1', 'data-act': 'review', title: label, 'aria-label': label },
      icon(open ? 'look' : 'check'),
    );
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
