import type { Choice } from '../core/session/model.ts';
import { byId } from './elements.ts';
import { EntryRow } from './entryRow.ts';
import { GroupRow } from './groupRow.ts';
import { actionOf, type ListActions } from './listKeys.ts';
import { byReason, bySection, drawSection, itemsOf } from './listLayout.ts';
import { choiceOrder, type EntryGroup, type EntryView, type PageLabels, type ReviewStep } from './protocol.ts';

/** The most entries that are unfolded by themselves: with more, a person has to be able to see what there is. */
const mostUnfolded = 5;

/** What is shown: the entries to review, with all others in groups, or all of them in the order of the file. */
export type ListView = 'review' | 'all';

/** What the list reports to the page. */
export interface ListEvents {
  choose(id: string, choice: Choice): void;
  edit(id: string, text: string): void;
  review(id: string, reviewed: boolean): void;
  /** Another entry has the focus. */
  focused(id: string): void;
  /** Something changed that is to be remembered. */
  changed(): void;
}

/** How the list was left. */
export interface ListState {
  readonly view: ListView;
  readonly unfolded: readonly string[];
  readonly expanded: readonly string[];
}

/**
 * The entries, a grid with one row each. One of them is in the tab order; the arrow keys go from row to row, Space and Shift+Space change
 * the choice, Enter shows the three versions, and the right and left arrow open and close them, and groups, as in a tree.
 */
export class EntryList implements ListActions {
  readonly #grid = byId('entries');
  readonly #events: ListEvents;
  #words: PageLabels | undefined;
  #rows = new Map<string, EntryRow>();
  #groups: GroupRow[] = [];
  #view: ListView = 'all';
  /** The rows that are shown, in order. */
  #items: (EntryRow | GroupRow)[] = [];
  #current: string | undefined;
  #canChoose = false;

  constructor(events: ListEvents) {
    this.#events = events;
    this.#grid.addEventListener('click', (event) => this.#onClick(event));
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.#grid.addEventListener('focusin', (event) => {
      const item = this.#itemOf(event.target);
      if (item) this.#setCurrent(item);
    });
  }

  /** Shows entries, as they were left or with the focus on what is to be reviewed. */
  show(
    entries: readonly EntryView[],
    groups: readonly EntryGroup[],
    words: PageLabels,
    state: ListState | undefined,
  ): void {
    this.#words = words;
    const onEdit = (id: string, text: string): void => this.#events.edit(id, text);
    this.#rows = new Map(entries.map((entry) => [entry.id, new EntryRow(entry, words, onEdit)]));
    // What a person has decided otherwise is not hidden from them.
    const own = new Set(
      entries.filter(({ choice, edited }) => choice !== 'merged' || edited).map(({ group }) => group),
    );
    this.#groups = groups.map(
      (group) => new GroupRow(group, state?.expanded.includes(group.key) ?? own.has(group.key)),
    );
    const toReview = this.#toReview;
    this.#view = state?.view ?? (toReview.length > 0 ? 'review' : 'all');
    const first = toReview.find(({ entry }) => entry.open) ?? toReview[0];
    this.#current = (first ?? this.#rows.get(entries[0]?.id ?? ''))?.key;
    this.#grid.hidden = entries.length === 0;
    this.#grid.setAttribute('aria-label', words.entries);
    this.#layOut();
    const unfolded = new Set(state?.unfolded);
    const open = toReview.filter(({ entry }) => entry.open).slice(0, mostUnfolded);
    for (const row of state ? [...this.#rows.values()].filter(({ key }) => unfolded.has(key)) : open) row.unfold(true);
  }

  /** Updates changed entries only. Returns the announcement for screen readers. */
  update(entries: readonly EntryView[]): string {
    const spoken: string[] = [];
    for (const entry of entries) {
      const row = this.#rows.get(entry.id);
      if (!row) continue;
      const before = row.entry;
      row.update(entry);
      if (before.choice !== entry.choice || before.result !== entry.result) spoken.push(row.spoken);
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
    return [...this.#rows.values()].map((row) => row.entry);
  }

  get state(): ListState {
    return {
      view: this.#view,
      unfolded: [...this.#rows.values()].filter((row) => row.unfolded).map(({ key }) => key),
      expanded: this.#groups.filter(({ expanded }) => expanded).map(({ key }) => key),
    };
  }

  get view(): ListView {
    return this.#view;
  }

  set view(view: ListView) {
    if (view === this.#view) return;
    this.#view = view;
    this.#layOut();
    this.#events.changed();
  }

  /** The entry, or the group, that has the focus when the list has it. */
  get current(): string | undefined {
    return this.#current;
  }

  /** Which of the entries to review has the focus, counted from 1, and how many there are; 0 for none of them. */
  get position(): readonly [at: number, of: number] {
    const toReview = this.#toReview;
    return [toReview.findIndex(({ key }) => key === this.#current) + 1, toReview.length];
  }

  /** Puts the focus on an entry, or on the one that had it. */
  focus(key: string | undefined = this.#current): void {
    this.#goTo(this.#items.find((item) => item.key === key) ?? this.#items[0]);
  }

  /** Moves the focus to the next or previous entry to review that is not reviewed yet, else to one that is, starting over at the end. */
  goToReview(to: ReviewStep): void {
    const all = this.#toReview;
    const open = all.filter(({ entry, key }) => entry.open || key === this.#current);
    const among = open.some(({ entry, key }) => entry.open && key !== this.#current) ? open : all;
    if (among.length === 0) return;
    const at = among.findIndex(({ key }) => key === this.#current);
    const step = to === 'next' ? 1 : -1;
    const index = at < 0 ? (to === 'next' ? 0 : among.length - 1) : (at + step + among.length) % among.length;
    const row = among[index];
    row?.unfold(true);
    this.#goTo(row);
  }

  move(rows: number): void {
    const at = this.#items.findIndex(({ key }) => key === this.#current);
    this.#goTo(this.#items[Math.min(this.#items.length - 1, Math.max(0, at + rows))]);
  }

  unfold(unfolded: boolean | 'toggle'): void {
    const item = this.#currentItem;
    if (item instanceof GroupRow) {
      item.expanded = unfolded === 'toggle' ? !item.expanded : unfolded;
      this.#layOut();
      item.row.focus({ preventScroll: true });
    } else item?.unfold(unfolded === 'toggle' ? !item.unfolded : unfolded);
    this.#events.changed();
  }

  cycle(step: 1 | -1): void {
    const item = this.#currentItem;
    if (item instanceof GroupRow) return this.unfold('toggle');
    const { length } = choiceOrder;
    const next = item && choiceOrder[(choiceOrder.indexOf(item.entry.choice) + step + length) % length];
    if (next) this.#choose(item, next);
  }

  review(): void {
    const item = this.#currentItem;
    if (!(item instanceof EntryRow) || !item.entry.toReview || !this.#canChoose) return;
    // What is reviewed makes room for the next one.
    item.unfold(!item.entry.open);
    this.#events.review(item.key, item.entry.open);
  }

  edit(): void {
    const item = this.#currentItem;
    if (item instanceof EntryRow && this.#canChoose) item.edit();
  }

  get #toReview(): EntryRow[] {
    return [...this.#rows.values()].filter(({ entry }) => entry.toReview);
  }

  get #currentItem(): EntryRow | GroupRow | undefined {
    return this.#items.find(({ key }) => key === this.#current);
  }

  /** Puts the rows that are shown into the page. */
  #layOut(): void {
    const words = this.#words;
    if (!words) return;
    const rows = [...this.#rows.values()];
    const sections = this.#view === 'all' ? bySection(rows, words) : byReason(rows, this.#groups, words);
    this.#items = sections.flatMap(itemsOf);
    this.#grid.replaceChildren(...sections.map(drawSection));
    for (const { row, key } of this.#items) row.dataset['key'] = key;
    if (!this.#currentItem) this.#current = this.#items[0]?.key;
    for (const { row, key } of this.#items) row.setAttribute('tabindex', key === this.#current ? '0' : '-1');
  }

  #onClick({ target }: MouseEvent): void {
    const item = this.#itemOf(target);
    if (!item || !(target instanceof Element) || target.closest('textarea')) return;
    this.#goTo(item);
    const choice = target.closest<HTMLElement>('[data-choice]')?.dataset['choice'] as Choice | undefined;
    const act = target.closest<HTMLElement>('[data-act]')?.dataset['act'];
    if (item instanceof EntryRow && choice) this.#choose(item, choice);
    else if (act === 'review') this.review();
    else if (act === 'edit') this.edit();
    // Who marks text to copy it does not want to fold.
    else if (!target.closest('.outcome') && (getSelection()?.isCollapsed ?? true)) this.unfold('toggle');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actionOf(event, this);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #choose(row: EntryRow, choice: Choice): void {
    if (this.#canChoose) this.#events.choose(row.key, choice);
  }

  #goTo(item: EntryRow | GroupRow | undefined): void {
    if (!item) return;
    item.row.focus({ preventScroll: true });
    item.row.scrollIntoView({ block: 'nearest' });
  }

  #setCurrent(item: EntryRow | GroupRow): void {
    this.#currentItem?.row.setAttribute('tabindex', '-1');
    this.#current = item.key;
    item.row.setAttribute('tabindex', '0');
    this.#events.focused(item.key);
  }

  #itemOf(target: EventTarget | null): EntryRow | GroupRow | undefined {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
    return this.#items.find((item) => item.row === row);
  }
}
