import { element } from './elements.ts';
import type { EntryRow } from './entryRow.ts';
import type { GroupRow } from './groupRow.ts';
import type { PageLabels } from './protocol.ts';

/** How many rows are drawn, or left undrawn while they are out of view, together. */
const blockSize = 10;

/** Rows that stand together, below a heading or below the row of their group. */
export interface ListSection {
  readonly heading: string | GroupRow;
  /** None while the group is collapsed. */
  readonly rows: readonly EntryRow[];
}

/** All entries, below the headings of the file. */
export function bySection(all: readonly EntryRow[], { topSection }: PageLabels): ListSection[] {
  const sections: { heading: string; rows: EntryRow[] }[] = [];
  let last: string | undefined;
  for (const row of all) {
    const { section } = row.entry;
    if (section !== last) sections.push({ heading: section || topSection, rows: [] });
    last = section;
    sections.at(-1)?.rows.push(row);
  }
  return sections;
}

/** The entries to review, and below them all others in groups by the reason that decided them. */
export function byReason(
  all: readonly EntryRow[],
  groups: readonly GroupRow[],
  { toReviewSection, nothingToReview }: PageLabels,
): ListSection[] {
  const toReview = all.filter(({ entry }) => entry.toReview);
  const grouped = groups.map((heading) => ({
    heading,
    rows: heading.expanded ? all.filter(({ entry }) => entry.group === heading.key) : [],
  }));
  return [{ heading: toReview.length > 0 ? toReviewSection : nothingToReview, rows: toReview }, ...grouped];
}

/** The rows of a section that can have the focus, in order. */
export function itemsOf({ heading, rows }: ListSection): (EntryRow | GroupRow)[] {
  return typeof heading === 'string' ? [...rows] : [heading, ...rows];
}

/** Makes the elements of a section. */
export function drawSection({ heading, rows }: ListSection): HTMLElement {
  const isGroup = typeof heading !== 'string';
  const name = isGroup ? (heading.row.getAttribute('aria-label') ?? '') : heading;
  const section = element('div', { role: 'rowgroup', class: 'section', 'aria-label': name });
  section.append(isGroup ? heading.row : headingRow(name));
  for (let start = 0; start < rows.length; start += blockSize) {
    const those = rows.slice(start, start + blockSize);
    const block = element('div', { role: 'none', class: 'block' }, ...those.flatMap((row) => row.elements));
    block.style.setProperty('--rows', String(those.length));
    section.append(block);
  }
  for (const row of rows) row.level = isGroup ? 2 : 1;
  return section;
}

function headingRow(name: string): HTMLElement {
  const header = element('div', { role: 'rowheader', class: 'section-name' }, name);
  return element('div', { role: 'row', class: 'section-row' }, header);
}
