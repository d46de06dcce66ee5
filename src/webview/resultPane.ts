import { byId, element } from './elements.ts';
import { placesOf, type LinePosition } from './resultLines.ts';
import type { EntryView, Frame, PageLabels } from './protocol.ts';

/** How many lines are drawn, or left undrawn while they are out of view, together. */
const blockSize = 50;

/** The text that would be written, at the foot of the page: always the present one, with the lines marked that are not as in ours. */
export class ResultPane {
  readonly #pane = byId('result');
  readonly #toggle = byId('result-toggle');
  readonly #text = byId('result-text');
  readonly #changed: () => void;
  /** What each block of lines shows. */
  #blocks: string[] = [];
  #current: Element[] = [];
  #places: ReadonlyMap<string, LinePosition> = new Map();
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
  setLabel(words: PageLabels): void {
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
    this.#draw(texts, touched);
    this.reveal(this.#shown);
  }

  /** Scrolls to the lines of an entry and frames them. */
  reveal(id: string | undefined): void {
    this.#shown = id;
    for (const line of this.#current) line.classList.remove('current');
    this.#current = [];
    const place = id === undefined ? undefined : this.#places.get(id);
    if (!place || !this.open) return;
    for (let line = place.start; line < place.end; line++) {
      const shown = this.#text.children[Math.floor(line / blockSize)]?.children[line % blockSize];
      if (shown) this.#current.push(shown);
    }
    for (const line of this.#current) line.classList.add('current');
    const [first] = this.#current;
    if (!first) return;
    // Not scrollIntoView: that would scroll the page as well.
    const below = first.getBoundingClientRect().top - this.#text.getBoundingClientRect().top;
    this.#text.scrollTop += below - this.#text.clientHeight / 2;
  }

  /** Draws the blocks anew whose lines are not as they were. */
  #draw(texts: readonly string[], touched: ReadonlySet<number>): void {
    const blocks: string[] = [];
    for (let start = 0; start < texts.length; start += blockSize) {
      const lines = texts.slice(start, start + blockSize);
      const now = lines.map((text, index) => (touched.has(start + index) ? '+' : ' ') + text).join('\n');
      const index = blocks.push(now) - 1;
      if (this.#blocks[index] === now) continue;
      const block = element(
        'div',
        { class: 'block' },
        ...lines.map((text, line) =>
          element('div', { class: touched.has(start + line) ? 'line touched' : 'line' }, text),
        ),
      );
      block.style.setProperty('--lines', String(lines.length));
      const before = this.#text.children[index];
      if (before) before.replaceWith(block);
      else this.#text.append(block);
    }
    while (this.#text.children.length > blocks.length) this.#text.lastElementChild?.remove();
    this.#blocks = blocks;
  }
}
