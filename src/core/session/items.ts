import { isBlank } from './lines.ts';
import { isIndented, isListItem, markLines } from './markdownLines.ts';

/** A piece of an entry's body that is there or not: it is never taken apart. */
interface Item {
  readonly lines: string[];
  /** Running text would melt into what stands directly before it. */
  readonly isParagraph: boolean;
  readonly blankBefore: boolean;
}

/**
 * Ours, and after it the items of theirs with something that neither ours nor the base has: with a line that neither has,
 * wherever it stands.
 *
 * @param items `whole`: an item of a list with all that is indented below it, a paragraph, a heading, a fence;
 *   `lines`: every line for itself, only fences stay together.
 */
export function withNewItems(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  items: 'whole' | 'lines',
): string[] {
  const known = new Set([...base, ...ours].map((line) => line.trimEnd()));
  const result = [...ours];
  let lastWasNew = false;
  for (const item of itemsOf(theirs, items)) {
    const isNew = item.lines.some((line) => !isBlank(line) && !known.has(line.trimEnd()));
    if (isNew) {
      for (const line of item.lines) known.add(line.trimEnd());
      const before = result.at(-1);
      // In a task, text without indentation belongs to it only as long as no blank line comes between.
      const mayStandApart = items === 'whole' || isIndented(item.lines[0] ?? '');
      const melts = item.isParagraph && mayStandApart && (item.blankBefore || !lastWasNew);
      if (melts && before !== undefined && !isBlank(before)) result.push('');
      result.push(...item.lines);
    }
    lastWasNew = isNew;
  }
  return result;
}

function itemsOf(texts: readonly string[], items: 'whole' | 'lines'): Item[] {
  const { lines } = markLines(texts);
  const found: Item[] = [];
  let current: Item | undefined;
  let isList = false;
  let blanks: string[] = [];
  for (const { role, text, goesOn } of lines) {
    if (role === 'blank') {
      blanks.push(text);
      continue;
    }
    const startsItem = isListItem(text);
    const isRow = /^[ \t]*\|/.test(text);
    const isInside: boolean = isList && isIndented(text);
    const continues: boolean =
      current !== undefined &&
      (role === 'opaque' && goesOn
        ? true
        : items === 'whole' &&
          role !== 'heading' &&
          !startsItem &&
          (isInside || (blanks.length === 0 && role === 'text' && !isRow && (isList || current.isParagraph))));
    if (continues && current) {
      current.lines.push(...blanks, text);
    } else {
      const isNested = items === 'lines' && /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text);
      current = {
        lines: [text],
        isParagraph: role === 'text' && !startsItem && !isNested && !(isRow && items === 'lines'),
        blankBefore: blanks.length > 0,
      };
      found.push(current);
      isList = startsItem;
      if (role === 'heading') current = undefined;
    }
    blanks = [];
  }
  return found;
}
