import type { Choice, MergeEntry, MergeInput, MergeReason } from './model.ts';

/** The lines of an entry on one side; undefined where it has none. */
export type EntryLines = readonly string[] | undefined;

/** How the rules decide about one entry. */
export interface EntryDecision {
  readonly id: string;
  readonly section: string;
  readonly name: string;
  readonly base: EntryLines;
  readonly ours: EntryLines;
  readonly theirs: EntryLines;
  readonly reason: MergeReason;
  readonly needsLook: boolean;
  /** The sides agree, so it is not reported. */
  readonly alike: boolean;
  readonly merged: Taken;
}

/** What a decision is about: the entry, and its lines on each side. */
export type DecidedEntry = Pick<EntryDecision, 'id' | 'section' | 'name' | 'base' | 'ours' | 'theirs'>;

/** Makes decisions about one entry. */
export type MakeDecision = (
  reason: MergeReason,
  merged: Taken,
  more?: Partial<Pick<EntryDecision, 'needsLook' | 'alike'>>,
) => EntryDecision;

/** What the rules decide about an entry is made with. */
export function decisionsOn(entry: DecidedEntry): MakeDecision {
  return (reason, merged, more) => ({ ...entry, reason, merged, needsLook: false, alike: false, ...more });
}

/** The lines that get into the result. */
export interface Taken {
  /** Where ours has the entry. */
  readonly inPlace: EntryLines;
  /** Where a new entry goes. */
  readonly asNew: EntryLines;
}

/** Nothing in the result. */
export const nothing: Taken = { inPlace: undefined, asNew: undefined };

/** What a person wants of an entry. */
export interface Wanted {
  readonly choice: Choice;
  /** The lines that they wrote in its place. */
  readonly edit: string | undefined;
}

/** What a person wants of an entry; without a word of theirs what the rules say. */
export function wantedOf({ choices, edits }: MergeInput, { id }: Pick<EntryDecision, 'id'>): Wanted {
  return { choice: choices?.get(id) ?? 'merged', edit: edits?.get(id) };
}

/**
 * The lines that a person wants for an entry.
 *
 * @param between lines that separate ours from theirs where both are taken.
 */
export function takenBy({ choice, edit }: Wanted, decision: EntryDecision, between: readonly string[]): Taken {
  const taken = takenByChoice(choice, decision, between);
  if (edit === undefined) return taken;
  const lines = edit.trimEnd() === '' ? undefined : edit.trimEnd().split(/\r\n|\r|\n/);
  // Where it stands does not change; what is nowhere comes back to its place, or is added.
  const isAdded = taken.asNew !== undefined || (taken.inPlace === undefined && decision.ours === undefined);
  return isAdded ? { inPlace: undefined, asNew: lines } : { inPlace: lines, asNew: undefined };
}

function takenByChoice(choice: Choice, decision: EntryDecision, between: readonly string[]): Taken {
  const { ours, theirs, merged } = decision;
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

/** The entry as the editor and `wt resolve` show it. */
export function entryOf(decision: EntryDecision, section: string, { choice, edit }: Wanted, taken: Taken): MergeEntry {
  const { id, name, reason, needsLook } = decision;
  const text = (lines: EntryLines): string | undefined => lines?.join('\n');
  return {
    id,
    section,
    name,
    base: text(decision.base),
    ours: text(decision.ours),
    theirs: text(decision.theirs),
    result: text(taken.inPlace ?? taken.asNew),
    choice,
    edited: edit !== undefined,
    reason,
    needsLook,
  };
}
