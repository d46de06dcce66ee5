import { ResultBuilder } from './resultBuilder.ts';
import { decideReplayed, decideTask } from './taskRules.ts';
import type { Choice, MergeEntry, MergeInput, MergeOutcome } from './model.ts';
import { pairTasks, type TaskTrio } from './pairTasks.ts';
import { SlotFinder, type Slot } from './taskSlots.ts';
import { readSession, type SessionBlock, type Task } from './sessionDocument.ts';
import { unknownSession } from './unknownShape.ts';
import { isFocused } from './tasksFocus.ts';
import { entryOf, takenBy, type Taken, type EntryDecision } from './entryDecision.ts';

interface Decided {
  readonly decision: EntryDecision;
  readonly taken: Taken;
}

/** Merges session files: everything but the tasks is ours. */
export function mergeSession(input: MergeInput): MergeOutcome {
  const ours = readSession(input.ours);
  const theirs = readSession(input.theirs);
  const base = input.base === undefined ? undefined : readSession(input.base);
  const unknown = unknownSession(base, ours, theirs);
  if (unknown !== undefined) return { known: false, unknown, text: input.ours, entries: [] };

  const focused = isFocused(ours);
  const trios = pairTasks(base?.tasks ?? [], ours.tasks, theirs.tasks);
  const decided = new Map<TaskTrio, Decided>();
  for (const trio of trios.values()) {
    if (decided.has(trio)) continue;
    const decision = input.replayed ? decideReplayed(trio, focused) : decideTask(trio, input.slug);
    decided.set(trio, { decision, taken: takenBy(choiceFor(input, decision), decision, []) });
  }
  const of = (task: Task): Decided => decided.get(trios.get(task) as TaskTrio) as Decided;

  const finder = new SlotFinder(ours, theirs);
  const arrivals = new Map<SessionBlock, Arrivals>();
  for (const task of theirs.tasks) {
    const one = of(task);
    if (one.decision.ours !== undefined && one.taken.asNew === undefined) continue;
    const isOwn = one.decision.reason === 'worktreeStillOpen' || one.decision.reason === 'worktreeFinished';
    const slot = finder.slotFor(task, isOwn || (input.slug !== undefined && task.first.slug === input.slug));
    const there = arrivals.get(slot.after) ?? new Map<Slot, Decided[]>();
    arrivals.set(slot.after, there);
    const those = there.get(slot) ?? [];
    there.set(slot, those);
    those.push(one);
  }
  return assemble(input, new ResultBuilder(ours.source, theirs.source.eol), ours.blocks, arrivals, of);
}

/** The entries that are added after a block of ours, by slot. */
type Arrivals = Map<Slot, Decided[]>;

function assemble(
  input: MergeInput,
  builder: ResultBuilder,
  blocks: readonly SessionBlock[],
  arrivals: ReadonlyMap<SessionBlock, Arrivals>,
  of: (task: Task) => Decided,
): MergeOutcome {
  const entries: MergeEntry[] = [];
  const tell = (section: string, { decision, taken }: Decided): void => {
    if (!decision.alike) entries.push(entryOf(decision, section, choiceFor(input, decision), taken));
  };
  for (const [index, block] of blocks.entries()) {
    const followed = index < blocks.length - 1;
    const slots = [...(arrivals.get(block) ?? [])].sort(([one], [other]) => one.order - other.order);
    const first = slots.find(([, those]) => those.some(({ taken }) => taken.asNew !== undefined));
    const isReplaced = block.isPlaceholder && first !== undefined && first[0].headings.length === 0;
    if (block.task) {
      const one = of(block.task);
      if (one.taken.inPlace === undefined) builder.leaveOut(block, blocks[index + 1]);
      else builder.replace(block, one.taken.inPlace);
      if (one.taken.asNew === undefined) tell(block.section.title, one);
    } else if (!isReplaced) {
      builder.keep(block);
    }
    let placeholder = isReplaced ? block : undefined;
    for (const [slot, those] of slots) {
      for (const one of those) {
        tell(slot.section, one);
        if (one.taken.asNew === undefined) continue;
        for (const heading of slot.headings) builder.addHeading(heading);
        if (placeholder) builder.replace(placeholder, one.taken.asNew, 'entry');
        else builder.add(one.taken.asNew, slot.gap, followed);
        placeholder = undefined;
      }
    }
  }
  return { known: true, text: builder.text() ?? input.ours, entries };
}

const choiceFor = (input: MergeInput, { id }: EntryDecision): Choice => input.choices?.get(id) ?? 'merged';
