import { element, icon } from './elements.ts';
import type { EntryGroup } from './protocol.ts';

/** The row above the entries that are decided for the same reason; they are shown while it is expanded. */
export class GroupRow {
  readonly row: HTMLElement;
  readonly key: string;

  constructor({ key, what, why }: EntryGroup, expanded: boolean) {
    this.key = key;
    this.row = element(
      'div',
      { role: 'row', class: 'group-row', tabindex: '-1', 'aria-level': '1', 'aria-label': `${what}, ${why}` },
      element('div', { role: 'gridcell', class: 'fold' }, icon('chevron')),
      element(
        'div',
        { role: 'rowheader', class: 'group-name' },
        element('span', { class: 'what' }, what),
        ' ',
        element('span', { class: 'why' }, why),
      ),
    );
    this.expanded = expanded;
  }

  get expanded(): boolean {
    return this.row.getAttribute('aria-expanded') === 'true';
  }

  set expanded(expanded: boolean) {
    this.row.setAttribute('aria-expanded', String(expanded));
  }
}
