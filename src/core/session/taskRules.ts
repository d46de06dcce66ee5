import { withNewItems } from './items.ts';
import { sameLines } from './lines.ts';
import type { TaskTrio } from './pairTasks.ts';
import type { Task } from './sessionDocument.ts';
import { isFinished, plainMark, withMark, withMarkAndMarker, type TaskLine } from './taskLine.ts';
import { decisionsOn, nothing, type EntryDecision, type MakeDecision, type Taken } from './entryDecision.ts';

/** What the rules for tasks have to know beside the task. */
export interface TaskContext {
  /** The slug of the worktree that is merged. */
  readonly slug: string | undefined;
  /** Theirs is the session file of a worktree that was made for one task: it leaves out the others, and removes none. */
  readonly focused: boolean;
}

/** Applies the rules for tasks to one of them; see docs/merging.md. */
export function decideTask(trio: TaskTrio, { slug, focused }: TaskContext): EntryDecision {
  const { base, ours, theirs } = trio;
  const decision = decisionsOnTask(trio);
  if (ours && slug !== undefined && ours.section.role === 'worktree' && ours.first.slug === slug) {
    return decideAssigned(trio, ours);
  }
  if (!theirs) {
    const stays = inPlace(ours?.texts);
    const weighed = base !== undefined && ours !== undefined && !focused && !sameTask(base, ours);
    return weighed ? decision('deletedByTheirsButChanged', stays, { needsLook: true }) : decision('onlyInOurs', stays);
  }
  if (!ours) {
    const back: Taken = { inPlace: undefined, asNew: comingBack(theirs, slug) };
    const finished = isFinished(theirs.first.mark);
    if (!base) return finished ? decision('newButFinished', nothing) : decision('newInTheirs', back);
    if (sameTask(base, theirs)) return decision('deletedByOurs', nothing);
    if (finished) return decision('deletedByOursAndFinished', nothing);
    return decision('deletedByOursButChanged', back, { needsLook: true });
  }
  const asInOurs = inPlace(ours.texts);
  if (sameTask(ours, theirs)) {
    const alike = base === undefined || sameTask(base, ours) || sameLines(ours.texts, theirs.texts);
    return decision('bothChangedAlike', asInOurs, { alike });
  }
  const merged = inPlace(mergedTask(base, ours, theirs).texts);
  if (!base) return decision('bothAdded', merged, { needsLook: true });
  const isRenamed = (side: Task): boolean => side.nameKey !== base.nameKey;
  if (sameTask(base, theirs)) return decision(isRenamed(ours) ? 'renamedByOurs' : 'onlyOursChanged', asInOurs);
  if (sameTask(base, ours)) return decision(isRenamed(theirs) ? 'renamedByTheirs' : 'onlyTheirsChanged', merged);
  return decision('bothChanged', merged, { needsLook: true });
}

/**
 * Applies the rules to a task when ours, a commit of a worktree, is replayed onto theirs; see docs/merging.md. A merge into theirs
 * afterwards gives what it would have given without the rebase.
 *
 * @param focused ours is the session file of a worktree that was made for one task; it ignores other tasks.
 */
export function decideReplayed(trio: TaskTrio, focused: boolean): EntryDecision {
  const { base, ours, theirs } = trio;
  const decision = decisionsOnTask(trio);
  if (!ours) {
    if (!theirs || base || focused) return decision('deletedByOurs', nothing);
    if (isFinished(theirs.first.mark)) return decision('newButFinished', nothing);
    return decision('newInTheirs', { inPlace: undefined, asNew: theirs.texts });
  }
  const asInOurs = inPlace(ours.texts);
  if (!theirs) {
    if (!base) return decision('onlyInOurs', asInOurs);
    return sameTask(base, ours)
      ? decision('deletedByTheirs', nothing)
      : decision('deletedByTheirsButChanged', asInOurs, { needsLook: true });
  }
  if (sameTask(ours, theirs)) return decision('bothChangedAlike', asInOurs, { alike: true });
  // The later merge sees theirs as its own side.
  const { texts, first } = mergedTask(base, theirs, ours);
  const merged = inPlace([withMarkAndMarker(first.line, first.mark, ours.first), ...texts.slice(1)]);
  if (!base) return decision('bothAdded', merged, { needsLook: true });
  if (sameTask(base, theirs)) return decision('onlyOursChanged', asInOurs);
  if (sameTask(base, ours)) return decision('onlyTheirsChanged', merged);
  return decision('bothChanged', merged, { needsLook: true });
}

/** The task assigned to the worktree that is merged: it leaves the list, or is pending again when it is still open. */
function decideAssigned(trio: TaskTrio, ours: Task): EntryDecision {
  const decision = decisionsOnTask(trio);
  if (!trio.theirs) return decision('worktreeFinished', nothing);
  const { texts, first } = mergedTask(trio.base, ours, trio.theirs);
  if (isFinished(first.mark)) return decision('worktreeFinished', nothing);
  const line = withMarkAndMarker(first.line, first.mark, undefined);
  return decision('worktreeStillOpen', { inPlace: undefined, asNew: [line, ...texts.slice(1)] });
}

/** A task of theirs as it is added to ours: without the marker of the worktree that it comes from. */
function comingBack({ first, texts }: Task, slug: string | undefined): readonly string[] {
  if (slug === undefined || first.slug !== slug) return texts;
  return [withMarkAndMarker(first, first.mark, undefined), ...texts.slice(1)];
}

interface Merged {
  readonly texts: readonly string[];
  /** Whose first line it is, and the mark that it got. */
  readonly first: { readonly line: TaskLine; readonly mark: string };
}

/** Both sides' changes in one: the mark, the rest of the first line and the lines below it each for themselves. */
function mergedTask(base: Task | undefined, ours: Task, theirs: Task): Merged {
  const mark = mergedMark(base?.first.mark ?? ' ', ours.first.mark, theirs.first.mark);
  const [bodyOfOurs, bodyOfTheirs] = [ours.first.body.trimEnd(), theirs.first.body.trimEnd()];
  const takeTheirs = bodyOfOurs !== bodyOfTheirs && bodyOfOurs === base?.first.body.trimEnd();
  const first = takeTheirs ? withMarkAndMarker(theirs.first, mark, ours.first) : withMark(ours.first, mark);
  const rest = mergedRest(base?.rest ?? [], ours.rest, theirs.rest);
  return { texts: [first, ...rest], first: { line: takeTheirs ? theirs.first : ours.first, mark } };
}

function mergedMark(base: string, ours: string, theirs: string): string {
  if (plainMark(theirs) === plainMark(base)) return ours;
  if (plainMark(ours) === plainMark(base)) return theirs;
  // Both changed it: done before cancelled, cancelled before open.
  const rank = (mark: string): number => (plainMark(mark) === 'x' ? 2 : isFinished(mark) ? 1 : 0);
  return rank(theirs) > rank(ours) ? theirs : ours;
}

function mergedRest(base: readonly string[], ours: readonly string[], theirs: readonly string[]): readonly string[] {
  if (sameLines(theirs, base) || sameLines(theirs, ours)) return ours;
  if (sameLines(ours, base)) return theirs;
  return withNewItems(base, ours, theirs, 'lines');
}

/** Whether two tasks have the same content. */
const sameTask = (one: Task, other: Task): boolean => one.print === other.print;

const inPlace = (texts: readonly string[] | undefined): Taken => ({ inPlace: texts, asNew: undefined });

function decisionsOnTask({ id, base, ours, theirs }: TaskTrio): MakeDecision {
  const named = ours ?? theirs ?? base;
  const [section = '', name = ''] = [named?.section.title, named?.first.name];
  const lines = { base: base?.texts, ours: ours?.texts, theirs: theirs?.texts };
  return decisionsOn({ id: `task:${id}`, section, name, ...lines });
}
