/** Takes a table's line apart at its pipes, escaped ones left alone; joined with pipes the pieces are the line. */
export function splitRow(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '|') {
      pieces.push(text.slice(from, index));
      from = index + 1;
    }
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** A cell without the spaces around it and without bold, italics, backticks. */
export function plainCell(cell: string): string {
  return decorated(cell).content;
}

function decorated(cell: string): { lead: string; open: string; content: string; close: string; trail: string } {
  const trimmed = cell.trim();
  const lead = cell.slice(0, cell.length - cell.trimStart().length);
  const trail = trimmed === '' ? '' : cell.slice(cell.trimEnd().length);
  let open = 0;
  let close = 0;
  const isMark = (at: number): boolean => '*_`~'.includes(trimmed[at] ?? ' ');
  while (open * 2 + 2 < trimmed.length && isMark(open) && trimmed[open] === trimmed.at(-1 - open)) open += 1;
  close = open;
  return {
    lead,
    open: trimmed.slice(0, open),
    content: trimmed.slice(open, trimmed.length - close).trim(),
    close: trimmed.slice(trimmed.length - close),
    trail,
  };
}

/**
 * A cell with other content, and with the decoration and the width that it had.
 *
 * @param width the width to keep; undefined where the columns are not aligned.
 */
export function cellWith(cell: string, content: string, width: number | undefined): string {
  const { lead, open, close, trail } = decorated(cell);
  const keep = width ?? (trail.length > 1 ? cell.length : undefined);
  const filled = (lead === '' && trail === '' && cell !== '' ? '' : lead || ' ') + open + content + close;
  if (keep === undefined) return filled + (trail === '' && lead === '' ? trail : trail || ' ');
  return (filled + ' ').padEnd(keep);
}
