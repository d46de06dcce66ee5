import { stripVTControlCharacters } from 'node:util';

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
 * @param columns a row of titles goes first, unless all of them are empty. A column without any text is left out.
 * @param width of the terminal: what does not fit is cut, the columns that yield first being narrowed first. `undefined`: nothing is cut.
 */
export async function layOut(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): Promise<string> {
  const measure = await measurerFor(rows.flat());
  const measured = rows.map((row) => columns.map((_, index) => measure(row[index] ?? '')));
  const widths = columns.map((_, index) => widest(measured, index));
  const titles = columns.map(({ title }) => measure(title));
  titles.forEach((title, index) => {
    if (widths[index]) widths[index] = Math.max(widths[index], title.width);
  });
  if (width !== undefined) fit(columns, widths, width);
  const lines = titles.some((title) => title.width > 0) ? [titles, ...measured] : measured;
  return lines.map((line) => lineOf(line, widths, measure)).join('\n');
}

/** A text that may hold colours, and the columns that it takes. */
interface Cell {
  readonly text: string;
  readonly width: number;
}

type Measure = (text: string) => Cell;

/** Latin letters and the marks that we use ourselves take one column each. */
const narrow = /^[ -~\u00a1-\u00ac\u00ae-\u02ff↑↓←●…]*$/;

/**
 * How texts are measured. Most are narrow; what a terminal shows of the others takes a library to say, which is loaded only for
 * them, because its tables cost more than the whole table here.
 */
async function measurerFor(texts: readonly string[]): Promise<Measure> {
  const all = texts.every((text) => narrow.test(stripVTControlCharacters(text)));
  const stringWidth = all ? undefined : (await import('string-width')).default;
  return (text) => {
    const plain = stripVTControlCharacters(text);
    return { text, width: stringWidth === undefined || narrow.test(plain) ? plain.length : stringWidth(plain) };
  };
}

function widest(rows: readonly (readonly Cell[])[], index: number): number {
  return rows.reduce((most, row) => Math.max(most, row[index]?.width ?? 0), 0);
}

function lineOf(cells: readonly Cell[], widths: readonly number[], measure: Measure): string {
  return cells
    .flatMap((cell, index) => {
      const room = widths[index] ?? 0;
      if (room === 0) return [];
      const { text, width } = cell.width <= room ? cell : cut(cell.text, room, measure);
      return [`${text}${' '.repeat(room - width)}`];
    })
    .join(' '.repeat(gap))
    .trimEnd();
}

/** The beginning of a text that is too long, with an ellipsis; colours are kept, and ended where the text ends them. */
function cut(text: string, room: number, measure: Measure): Cell {
  let kept = '';
  let width = 0;
  let full = false;
  for (const part of text.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith('\u001b')) kept += part;
    else if (!full) {
      for (const character of charactersOf(part)) {
        const next = measure(character).width;
        full = width + next >= room;
        kept += full ? '…' : character;
        if (full) break;
        width += next;
      }
    }
  }
  return { text: kept, width: width + 1 };
}

/** What a terminal shows as one character each: a letter with its accents, an emoji with all that is joined to it. */
function charactersOf(text: string): string[] {
  if (narrow.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
let segmenter: Intl.Segmenter | undefined;

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
