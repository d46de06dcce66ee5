import { ResultBuilder } from './resultBuilder.ts';
import { decideLearning } from './learningRules.ts';
import { readLearnings, type Learning } from './learningsDocument.ts';
import type { MergeEntry, MergeInput, MergeOutcome } from './model.ts';
import { pairByName, type Trio } from './pairing.ts';
import { faultAmong, unreadable } from './unknownShape.ts';
import { entryOf, takenBy, wantedOf, type Taken } from './entryDecision.ts';

/** Merges learnings files, heading by heading. */
export function mergeLearnings(input: MergeInput): MergeOutcome {
  const ours = readLearnings(input.ours);
  const theirs = readLearnings(input.theirs);
  const base = input.base === undefined ? undefined : readLearnings(input.base);
  const unknown = faultAmong({ ours, theirs, base }, unreadable);
  if (unknown !== undefined) return { known: false, unknown, text: input.ours, entries: [] };

  const builder = new ResultBuilder(ours.source, theirs.source.eol);
  const entries: MergeEntry[] = [];
  const decided = (trio: Trio<Learning>): Taken => {
    const decision = decideLearning(trio, ours.title);
    const wanted = wantedOf(input, decision);
    const taken = takenBy(wanted, decision, ['']);
    if (!decision.alike) entries.push(entryOf(decision, decision.section, wanted, taken));
    return taken;
  };

  const trios = pairByName(base?.learnings ?? [], ours.learnings, theirs.learnings);
  const ofOurs = new Map<Learning, Trio<Learning>>(trios.flatMap((trio) => (trio.ours ? [[trio.ours, trio]] : [])));
  ofOurs.set(ours.preamble, { id: '', base: base?.preamble, ours: ours.preamble, theirs: theirs.preamble });
  const blocks = [ours.preamble, ...ours.learnings];
  for (const [index, block] of blocks.entries()) {
    const { inPlace, asNew } = decided(ofOurs.get(block) as Trio<Learning>);
    const lines = inPlace ?? asNew;
    if (lines !== undefined) builder.replace(block, lines);
    else if (block.lines.length === 0) builder.keep(block);
    else builder.leaveOut(block, blocks[index + 1]);
  }
  const arrivals = new Map(trios.flatMap((trio) => (trio.theirs && !trio.ours ? [[trio.theirs, trio] as const] : [])));
  for (const learning of theirs.learnings) {
    const trio = arrivals.get(learning);
    const lines = trio && decided(trio).asNew;
    if (lines !== undefined) builder.add(lines, 1, false);
  }
  return { known: true, text: builder.text() ?? input.ours, entries };
}
