import type { Block } from './resultBuilder.ts';
import { nameKey, splitLines, type Line, type TextLines } from './lines.ts';
import { isListItem, markLines, type MarkedLine, type Unclosed } from './markdownLines.ts';
import type { Named } from './pairing.ts';
import { plainCell, splitRow } from './tableRow.ts';

/** A row of a jobs table. */
export interface Row extends Named {
  /** The first cell without decoration. */
  readonly name: string;
  /** The line, taken apart at the pipes. */
  readonly pieces: readonly string[];
  readonly text: string;
  readonly table: Table;
}

/** A table with a column for the status. */
export interface Table {
  /** Of the header, counted from 1. */
  readonly line: number;
  /** The names of the columns, as names are compared. */
  readonly columns: readonly string[];
  readonly statusColumn: number;
  /** The heading it stands under. */
  readonly section: string;
  /** For each column its width where all cells have the same one. */
  readonly widths: readonly (number | undefined)[];
}

export interface JobsBlock extends Block {
  readonly row: Row | undefined;
  /** The table whose last line this is. */
  readonly endOf: Table | undefined;
}

/** A jobs file, from which the same bytes come back. */
export interface JobsDocument {
  readonly source: TextLines;
  readonly blocks: readonly JobsBlock[];
  readonly tables: readonly Table[];
  readonly rows: readonly Row[];
  /** The names in a list below a heading that speaks of an archive. */
  readonly archived: ReadonlySet<string>;
  readonly marked: readonly MarkedLine[];
  readonly unclosed: Unclosed | undefined;
}

/** Reads a jobs file. Every text can be read; tables without a status are text. */
export function readJobs(text: string): JobsDocument {
  const source = splitLines(text);
  const { lines: marked, unclosed } = markLines(source.lines.map((line) => line.text));
  const blocks: JobsBlock[] = [];
  const tables: Table[] = [];
  const rows: Row[] = [];
  const archived = new Set<string>();
  let section = '';
  let from = 0;

  const push = (until: number, more: { row?: Row; endOf?: Table }, kind: Block['kind']): void => {
    let to = until;
    while (to > from && marked[to - 1]?.role === 'blank') to -= 1;
    const lines: readonly Line[] = source.lines.slice(from, to);
    const blanks = source.lines.slice(to, until);
    blocks.push({ kind: lines.length === 0 ? 'start' : kind, lines, blanks, row: more.row, endOf: more.endOf });
    from = until;
  };

  let index = 0;
  while (index < marked.length) {
    const line = marked[index] as MarkedLine;
    if (line.role === 'heading') section = line.title;
    if (line.role === 'text' && isListItem(line.text) && /\barchived?\b/i.test(section))
      archived.add(itemName(line.text));
    const end = tableEnd(marked, index);
    const table = end === undefined ? undefined : readTable(marked.slice(index, end), index + 1, section);
    if (end === undefined || !table) {
      index = end ?? index + 1;
      continue;
    }
    if (index > from) push(index, {}, 'text');
    tables.push(table);
    let blanksEnd = end;
    while (marked[blanksEnd]?.role === 'blank') blanksEnd += 1;
    const rowsFrom = index + 2;
    push(rowsFrom === end ? blanksEnd : rowsFrom, rowsFrom === end ? { endOf: table } : {}, 'entry');
    for (let at = rowsFrom; at < end; at += 1) {
      const rowText = marked[at]?.text ?? '';
      const row = readRow(rowText, table);
      rows.push(row);
      const isLast = at === end - 1;
      push(isLast ? blanksEnd : at + 1, isLast ? { row, endOf: table } : { row }, 'entry');
    }
    index = blanksEnd;
  }
  if (from < marked.length || blocks.length === 0) push(marked.length, {}, 'text');
  return { source, blocks, tables, rows, archived, marked, unclosed };
}

const isRow = (line: MarkedLine | undefined): boolean => line?.role === 'text' && /^ {0,3}\|/.test(line.text);

/** Where the table that begins on a line ends; undefined if none begins there. */
function tableEnd(marked: readonly MarkedLine[], start: number): number | undefined {
  if (!isRow(marked[start])) return undefined;
  let end = start + 1;
  while (isRow(marked[end])) end += 1;
  return end;
}

function readTable(lines: readonly MarkedLine[], line: number, section: string): Table | undefined {
  if (!/^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*(?:\||$))+[ \t]*$/.test(lines[1]?.text ?? '')) return undefined;
  const split = lines.filter((_, index) => index !== 1).map(({ text }) => splitRow(text));
  const columns = cellsOf(split[0] ?? []).map((cell) => nameKey(plainCell(cell)));
  const statusColumn = columns.indexOf('status', 1);
  if (statusColumn === -1) return undefined;
  const widths = columns.map((_, column) => {
    const width = split[0]?.[column + 1]?.length;
    return split.length > 1 && split.every((pieces) => pieces[column + 1]?.length === width) ? width : undefined;
  });
  return { line, columns, statusColumn, section, widths };
}

function readRow(text: string, table: Table): Row {
  const pieces = splitRow(text);
  const name = plainCell(pieces[1] ?? '');
  const print = table.columns.map((title, column) => {
    const cell = pieces[column + 1] ?? '';
    return `${title}: ${column === 0 || column === table.statusColumn ? nameKey(plainCell(cell)) : cell.trim()}`;
  });
  return { nameKey: nameKey(name), print: print.sort().join('\n'), name, pieces, text, table };
}

/** The cells between the outer pipes. */
function cellsOf(pieces: readonly string[]): readonly string[] {
  return pieces.slice(1, pieces.at(-1)?.trim() === '' ? -1 : undefined);
}

/** The name in an item of a list: what is bold or in backticks at its start, else what stands before a dash or colon. */
function itemName(text: string): string {
  const body = text.replace(/^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?/u, '');
  const marked = /^(?:\*\*([^*]+)\*\*|`([^`]+)`)/.exec(body);
  const [name = ''] = marked ? [marked[1] ?? marked[2]] : body.split(/ [—–-] |: /);
  return nameKey(plainCell(name.replace(/:\s*$/, '')));
}
