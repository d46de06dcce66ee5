import type { MarkedLine, Unclosed } from './markdownLines.ts';
import type { SessionDocument } from './sessionDocument.ts';

/** Where a version cannot be read: a fence or comment that swallows the rest, or bytes that are no text. */
export function unreadableLine(
  version: 'ours' | 'theirs' | 'base',
  document: { readonly marked: readonly MarkedLine[]; readonly unclosed: Unclosed | undefined },
): string | undefined {
  const { marked, unclosed } = document;
  if (unclosed) return at(unclosed.line, version, `a ${unclosed.what} is not closed`);
  const binary = marked.findIndex(({ text }) => text.includes('\0'));
  return binary === -1 ? undefined : at(binary + 1, version, 'this is no text');
}

/** Where a version still has conflict markers of git. */
export function conflictLine(version: 'ours' | 'theirs' | 'base', marked: readonly MarkedLine[]): string | undefined {
  const found = marked.findIndex(({ role, text }) => role !== 'opaque' && /^(?:<{7}|>{7}|\|{7})(?: |$)/.test(text));
  return found === -1 ? undefined : at(found + 1, version, 'git’s conflict markers are still there');
}

/** Why the rules do not apply to these session files, with the line; undefined if they do. */
export function unknownSession(
  base: SessionDocument | undefined,
  ours: SessionDocument,
  theirs: SessionDocument,
): string | undefined {
  const versions = [['ours', ours] as const, ['theirs', theirs] as const, ...(base ? [['base', base] as const] : [])];
  for (const [version, document] of versions) {
    const line = unreadableLine(version, document) ?? conflictLine(version, document.marked);
    if (line !== undefined) return line;
  }
  const hasTasks = ({ sections }: SessionDocument): boolean => sections.some(({ role }) => role !== 'text');
  if (!hasTasks(ours) && !hasTasks(theirs))
    return at(1, 'ours', 'there is no section of tasks, such as “## Pending Tasks”');
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
export function at(line: number, version: 'ours' | 'theirs' | 'base', what: string): string {
  return `line ${line} of ${version === 'base' ? 'the base' : version}: ${what}`;
}
