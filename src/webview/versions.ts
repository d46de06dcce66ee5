import { element } from './elements.ts';
import type { EntryView, PageLabels } from './protocol.ts';

/** The three versions of an entry side by side; a line that the base does not have is marked. */
export function versionsRow(entry: EntryView, words: PageLabels): HTMLElement {
  const known = new Set(entry.base?.split(/\r?\n/) ?? []);
  const cell = element('div', { role: 'gridcell', class: 'versions' });
  for (const [side, title, text] of [
    ['base', words.base, entry.base],
    ['ours', words.ours, entry.ours],
    ['theirs', words.theirs, entry.theirs],
  ] as const) {
    cell.append(
      element(
        'div',
        { class: 'version' },
        element('div', { class: 'version-title' }, title),
        text === null
          ? element('div', { class: 'absent' }, words.absent)
          : lines(text, side === 'base' ? undefined : known),
      ),
    );
  }
  return element('div', { role: 'row', 'aria-level': '2', class: 'details' }, cell);
}

function lines(text: string, known: ReadonlySet<string> | undefined): HTMLElement {
  const block = element('div', { class: 'version-text' });
  for (const line of text.split(/\r?\n/)) {
    const isNew = known !== undefined && !known.has(line);
    block.append(element('div', { class: isNew ? 'line touched' : 'line' }, line === '' ? ' ' : line));
  }
  return block;
}
