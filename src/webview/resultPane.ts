import { byId, element } from './elements.ts';
import { placesOf, type Place } from './resultLines.ts';
import type { EntryView, Frame, Words } from './protocol.ts';

interface Line {
  readonly text: string;
  readonly touched: boolean;
}

/** The text that would be written, at the foot of the page: always the present one, with the lines marked that are not as in ours. */
export class ResultPane {
  readonly #pane = byId('result');
  readonly #toggle = byId('result-toggle');
  readonly #text = byId('result-text');
  readonly #changed: () => void;
  #lines: Line[] = [];
  #places: ReadonlyMap<string, Place> = new Map();
  #shown: string | undefined;

  /** @param changed is called when the person opens or closes it. */
  constructor(changed: () => void) {
    this.#changed = changed;
    this.#toggle.addEventListener('click', () => {
      this.open = !this.open;
      this.#changed();
    });
  }

  get open(): boolean {
    return this.#toggle.getAttribute('aria-expanded') === 'true';
  }

  set open(open: boolean) {
    this.#toggle.setAttribute('aria-expanded', String(open));
    this.#pane.classList.toggle('closed', !open);
    this.#text.hidden = !open;
    if (open) this.reveal(this.#shown);
  }

  /** Writes the headings. */
  setWords(words: Words): void {
    byId('result-title').textContent = words.result;
    byId('result-hint').textContent = words.resultHint;
    this.#text.setAttribute('aria-label', words.result);
  }

  /** Shows a text; only the lines that are not as they were are drawn anew. */
  show({ result }: Frame, entries: readonly EntryView[]): void {
    this.#pane.hidden = result === null;
    const texts = (result ?? '').split(/\r?\n/);
    // What is behind the last line end is no line.
    if (texts.at(-1) === '') texts.pop();
    this.#places = placesOf(texts, entries);
    const touched = new Set<number>();
    for (const place of this.#places.values()) {
      if (!place.touched) continue;
      for (let line = place.start; line < place.end; line++) touched.add(line);
    }
    this.#replace(texts.map((text, index) => ({ text, touched: touched.has(index) })));
    this.reveal(this.#shown);
  }

  /** Scrolls to the lines of an entry and frames them. */
  reveal(id: string | undefined): void {
    this.#shown = id;
    for (const line of this.#text.querySelectorAll('.current')) line.classList.remove('current');
    const place = id === undefined ? undefined : this.#places.get(id);
    if (!place || !this.open) return;
    for (let line = place.start; line < place.end; line++) this.#text.children[line]?.classList.add('current');
    const first = this.#text.children[place.start];
    if (first instanceof HTMLElement) {
      const middle = first.offsetTop - this.#text.clientHeight / 2;
      this.#text.scrollTop = Math.max(0, middle);
    }
  }

  #replace(lines: Line[]): void {
    const before = this.#lines;
    const same = (one: Line | undefined, other: Line | undefined): boolean =>
      one !== undefined && one.text === other?.text && one.touched === other.touched;
    let head = 0;
    while (same(before[head], lines[head])) head++;
    let tail = 0;
    while (
      tail < Math.min(before.length, lines.length) - head &&
      same(before[before.length - 1 - tail], lines[lines.length - 1 - tail])
    ) {
      tail++;
    }
    for (let count = before.length - tail - head; count > 0; count--) this.#text.children[head]?.remove();
    const fresh = document.createDocumentFragment();
    for (const { text, touched } of lines.slice(head, lines.length - tail)) {
      fresh.append(element('div', { class: touched ? 'line touched' : 'line' }, text));
    }
    this.#text.insertBefore(fresh, this.#text.children[head] ?? null);
    this.#lines = lines;
  }
}
