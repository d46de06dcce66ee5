import Table from 'cli-table3';
import stringWidth from 'string-width';

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Columns with a higher number are made narrower before others when the terminal is too narrow. */
  readonly yields: number;
}

/** Below this a column says nothing any more and is left out. */
const narrowest = 8;
const gap = 2;

/**
 * Lays rows out in columns without lines around them, wide characters counted as the terminal shows them.
 *
 * @param width of the terminal: what does not fit is cut, the columns that yield first being narrowed first. `undefined`: nothing is cut.
 */
export function layOut(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const widths = columns.map((_, index) =>
    Math.max(0, ...[[...columns.map(({ title }) => title)], ...rows].map((row) => stringWidth(row[index] ?? ''))),
  );
  const empty = columns.map((_, index) => rows.every((row) => (row[index] ?? '') === ''));
  widths.forEach((_, index) => {
    if (empty[index]) widths[index] = 0;
  });
  if (width !== undefined) fit(columns, widths, width);
  const shown = widths.flatMap((each, index) => (each > 0 ? [index] : []));
  const pick = (row: readonly string[]): string[] => shown.map((index) => row[index] ?? '');
  const table = new Table({
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: shown.map((index) => widths[index] ?? 0),
    head: columns.some(({ title }) => title !== '') ? pick(columns.map(({ title }) => title)) : [],
  });
  for (const row of rows) table.push(pick(row));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Narrows columns until the table fits, those that yield first down to nothing before the next ones give way. */
function fit(columns: readonly Column[], widths: number[], width: number): void {
  const total = (): number => {
    const shown = widths.filter((each) => each > 0);
    return shown.reduce((sum, each) => sum + each, 0) + gap * Math.max(0, shown.length - 1);
  };
  const order = columns
    .map((_, index) => index)
    .sort((one, other) => (columns[other]?.yields ?? 0) - (columns[one]?.yields ?? 0));
  for (const index of order) {
    const over = total() - width;
    if (over <= 0) return;
    const narrowed = (widths[index] ?? 0) - over;
    widths[index] = narrowed >= narrowest ? narrowed : index === order.at(-1) ? Math.max(1, narrowed) : 0;
  }
}

const places =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const noLines: Readonly<Record<string, string>> = {
  ...Object.fromEntries(places.split(' ').map((place) => [place, ''] as const)),
  middle: ' '.repeat(gap),
};
