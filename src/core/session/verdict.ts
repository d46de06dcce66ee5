import type { Choice, MergeEntry, MergeReason } from './model.ts';

/** The lines of an entry on one side; undefined where it has none. */
export type EntryLines = readonly string[] | undefined;

/** What the rules say about one entry. */
export interface Verdict {
  readonly id: string;
  readonly section: string;
  readonly name: string;
  readonly base: EntryLines;
  readonly ours: EntryLines;
  readonly theirs: EntryLines;
  readonly reason: MergeReason;
  readonly needsLook: boolean;
  /** Whether the sides have it alike, so that nobody needs to hear of it. */
  readonly alike: boolean;
  readonly merged: Taken;
}

/** What stands in the result. */
export interface Taken {
  /** In the place that ours has for it. */
  readonly inPlace: EntryLines;
  /** In the place of a new entry. */
  readonly asNew: EntryLines;
}

/** Nothing in the result. */
export const nothing: Taken = { inPlace: undefined, asNew: undefined };

/**
 * What is taken for an entry after a choice.
 *
 * @param between lines that set ours and theirs apart where both are taken.
 */
export function takenBy(choice: Choice, verdict: Verdict, between: readonly string[]): Taken {
  const { ours, theirs, merged } = verdict;
  const movesOn = ours !== undefined && merged.inPlace === undefined && theirs !== undefined;
  switch (choice) {
    case 'merged':
      return merged;
    case 'ours':
      return { inPlace: ours, asNew: undefined };
    case 'theirs':
      return ours === undefined || movesOn
        ? { inPlace: undefined, asNew: theirs }
        : { inPlace: theirs, asNew: undefined };
    case 'both':
      if (ours === undefined) return { inPlace: undefined, asNew: theirs };
      return { inPlace: theirs === undefined ? ours : [...ours, ...between, ...theirs], asNew: undefined };
    case 'neither':
      return nothing;
  }
}

/** The entry as the faces get to see it. */
export function entryOf(verdict: Verdict, section: string, choice: Choice, taken: Taken): MergeEntry {
  const { id, name, reason, needsLook } = verdict;
  const text = (lines: EntryLines): string | undefined => lines?.join('\n');
  return {
    id,
    section,
    name,
    base: text(verdict.base),
    ours: text(verdict.ours),
    theirs: text(verdict.theirs),
    result: text(taken.inPlace ?? taken.asNew),
    choice,
    reason,
    needsLook,
  };
}
