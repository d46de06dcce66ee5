import { decisionsOn, nothing, type EntryDecision, type Taken } from './entryDecision.ts';
import { noteName, type Note } from './noteLines.ts';
import type { NoteTrio } from './pairNotes.ts';
import { staysOurs, type Section } from './sections.ts';

/** What the rules for notes have to know beside the note. */
export interface NoteContext {
  /** Theirs is the session file of a worktree that was made for one task; in a rebase ours is. */
  readonly focused: boolean;
  /** Whether all lines of a note stand in what the result has of ours, or it is a task elsewhere, or of the merged worktree. */
  readonly isKnown: (texts: readonly string[]) => boolean;
  /** Whether ours has a section as the base has it. */
  readonly isUntouched: (section: Section) => boolean;
  /** In a rebase: whether a note of the new base comes along in any case, so that a later merge takes nothing for a change of it. */
  readonly comesAlong: (note: Note) => boolean;
}

/** Applies the rules for what is no task to one note; see docs/merging.md. */
export function decideNote(trio: NoteTrio, context: NoteContext): EntryDecision {
  const { base, ours, theirs } = trio;
  const decision = decisionsOnNote(trio);
  const silent = decision('bothChangedAlike', inPlace(ours), { alike: true });
  const stays = [ours, theirs].some((note) => note && staysOurs(note.section));
  if (!theirs) {
    // What a focused file leaves out is of no interest, and what only ours ever had even less.
    if (!base || !ours || stays || context.focused) return silent;
    return same(base, ours)
      ? decision('onlyInOurs', inPlace(ours))
      : decision('deletedByTheirsButChanged', inPlace(ours), { needsLook: true });
  }
  const unchanged = base && same(base, theirs);
  if (!ours) {
    if (unchanged) return stays ? silent : decision('deletedByOurs', nothing);
    if (context.isKnown(theirs.texts)) return silent;
    if (stays) return isComment(theirs) ? silent : decision('leftBehind', nothing);
    return base
      ? decision('deletedByOursButChanged', asNew(theirs), { needsLook: true })
      : decision('newInTheirs', asNew(theirs));
  }
  if (same(ours, theirs)) return silent;
  if (stays) {
    const generated = theirs.kind === 'title' && context.focused;
    return unchanged || generated || isComment(theirs) ? silent : decision('leftBehind', inPlace(ours));
  }
  if (unchanged) return decision('onlyOursChanged', inPlace(ours));
  if (base && same(base, ours)) return decision('onlyTheirsChanged', inPlace(theirs));
  return decision('bothChangedHere', inPlace(ours), { needsLook: true });
}

/**
 * Applies the rules to a note when ours, a commit of a worktree, is replayed onto theirs; see docs/merging.md. What both have changed takes
 * a person; until one has decided it is as theirs has it, as the later merge into theirs would say.
 */
export function decideReplayedNote(trio: NoteTrio, context: NoteContext): EntryDecision {
  const { base, ours, theirs } = trio;
  const decision = decisionsOnNote(trio);
  const silent = decision('bothChangedAlike', inPlace(ours), { alike: true });
  const section = (ours ?? theirs ?? base)?.section;
  // A report that the commit has changed is the worktree's as a whole.
  if (section && staysOurs(section) && !context.isUntouched(section)) return silent;
  if (!ours) {
    if (theirs && context.comesAlong(theirs)) return decision('newInTheirs', asNew(theirs));
    const mayCome = theirs && !base && !context.focused && theirs.section.role === 'text';
    return mayCome && !context.isKnown(theirs.texts) ? decision('newInTheirs', asNew(theirs)) : silent;
  }
  const unchanged = base && same(base, ours);
  if (!theirs) {
    if (!base) return silent;
    return unchanged
      ? decision('deletedByTheirs', nothing)
      : decision('deletedByTheirsButChanged', inPlace(ours), { needsLook: true });
  }
  if (same(ours, theirs)) return silent;
  if (unchanged) return decision('onlyTheirsChanged', inPlace(theirs));
  if (base && same(base, theirs)) return decision('onlyOursChanged', inPlace(ours));
  return decision('bothChangedHere', inPlace(theirs), { needsLook: true });
}

const same = (one: Note, other: Note): boolean => one.print === other.print;

/** What nobody reads is nothing to be told of. */
const isComment = ({ texts }: Note): boolean => /^\s*<!--/.test(texts[0] ?? '');

const inPlace = (note: Note | undefined): Taken => ({ inPlace: note?.texts, asNew: undefined });
const asNew = (note: Note): Taken => ({ inPlace: undefined, asNew: note.texts });

function decisionsOnNote({ id, base, ours, theirs }: NoteTrio): ReturnType<typeof decisionsOn> {
  const named = theirs ?? ours ?? base;
  const lines = { base: base?.texts, ours: ours?.texts, theirs: theirs?.texts };
  const [section = '', name = ''] = [named?.section.title, named && noteName(named)];
  return decisionsOn({ id, section, name, ...lines });
}
