import { isBlank } from './lines.ts';

/**
 * What a line of Markdown is, as far as these files need it.
 *
 * - `opaque`: in a code fence or an HTML comment, the lines that open and close it included
 * - `text`: everything else, list items and table rows among it
 */
export type LineRole = 'blank' | 'heading' | 'opaque' | 'text';

export interface MarkedLine {
  readonly role: LineRole;
  readonly text: string;
  /** 1 to 6, of a heading. */
  readonly level: number;
  /** Of a heading, without its marks. */
  readonly title: string;
  /** Whether an opaque line goes on from the one before. */
  readonly goesOn: boolean;
}

/** A fence or comment that is never closed: what follows it cannot be read. The line is counted from 1. */
export interface Unclosed {
  readonly line: number;
  readonly what: 'code fence' | 'comment';
}

interface Open {
  readonly what: 'code fence' | 'comment';
  readonly line: number;
  /** The marks of a fence. */
  readonly marks: string;
  /** Whether it is in a list item, and ends with it. */
  readonly nested: boolean;
}

const headingPattern = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const fencePattern = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;
const commentPattern = /^[ \t]*<!--/;
const itemPattern = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Whether a line is far enough to the right to belong to the list item above. */
export function isIndented(text: string): boolean {
  return /^(?: {2}| ?\t)/.test(text);
}

/** Whether a line begins an item of a list that is not itself in one. */
export function isListItem(text: string): boolean {
  return itemPattern.test(text);
}

/** Says of each line what it is, in one pass. */
export function markLines(texts: readonly string[]): { lines: MarkedLine[]; unclosed: Unclosed | undefined } {
  const lines: MarkedLine[] = [];
  let open: Open | undefined;
  let inList = false;
  for (const [index, text] of texts.entries()) {
    const indented = isIndented(text);
    if (open?.nested && !indented && !isBlank(text)) open = undefined;
    if (open !== undefined) {
      lines.push({ role: 'opaque', text, level: 0, title: '', goesOn: true });
      if (closes(open, text)) open = undefined;
      continue;
    }
    if (isBlank(text)) {
      lines.push({ role: 'blank', text, level: 0, title: '', goesOn: false });
      continue;
    }
    if (isListItem(text)) inList = true;
    else if (!indented) inList = false;
    const opened = opening(text, index + 1, inList, indented);
    const heading = opened ? undefined : headingPattern.exec(text);
    if (heading) {
      const title = (heading[2] ?? '').replace(/(?:^|[ \t])#+[ \t]*$/, '').trim();
      lines.push({ role: 'heading', text, level: heading[1]?.length ?? 1, title, goesOn: false });
      continue;
    }
    // The first line of a list item is an item, also where a fence begins on it.
    const opaque = opened !== undefined && !isListItem(text);
    lines.push({ role: opaque ? 'opaque' : 'text', text, level: 0, title: '', goesOn: false });
    open = opened !== undefined && !closesAtOnce(opened, text) ? opened : undefined;
  }
  return { lines, unclosed: open === undefined || open.nested ? undefined : { line: open.line, what: open.what } };
}

function opening(text: string, line: number, inList: boolean, indented: boolean): Open | undefined {
  const fence = fencePattern.exec(text);
  if (fence) {
    const [, indent = '', item, marks = '', info = ''] = fence;
    const isInline = marks.startsWith('`') && info.includes('`');
    const isCode = !inList && (indent.length > 3 || indent.includes('\t'));
    if (!isInline && !isCode) {
      return { what: 'code fence', line, marks, nested: inList && (indented || item !== undefined) };
    }
  }
  if (commentPattern.test(text)) return { what: 'comment', line, marks: '', nested: inList && indented };
  return undefined;
}

function closesAtOnce(open: Open, text: string): boolean {
  return open.what === 'comment' && closes(open, text);
}

function closes(open: Open, text: string): boolean {
  if (open.what === 'comment') return text.includes('-->');
  const marks = text.trim();
  return marks.length >= open.marks.length && marks === open.marks.charAt(0).repeat(marks.length);
}
