import { element, fill, icon } from './elements.ts';
import type { EntryView, PageLabels } from './protocol.ts';

/**
 * What becomes of an entry, in its row: the lines of the result, which can be edited in place, and what is lost, struck through. Its own changes
 * reach the editor through `edited`; while somebody writes nothing is drawn over their text.
 */
export class Outcome {
  readonly cell = element('div', { role: 'gridcell', class: 'outcome' });
  readonly #words: PageLabels;
  readonly #edited: (text: string) => void;
  #entry: EntryView;
  #area: HTMLTextAreaElement | undefined;

  /** @param edited is called with the text that a person wrote. */
  constructor(entry: EntryView, words: PageLabels, edited: (text: string) => void) {
    this.#entry = entry;
    this.#words = words;
    this.#edited = edited;
    this.#draw();
  }

  /** Shows another state of the same entry. */
  update(entry: EntryView): void {
    this.#entry = entry;
    if (!this.#area) this.#draw();
  }

  /** Lets a person write in place of the result. */
  edit(): void {
    if (this.#area) return this.#area.focus();
    const { name, result } = this.#entry;
    const text = result ?? '';
    const words = this.#words;
    const label = fill(words.resultOf, name);
    const area = element('textarea', { 'aria-label': label, title: words.editHint, spellcheck: 'false' }, text);
    this.#area = area;
    area.rows = Math.min(12, text.split('\n').length + 1);
    // Left by any way but Escape it counts.
    area.addEventListener('blur', () => this.#end(true));
    area.addEventListener('keydown', (event) => this.#onKey(event));
    this.cell.replaceChildren(area);
    area.focus();
    area.setSelectionRange(text.length, text.length);
  }

  #onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isDone = key === 'Enter' && (ctrlKey || metaKey);
    const isUndo = (ctrlKey || metaKey) && /^[zy]$/i.test(key);
    // What is typed is for the text alone, not for the list around it or for key bindings of the workbench.
    if (isDone || isUndo || key === 'F2' || !(ctrlKey || metaKey || altKey || /^F\d+$/.test(key)))
      event.stopPropagation();
    if (!isDone && key !== 'Escape') return;
    event.preventDefault();
    this.#end(isDone);
    this.cell.closest<HTMLElement>('.entry')?.focus({ preventScroll: true });
  }

  #end(counts: boolean): void {
    const area = this.#area;
    if (!area) return;
    this.#area = undefined;
    const text = area.value;
    this.#draw();
    if (counts && text !== (this.#entry.result ?? '')) this.#edited(text);
  }

  #draw(): void {
    const { result, dropped } = this.#entry;
    const words = this.#words;
    const lines = result === null ? element('em', {}, words.leftOut) : element('span', { class: 'lines' }, result);
    const edit = element('button', { type: 'button', class: 'edit', 'data-act': 'edit', tabindex: '-1' }, icon('edit'));
    edit.title = words.edit;
    edit.setAttribute('aria-label', words.edit);
    this.cell.replaceChildren(
      element('div', { class: 'outcome-result' }, element('span', { class: 'label' }, words.result), lines, edit),
    );
    if (dropped.length === 0) return;
    const lost = dropped.map((line) => element('del', {}, line.trim()));
    this.cell.append(
      element(
        'div',
        { class: 'dropped' },
        element('span', { class: 'label' }, words.dropped),
        element('span', { class: 'lines' }, ...lost.flatMap((line, index) => (index === 0 ? [line] : ['\n', line]))),
      ),
    );
  }
}
