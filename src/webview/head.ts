import { byId, fill } from './elements.ts';
import type { EntryList, ListView } from './entryList.ts';
import type { Frame, PageLabels } from './protocol.ts';

const views: readonly (readonly [ListView, string])[] = [
  ['review', 'show-review'],
  ['all', 'show-all'],
];

/** The head's buttons: what is shown, with the counts, and the way to the next and the previous entry to review. */
export class Head {
  readonly #list: EntryList;
  #words: PageLabels | undefined;

  constructor(list: EntryList) {
    this.#list = list;
    for (const [view, id] of views)
      byId(id).addEventListener('click', () => {
        list.view = view;
        this.drawPosition();
      });
    byId('previous').addEventListener('click', () => list.goToReview('previous'));
    byId('next').addEventListener('click', () => list.goToReview('next'));
  }

  /** Writes what stays the same. */
  setLabel(words: PageLabels): void {
    this.#words = words;
    byId('views').setAttribute('aria-label', words.show);
    for (const [id, label] of [
      ['previous', words.previous],
      ['next', words.next],
    ] as const) {
      byId(id).setAttribute('aria-label', label);
      byId(id).title = label;
    }
  }

  /** Writes the counts. */
  show({ toReview, all }: Frame): void {
    byId('show-review').textContent = toReview;
    byId('show-all').textContent = all;
    byId('summary').hidden = this.#list.entries.length === 0;
    this.drawPosition();
  }

  /** Writes what is shown, and which entry to review has the focus. */
  drawPosition(): void {
    for (const [view, id] of views) byId(id).setAttribute('aria-pressed', String(view === this.#list.view));
    const [at, of] = this.#list.position;
    byId('steps').hidden = of === 0;
    byId('position').textContent = fill(this.#words?.position ?? '', at === 0 ? '–' : String(at), String(of));
  }
}
