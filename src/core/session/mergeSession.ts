import { Draft } from './draft.ts';
import { judgeReplayed, judgeTask } from './judgeTask.ts';
import type { Choice, MergeEntry, MergeInput, MergeOutcome } from './model.ts';
import { pairTasks, type TaskTrio } from './pairTasks.ts';
import { SlotFinder, type Slot } from './placeTasks.ts';
import { readSession, type SessionBlock, type Task } from './sessionDocument.ts';
import { unknownSession } from './unknownShape.ts';
import { isFocused } from './tasksFocus.ts';
import { entryOf, takenBy, type Taken, type Verdict } from './verdict.ts';

interface Judged {
  readonly verdict: Verdict;
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
  const judged = new Map<TaskTrio, Judged>();
  for (const trio of trios.values()) {
    if (judged.has(trio)) continue;
    const verdict = input.replayed ? judgeReplayed(trio, focused) : judgeTask(trio, input.slug);
    judged.set(trio, { verdict, taken: takenBy(choiceFor(input, verdict), verdict, []) });
  }
  const of = (task: Task): Judged => judged.get(trios.get(task) as TaskTrio) as Judged;

  const finder = new SlotFinder(ours, theirs);
  const arrivals = new Map<SessionBlock, Arrivals>();
  for (const task of theirs.tasks) {
    const one = of(task);
    if (one.verdict.ours !== undefined && one.taken.asNew === undefined) continue;
    const isOwn = one.verdict.reason === 'worktreeStillOpen' || one.verdict.reason === 'worktreeFinished';
    const slot = finder.slotFor(task, isOwn || (input.slug !== undefined && task.first.slug === input.slug));
    const there = arrivals.get(slot.after) ?? new Map<Slot, Judged[]>();
    arrivals.set(slot.after, there);
    const those = there.get(slot) ?? [];
    there.set(slot, those);
    those.push(one);
  }
  return assemble(input, new Draft(ours.source, theirs.source.eol), ours.blocks, arrivals, of);
}

/** What is added after a block of ours, by place. */
type Arrivals = Map<Slot, Judged[]>;

function assemble(
  input: MergeInput,
  draft: Draft,
  blocks: readonly SessionBlock[],
  arrivals: ReadonlyMap<SessionBlock, Arrivals>,
  of: (task: Task) => Judged,
): MergeOutcome {
  const entries: MergeEntry[] = [];
  const headings = new Set<string>();
  const tell = (section: string, { verdict, taken }: Judged): void => {
    if (!verdict.alike) entries.push(entryOf(verdict, section, choiceFor(input, verdict), taken));
  };
  for (const [index, block] of blocks.entries()) {
    const followed = index < blocks.length - 1;
    const slots = [...(arrivals.get(block) ?? [])].sort(([one], [other]) => one.order - other.order);
    const first = slots.find(([, those]) => those.some(({ taken }) => taken.asNew !== undefined));
    const isReplaced = block.isPlaceholder && first !== undefined && first[0].headings.length === 0;
    if (block.task) {
      const one = of(block.task);
      if (one.taken.inPlace === undefined) draft.leaveOut(block, blocks[index + 1]);
      else draft.replace(block, one.taken.inPlace);
      if (one.taken.asNew === undefined) tell(block.section.title, one);
    } else if (!isReplaced) {
      draft.keep(block);
    }
    let placeholder = isReplaced ? block : undefined;
    for (const [slot, those] of slots) {
      for (const one of those) {
        tell(slot.section, one);
        if (one.taken.asNew === undefined) continue;
        for (const { key, text } of slot.headings) {
          if (!headings.has(key)) draft.addHeading(text);
          headings.add(key);
        }
        if (placeholder) draft.replace(placeholder, one.taken.asNew, 'entry');
        else draft.add(one.taken.asNew, slot.gap, followed);
        placeholder = undefined;
      }
    }
  }
  return { known: true, text: draft.text() ?? input.ours, entries };
}

const choiceFor = (input: MergeInput, { id }: Verdict): Choice => input.choices?.get(id) ?? 'merged';
