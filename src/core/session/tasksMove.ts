import { ResultBuilder } from './resultBuilder.ts';
import { SlotFinder, type Slot } from './taskSlots.ts';
import type { SessionDocument, Task } from './sessionDocument.ts';
import { withMarkAndMarker } from './taskLine.ts';

/** The new position of a task that is moved, and its lines there; `undefined` when it is removed. */
type Move = { readonly texts: readonly string[]; readonly slot: Slot } | 'out';

/**
 * Moves a task to the worktree tasks, with `→ `wt/<slug>`` behind its name. One that stands there already gets the new marker. The section is
 * made where there is none.
 *
 * @param task one of the document's own.
 * @returns the text of the file; everything but the task is as it was, byte for byte.
 */
export function assignToWorktree(document: SessionDocument, task: Task, slug: string): string {
  const { first, rest, section } = task;
  const marked = { ...first, marker: ` → \`wt/${slug}\``, markerAfterName: markersStandAfterNames(document) };
  const texts = [withMarkAndMarker(first, first.mark, marked), ...rest];
  if (section.role === 'worktree') return edited(document, new Map(), new Map([[task, texts]]));
  const handed = { ...task, group: '', section: { ...section, role: 'worktree' as const, title: 'Worktree Tasks' } };
  const slot = new SlotFinder(document, document).slotFor(handed, false);
  return edited(document, new Map([[task, { texts, slot }]]), new Map());
}

/**
 * Takes the tasks of a worktree out of the worktree tasks.
 *
 * @param to `pending`: they are to be done here again, without the marker; `out`: they are done with.
 * @returns the text of the file and the names of the tasks; `undefined` when none stands there.
 */
export function unassignFromWorktree(
  document: SessionDocument,
  slug: string,
  to: (task: Task) => 'pending' | 'out',
):
  | { readonly text: string; readonly moved: readonly { readonly name: string; readonly to: 'pending' | 'out' }[] }
  | undefined {
  const finder = new SlotFinder(document, document);
  const moves = new Map<Task, Move>();
  const unmarked = new Map<Task, readonly string[]>();
  const moved = document.tasks
    .filter((task) => task.first.slug === slug)
    .map((task) => {
      const where = to(task);
      const texts = [withMarkAndMarker(task.first, task.first.mark, undefined), ...task.rest];
      if (where === 'out') moves.set(task, 'out');
      else if (task.section.role === 'pending') unmarked.set(task, texts);
      else moves.set(task, { texts, slot: finder.slotFor(task, true) });
      return { name: task.first.name, to: where };
    });
  return moved.length === 0 ? undefined : { text: edited(document, moves, unmarked), moved };
}

/** As the other worktree tasks have it; behind the name where there are none. */
function markersStandAfterNames({ tasks }: SessionDocument): boolean {
  const marked = tasks.filter(({ first }) => first.marker !== undefined);
  return marked.length === 0 || marked.some(({ first }) => first.markerAfterName);
}

function edited(
  { source, blocks }: SessionDocument,
  moves: ReadonlyMap<Task, Move>,
  replaced: ReadonlyMap<Task, readonly string[]>,
): string {
  const builder = new ResultBuilder(source, undefined);
  for (const [index, block] of blocks.entries()) {
    const arrivals = [...moves.values()].filter((move) => move !== 'out').filter(({ slot }) => slot.after === block);
    let placeholder = block.isPlaceholder && arrivals[0]?.slot.headings.length === 0 ? block : undefined;
    const texts = block.task && replaced.get(block.task);
    if (texts) builder.replace(block, texts);
    else if (block.task && moves.has(block.task)) builder.leaveOut(block, blocks[index + 1]);
    else if (!placeholder) builder.keep(block);
    for (const { texts: arriving, slot } of arrivals.sort((one, other) => one.slot.order - other.slot.order)) {
      for (const heading of slot.headings) builder.addHeading(heading);
      if (placeholder) builder.replace(placeholder, arriving, 'entry');
      else builder.add(arriving, slot.gap, index < blocks.length - 1);
      placeholder = undefined;
    }
  }
  return withEndOf(source, builder.text());
}

/** The end of a file is nobody's task: it stays with or without a line end, as it was. */
function withEndOf({ bom, lines }: SessionDocument['source'], text: string | undefined): string {
  const before = bom + lines.map((line) => line.text + line.end).join('');
  if (text === undefined) return before;
  const end = /\s*$/.exec(before)?.[0] ?? '';
  return before.trim() === '' ? text : text.trimEnd() + end;
}
