import { isBlank } from './lines.ts';
import { isIndented, isListItem, type MarkedLine } from './markdownLines.ts';
import type { Section } from './sections.ts';

/**
 * What a note is: a part of a session file that is no task.
 *
 * - `title`: the heading of the file
 * - `item`: an item of a list with all that is below it
 * - `row`: a row of a table; the first one has the line that separates it from the others
 * - `paragraph`: running text
 * - `block`: a code fence or an HTML comment
 */
export type NoteKind = 'title' | 'item' | 'row' | 'paragraph' | 'block';

/** A part of a session file that is no task: it is merged as a whole, or stays as a whole. */
export interface Note {
  readonly kind: NoteKind;
  readonly texts: readonly string[];
  /** Its content in a form for comparison. */
  readonly print: string;
  readonly section: Section;
  /** The third-level heading that it is below, if any. */
  readonly group: string;
}

/** What begins with a line that is neither blank nor a heading: a note, or a line that only separates. */
export function noteKindOf({ role, text }: MarkedLine): Exclude<NoteKind, 'title'> | 'rule' {
  if (role === 'opaque') return 'block';
  if (/^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(text)) return 'rule';
  if (isListItem(text)) return 'item';
  return isRow(text) ? 'row' : 'paragraph';
}

/**
 * Whether a line belongs to the note before it.
 *
 * @param length the number of lines that the note has.
 * @param blanks the number of blank lines between the two.
 */
export function noteGoesOn(
  kind: Exclude<NoteKind, 'title'> | 'rule',
  length: number,
  blanks: number,
  line: MarkedLine,
): boolean {
  const { role, text, goesOn } = line;
  if (role === 'opaque' && goesOn) return true;
  switch (kind) {
    case 'item':
      if (isIndented(text)) return true;
      return blanks === 0 && role === 'text' && noteKindOf(line) === 'paragraph' && !/^ ?>/.test(text);
    case 'row':
      return blanks === 0 && length === 1 && /^ {0,3}\|[ \t:|-]*-[ \t:|-]*$/.test(text);
    case 'paragraph':
      return blanks === 0 && role === 'text' && (noteKindOf(line) === 'paragraph' || /^ {0,3}-+[ \t]*$/.test(text));
    case 'block':
    case 'rule':
      return false;
  }
}

/** The content of a note as notes are compared: how it is marked as an item, and how a row is padded, does not count. */
export function notePrint(kind: NoteKind, texts: readonly string[]): string {
  const lines = texts.map((text) => text.trimEnd());
  if (kind === 'row') return lines.map((line) => line.trim().replace(/[ \t]*\|[ \t]*/g, '|')).join('\n');
  if (kind === 'item')
    return [(lines[0] ?? '').replace(/^(?:[-*+]|\d{1,9}[.)])[ \t]+/, ''), ...lines.slice(1)].join('\n');
  return kind === 'block' ? lines.join('\n') : lines.map((line) => line.trimStart()).join('\n');
}

/** A note as a person would name it: its first line without what marks it. */
export function noteName({ kind, texts, section }: Note): string {
  if (kind === 'title') return section.title;
  const text = texts.find((line) => !isBlank(line) && (kind !== 'block' || /\w/.test(line))) ?? texts[0] ?? '';
  const plain = kind === 'row' ? text.trim().replace(/^\||\|$/g, '') : text.replace(/^(?:[-*+]|\d{1,9}[.)])[ \t]+/, '');
  return plain.replaceAll('**', '').trim();
}

const isRow = (text: string): boolean => /^ {0,3}\|/.test(text);
