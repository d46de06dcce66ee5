import { withNewItems } from './items.ts';
import type { Learning } from './learningsDocument.ts';
import { sameLines } from './lines.ts';
import type { Trio } from './pairing.ts';
import { decisionsOn, nothing, type EntryLines, type Taken, type EntryDecision } from './entryDecision.ts';

/**
 * Applies the rules for learnings to one of them; see docs/merging.md. The text before the first heading counts as one learning
 * without a name; its id is empty.
 *
 * @param title of the file.
 */
export function decideLearning(trio: Trio<Learning>, title: string): EntryDecision {
  const isPreamble = trio.id === '';
  const [base, ours, theirs] = [trio.base, trio.ours, trio.theirs].map(linesOf);
  const named = trio.ours ?? trio.theirs ?? trio.base;
  const firstLine = (ours ?? theirs ?? base ?? [])[0] ?? '';
  const decision = decisionsOn({
    id: isPreamble ? 'preamble' : `learning:${trio.id}`,
    section: isPreamble ? '' : title,
    name: isPreamble ? firstLine.replace(/^\s*#+\s*/, '').trim() : (named?.name ?? ''),
    ...{ base, ours, theirs },
  });
  const stays: Taken = { inPlace: ours, asNew: undefined };
  const comes: Taken = { inPlace: undefined, asNew: theirs };
  const same = (one: Learning | undefined, other: Learning | undefined): boolean => one?.print === other?.print;
  if (ours === undefined) {
    if (theirs === undefined) return decision('bothChangedAlike', nothing, { alike: true });
    if (base === undefined) return decision('newInTheirs', comes);
    return same(trio.base, trio.theirs)
      ? decision('deletedByOurs', nothing)
      : decision('deletedByOursButChanged', comes, { needsLook: true });
  }
  if (theirs === undefined) {
    if (base === undefined) return decision('onlyInOurs', stays);
    return same(trio.base, trio.ours)
      ? decision('deletedByTheirs', nothing)
      : decision('deletedByTheirsButChanged', stays, { needsLook: true });
  }
  if (same(trio.ours, trio.theirs)) {
    const alike = base === undefined || same(trio.base, trio.ours) || sameLines(ours, theirs);
    return decision('bothChangedAlike', stays, { alike });
  }
  if (base !== undefined && same(trio.base, trio.theirs)) return decision('onlyOursChanged', stays);
  if (base !== undefined && same(trio.base, trio.ours)) {
    return decision('onlyTheirsChanged', { inPlace: theirs, asNew: undefined });
  }
  const body = isPreamble ? withoutTitles : (lines: readonly string[]) => lines.slice(1);
  const merged = withNewItems(body(base ?? []), ours, body(theirs), 'whole');
  return decision(
    base === undefined ? 'bothAdded' : 'bothChanged',
    { inPlace: merged, asNew: undefined },
    { needsLook: true },
  );
}

const linesOf = (learning: Learning | undefined): EntryLines =>
  learning === undefined || learning.texts.length === 0 ? undefined : learning.texts;

/** Of two titles ours alone stays. */
const withoutTitles = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => !/^ {0,3}#(?:\s|$)/.test(line));
