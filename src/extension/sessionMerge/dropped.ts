import type { MergeEntry } from '../../core/session/model.ts';
import { markOf, restOf } from './taskMark.ts';

/**
 * The lines of either side that the result has lost: what a side has written and the result has not. Where a person left the entry out, that is
 * all that stood there. A line of which only the mark was taken along is not lost.
 */
export function droppedLines({ base, ours, theirs, result, choice }: MergeEntry): string[] {
  const leftOut = result === undefined && choice !== 'merged';
  const known = new Set<string>();
  for (const line of linesOf(result)) known.add(restOf(line));
  if (!leftOut) for (const line of linesOf(base)) known.add(restOf(line));
  const whole = new Set(linesOf(result));
  const marks = [base, result].map(markOf);
  const lost = [ours, theirs].flatMap((side) =>
    linesOf(side).flatMap((line, index) => {
      if (line.trim() === '' || whole.has(line)) return [];
      if (!known.has(restOf(line))) return [line];
      // Of a task whose text is there, the mark that a side gave it may be lost alone.
      const mark = index === 0 && result !== undefined ? markOf(line) : undefined;
      return mark === undefined || marks.includes(mark) ? [] : [`[${mark}]`];
    }),
  );
  return [...new Set(lost)];
}

const linesOf = (text: string | undefined): string[] => text?.split(/\r?\n/) ?? [];
