import { Draft } from './draft.ts';
import { judgeLearning } from './judgeLearning.ts';
import { readLearnings, type Learning } from './learningsDocument.ts';
import type { Choice, MergeEntry, MergeInput, MergeOutcome } from './model.ts';
import { pairByName, type Trio } from './pairing.ts';
import { unreadableLine } from './unknownShape.ts';
import { entryOf, takenBy, type Taken } from './verdict.ts';

/** Merges learnings files, heading by heading. */
export function mergeLearnings(input: MergeInput): MergeOutcome {
  const ours = readLearnings(input.ours);
  const theirs = readLearnings(input.theirs);
  const base = input.base === undefined ? undefined : readLearnings(input.base);
  const unknown =
    unreadableLine('ours', ours) ?? unreadableLine('theirs', theirs) ?? (base && unreadableLine('base', base));
  if (unknown !== undefined) return { known: false, unknown, text: input.ours, entries: [] };

  const draft = new Draft(ours.source, theirs.source.eol);
  const entries: MergeEntry[] = [];
  const judged = (trio: Trio<Learning>): Taken => {
    const verdict = judgeLearning(trio, ours.title);
    const choice: Choice = input.choices?.get(verdict.id) ?? 'merged';
    const taken = takenBy(choice, verdict, ['']);
    if (!verdict.alike) entries.push(entryOf(verdict, verdict.section, choice, taken));
    return taken;
  };

  const trios = pairByName(base?.learnings ?? [], ours.learnings, theirs.learnings);
  const ofOurs = new Map<Learning, Trio<Learning>>(trios.flatMap((trio) => (trio.ours ? [[trio.ours, trio]] : [])));
  ofOurs.set(ours.preamble, { id: '', base: base?.preamble, ours: ours.preamble, theirs: theirs.preamble });
  const blocks = [ours.preamble, ...ours.learnings];
  for (const [index, block] of blocks.entries()) {
    const { inPlace, asNew } = judged(ofOurs.get(block) as Trio<Learning>);
    const lines = inPlace ?? asNew;
    if (lines !== undefined) draft.replace(block, lines);
    else if (block.lines.length === 0) draft.keep(block);
    else draft.leaveOut(block, blocks[index + 1]);
  }
  const arrivals = new Map(trios.flatMap((trio) => (trio.theirs && !trio.ours ? [[trio.theirs, trio] as const] : [])));
  for (const learning of theirs.learnings) {
    const trio = arrivals.get(learning);
    const lines = trio && judged(trio).asNew;
    if (lines !== undefined) draft.add(lines, 1, false);
  }
  return { known: true, text: draft.text() ?? input.ours, entries };
}
