/** A line of a file, kept apart from what ends it: `\n`, `\r\n`, or nothing at the end of a file. */
export interface Line {
  readonly text: string;
  readonly end: string;
}

/** A file as lines, from which the same bytes come back. */
export interface TextLines {
  /** The byte order mark, or nothing. */
  readonly bom: string;
  readonly lines: readonly Line[];
  /** What ends most of the lines; undefined where there is no line end at all. */
  readonly eol: string | undefined;
}

const byteOrderMark = '\uFEFF';

/** Takes a file's text apart. A carriage return alone is a character like any other. */
export function splitLines(text: string): TextLines {
  const bom = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const lines: Line[] = [];
  let dos = 0;
  let from = bom.length;
  while (from < text.length) {
    const feed = text.indexOf('\n', from);
    if (feed === -1) {
      lines.push({ text: text.slice(from), end: '' });
      break;
    }
    const isDos = feed > from && text[feed - 1] === '\r';
    if (isDos) dos += 1;
    lines.push({ text: text.slice(from, isDos ? feed - 1 : feed), end: isDos ? '\r\n' : '\n' });
    from = feed + 1;
  }
  const ended = lines.length - (lines.at(-1)?.end === '' ? 1 : 0);
  return { bom, lines, eol: ended === 0 ? undefined : dos * 2 > ended ? '\r\n' : '\n' };
}

/** Whether a line has nothing to read. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Whether two runs of lines read the same; spaces at their ends do not count. */
export function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line.trimEnd() === other[index]?.trimEnd());
}

/** A name as names are compared: one form of each character, spaces folded, without case. */
export function nameKey(name: string): string {
  const folded = name.trim().replace(/\s{2,}|[^\S ]/g, ' ');
  // Most names are plain ASCII, which has one form only.
  if (/^[\x20-\x7e]*$/.test(folded)) return folded.toLowerCase();
  return folded.normalize('NFC').toLowerCase().normalize('NFC');
}
