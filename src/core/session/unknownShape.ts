import type { MarkedLine, Unclosed } from './markdownLines.ts';
import type { SessionDocument } from './sessionDocument.ts';

/** Why a file does not have the expected shape. */
export interface ShapeFault {
  /** Counted from 1. */
  readonly line: number;
  /** A sentence part: "a code fence is not closed". */
  readonly what: string;
}

type Version = 'ours' | 'theirs' | 'base';

interface Marked {
  readonly marked: readonly MarkedLine[];
  readonly unclosed: Unclosed | undefined;
}

/** Where a file cannot be read: a fence or comment that swallows the rest, or bytes that are no text. */
export function unreadable({ marked, unclosed }: Marked): ShapeFault | undefined {
  if (unclosed) return { line: unclosed.line, what: `a ${unclosed.what} is not closed` };
  const binary = marked.findIndex(({ text }) => text.includes('\0'));
  return binary === -1 ? undefined : { line: binary + 1, what: 'this is no text' };
}

/** Where a file cannot be read, or still has conflict markers of git. */
export function unreadableOrConflicting(document: Marked): ShapeFault | undefined {
  const markers = /^(?:<{7}|>{7}|\|{7})(?: |$)/;
  const found = document.marked.findIndex(({ role, text }) => role !== 'opaque' && markers.test(text));
  const conflict = found === -1 ? undefined : { line: found + 1, what: "git's conflict markers are still there" };
  return unreadable(document) ?? conflict;
}

/** The first fault among the versions of a file, as a sentence part with its line; `undefined` when there is none. */
export function faultAmong<Document>(
  versions: Readonly<Record<Version, Document | undefined>>,
  faultOf: (document: Document, version: Version) => ShapeFault | undefined,
): string | undefined {
  for (const version of ['ours', 'theirs', 'base'] as const) {
    const document = versions[version];
    const fault = document && faultOf(document, version);
    if (fault) return at(fault.line, version, fault.what);
  }
  return undefined;
}

/** A session file without tasks. */
export const noTasks: ShapeFault = { line: 1, what: 'there is no section of tasks, such as “## Pending Tasks”' };

/** Whether a session file has a section of tasks. */
export function hasTasks({ sections }: SessionDocument): boolean {
  return sections.some(({ role }) => role !== 'text');
}

/** Why the rules do not apply to these session files, with the line; undefined if they do. */
export function unknownSession(
  base: SessionDocument | undefined,
  ours: SessionDocument,
  theirs: SessionDocument,
): string | undefined {
  const fault = faultAmong({ ours, theirs, base }, unreadableOrConflicting);
  if (fault !== undefined) return fault;
  if (!hasTasks(ours) && !hasTasks(theirs)) return at(noTasks.line, 'ours', noTasks.what);
  return strangeItem(base, ours, theirs);
}

/** Something in theirs' lists of tasks that is no task, and that only theirs has: taking ours would lose it silently. */
function strangeItem(
  base: SessionDocument | undefined,
  ours: SessionDocument,
  theirs: SessionDocument,
): string | undefined {
  const known = new Set([...ours.marked, ...(base?.marked ?? [])].map(({ text }) => text.trim()));
  for (const { kind, section, lines, line, isPlaceholder } of theirs.blocks) {
    if (kind !== 'text' || section.role === 'text' || isPlaceholder) continue;
    const found = lines.findIndex(
      ({ text }, index) =>
        theirs.marked[line - 1 + index]?.role === 'text' &&
        /^(?:[-*+] |\d{1,9}[.)] |\|)/.test(text) &&
        !known.has(text.trim()),
    );
    if (found !== -1) return at(line + found, 'theirs', `this is no task, but stands among the “${section.title}”`);
  }
  return undefined;
}

/** A position for people: "line 12 of theirs: …". */
export function at(line: number, version: Version, what: string): string {
  return `line ${line} of ${version === 'base' ? 'the base' : version}: ${what}`;
}
