import { ResultBuilder } from './resultBuilder.ts';
import { decideReplayed, decideTask } from './taskRules.ts';
import type { MergeEntry, MergeInput, MergeOutcome } from './model.ts';
import { pairTasks, type TaskTrio } from './pairTasks.ts';
import { SlotFinder, type Slot } from './taskSlots.ts';
import { decideNote, decideReplayedNote, type NoteContext } from './noteRules.ts';
import { blanksBetween, NoteSlotFinder } from './noteSlots.ts';
import { groupBy } from './pairing.ts';
import { mistakable, pairNotes } from './pairNotes.ts';
import type { Note, NoteKind } from './noteLines.ts';
import { sectionKey } from './sections.ts';
import { readSession, type SessionBlock, type SessionDocument, type Task } from './sessionDocument.ts';
import { unknownSession } from './unknownShape.ts';
import { isBlank } from './lines.ts';
import { readTaskLine } from './taskLine.ts';
import { isFocused, leftOutBy } from './tasksFocus.ts';
import { entryOf, takenBy, wantedOf, type Taken, type EntryDecision } from './entryDecision.ts';

interface Decided {
  readonly decision: EntryDecision;
  readonly taken: Taken;
  /** Of what is no task. */
  readonly note: NoteKind | undefined;
}

/** What was decided about a block of ours or theirs; nothing about headings and what only separates. */
type DecidedBlocks = (block: SessionBlock) => Decided | undefined;

/** Merges session files: tasks, and what is no task, each by its rules; see docs/merging.md. */
export function mergeSession(input: MergeInput): MergeOutcome {
  const ours = readSession(input.ours);
  const theirs = readSession(input.theirs);
  const base = input.base === undefined ? undefined : readSession(input.base);
  const unknown = unknownSession(base, ours, theirs);
  if (unknown !== undefined) return { known: false, unknown, text: input.ours, entries: [] };

  const tasks = decideTasks(input, base, ours, theirs);
  const notes = decideNotes(input, base, ours, theirs);
  const of: DecidedBlocks = ({ task, note }) => (task ? tasks.get(task) : note && notes.get(note));
  const arrivals = arrivalsOf(input, ours, theirs, of);
  return assemble(input, new ResultBuilder(ours.source, theirs.source.eol), ours.blocks, arrivals, of);
}

function decideTasks(
  input: MergeInput,
  base: SessionDocument | undefined,
  ours: SessionDocument,
  theirs: SessionDocument,
): ReadonlyMap<Task, Decided> {
  const focused = isFocused(input.replayed ? ours : theirs);
  const trios = pairTasks(base?.tasks ?? [], ours.tasks, theirs.tasks);
  return decideEach(trios, (trio: TaskTrio) => {
    const decision = input.replayed ? decideReplayed(trio, focused) : decideTask(trio, { slug: input.slug, focused });
    return decidedBy(input, decision, undefined);
  });
}

function decideNotes(
  input: MergeInput,
  base: SessionDocument | undefined,
  ours: SessionDocument,
  theirs: SessionDocument,
): ReadonlyMap<Note, Decided> {
  const leftOut = (side: SessionDocument, of: SessionDocument | undefined): ((note: Note) => boolean) => {
    const isLeftOut = of ? leftOutBy(side, of) : () => false;
    return ({ kind, texts }) => kind !== 'title' && isLeftOut(texts);
  };
  const isLeftOut = { ours: leftOut(ours, base), theirs: leftOut(theirs, base) };
  const trios = pairNotes(notesOf(base), notesOf(ours), notesOf(theirs), isLeftOut);
  // What ours has comes first: the lines that stay of it are nothing new in theirs.
  const inOrder = new Map([...trios].sort(([, one], [, other]) => Number(!one.ours) - Number(!other.ours)));
  const known = new Set<string>();
  const tasks = new Set([base, ours, theirs].flatMap((each) => each?.tasks ?? []).map(({ texts }) => texts.join('\n')));
  const untouched = base ? sameReports(base, ours) : new Set<string>();
  const alsoOnto = input.replayed ? mistakable(trios.values(), leftOut(ours, theirs)) : new Set<Note>();
  const context: NoteContext = {
    focused: isFocused(input.replayed ? ours : theirs),
    isKnown: (texts) =>
      tasks.has(texts.join('\n')) ||
      (input.slug !== undefined && readTaskLine(texts[0] ?? '')?.slug === input.slug) ||
      texts.every((line) => isBlank(line) || known.has(line.trim())),
    isUntouched: (section) => untouched.has(sectionKey(section)),
    comesAlong: (note) => alsoOnto.has(note),
  };
  return decideEach(inOrder, (trio) => {
    const decision = input.replayed ? decideReplayedNote(trio, context) : decideNote(trio, context);
    for (const line of decision.merged.inPlace ?? []) known.add(line.trim());
    return decidedBy(input, decision, (trio.theirs ?? trio.ours)?.kind);
  });
}

/** The sections, by their key, whose notes say the same in both. */
function sameReports(one: SessionDocument, other: SessionDocument): ReadonlySet<string> {
  const [inOne, inOther] = [one, other].map((document) => {
    const bySection = groupBy(notesOf(document), ({ section }) => sectionKey(section));
    return new Map([...bySection].map(([key, notes]) => [key, notes.map(({ print }) => print).join('\n\n')]));
  });
  const keys = [...one.sections, ...other.sections].map(sectionKey);
  return new Set(keys.filter((key) => inOne?.get(key) === inOther?.get(key)));
}

const notesOf = (document: SessionDocument | undefined): Note[] =>
  (document?.blocks ?? []).flatMap(({ note }) => (note ? [note] : []));

/** Decides once about each trio, and gives the decisions by the entries of ours and theirs. */
function decideEach<Entry, Trio>(
  trios: ReadonlyMap<Entry, Trio>,
  decide: (trio: Trio) => Decided,
): ReadonlyMap<Entry, Decided> {
  const decided = new Map<Trio, Decided>();
  return new Map(
    [...trios].map(([entry, trio]) => {
      const one = decided.get(trio) ?? decide(trio);
      decided.set(trio, one);
      return [entry, one];
    }),
  );
}

function decidedBy(input: MergeInput, decision: EntryDecision, note: NoteKind | undefined): Decided {
  return { decision, note, taken: takenBy(wantedOf(input, decision), decision, []) };
}

/** The entries that are added after a block of ours, by slot. */
type Arrivals = Map<Slot, Decided[]>;

/** Finds a place in ours for all that comes from theirs. */
function arrivalsOf(
  { slug }: MergeInput,
  ours: SessionDocument,
  theirs: SessionDocument,
  of: DecidedBlocks,
): ReadonlyMap<SessionBlock, Arrivals> {
  const tasks = new SlotFinder(ours, theirs);
  const notes = new NoteSlotFinder(ours, theirs);
  const slotFor = ({ task, note }: SessionBlock, { decision: { reason } }: Decided): Slot | undefined => {
    if (!task) return note && notes.slotFor(note);
    const isOwn = reason === 'worktreeStillOpen' || reason === 'worktreeFinished';
    return tasks.slotFor(task, isOwn || (slug !== undefined && task.first.slug === slug));
  };
  const arrivals = new Map<SessionBlock, Arrivals>();
  for (const block of theirs.blocks) {
    const one = of(block);
    if (!one || one.decision.alike || (one.decision.ours !== undefined && one.taken.asNew === undefined)) continue;
    const slot = slotFor(block, one);
    if (!slot) continue;
    const there = arrivals.get(slot.after) ?? new Map<Slot, Decided[]>();
    arrivals.set(slot.after, there);
    const those = there.get(slot) ?? [];
    there.set(slot, those);
    those.push(one);
  }
  return arrivals;
}

function assemble(
  input: MergeInput,
  builder: ResultBuilder,
  blocks: readonly SessionBlock[],
  arrivals: ReadonlyMap<SessionBlock, Arrivals>,
  of: DecidedBlocks,
): MergeOutcome {
  const entries: MergeEntry[] = [];
  const tell = (section: string, { decision, taken }: Decided): void => {
    if (!decision.alike) entries.push(entryOf(decision, section, wantedOf(input, decision), taken));
  };
  for (const [index, block] of blocks.entries()) {
    const followed = index < blocks.length - 1;
    const slots = [...(arrivals.get(block) ?? [])].sort(([one], [other]) => one.order - other.order);
    const first = slots.find(([, those]) => those.some(({ taken }) => taken.asNew !== undefined));
    const isReplaced = block.isPlaceholder && first !== undefined && first[0].headings.length === 0;
    const own = of(block);
    if (own) {
      if (own.taken.inPlace === undefined) builder.leaveOut(block, blocks[index + 1]);
      else if (own.decision.alike) builder.keep(block);
      else builder.replace(block, own.taken.inPlace);
      if (own.taken.asNew === undefined) tell(block.section.title, own);
    } else if (!isReplaced) {
      builder.keep(block);
    }
    let placeholder = isReplaced ? block : undefined;
    for (const [slot, those] of slots) {
      let before = block.note?.kind;
      for (const one of those) {
        tell(slot.section, one);
        if (one.taken.asNew === undefined) continue;
        for (const heading of slot.headings) builder.addHeading(heading);
        const gap = one.note ? Math.max(slot.gap, blanksBetween(before, one.note)) : slot.gap;
        if (placeholder) builder.replace(placeholder, one.taken.asNew, 'entry');
        else builder.add(one.taken.asNew, gap, followed);
        placeholder = undefined;
        before = one.note;
      }
    }
  }
  return { known: true, text: builder.text() ?? input.ours, entries };
}
