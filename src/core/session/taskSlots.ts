import { nameKey } from './lines.ts';
import type { Section } from './sections.ts';
import type { SessionBlock, SessionDocument, Task } from './sessionDocument.ts';

/** Where new tasks go in ours. */
export interface Slot {
  /** The block of ours that it comes after. */
  readonly after: SessionBlock;
  /** The headings that are missing there, in order, each with a key: one that an earlier slot wrote is not written again. */
  readonly headings: readonly { readonly key: string; readonly text: string }[];
  /** The title of the section it is in. */
  readonly section: string;
  /** Blank lines between the tasks there. */
  readonly gap: number;
  /** Among slots after the same block the lower one comes first. */
  readonly order: number;
}

/** The sections that one for tasks stands before, if it has to be made. */
const laterSections: Record<'pending' | 'worktree', RegExp> = {
  pending: /^(?:worktree tasks|blockers|gotchas|reference|next)\b/,
  worktree: /^(?:blockers|gotchas|reference|next)\b/,
};

/** Finds where tasks of theirs belong in ours: the section of the same kind, and in it the group of the same name. */
export class SlotFinder {
  readonly #ours: SessionDocument;
  readonly #theirs: SessionDocument;
  readonly #groups = new Map<string, Group>();
  readonly #lastOfSection = new Map<number, SessionBlock>();
  readonly #slots = new Map<string, Slot>();
  #lastGap = 0;

  constructor(ours: SessionDocument, theirs: SessionDocument) {
    this.#ours = ours;
    this.#theirs = theirs;
    for (const block of ours.blocks) {
      this.#lastOfSection.set(block.section.index, block);
      const key = groupKey(block.section, block.group);
      const group = this.#groups.get(key) ?? { last: block, lastTask: undefined, gap: undefined };
      this.#groups.set(key, group);
      if (block.task && group.lastTask && group.last === group.lastTask) {
        group.gap = Math.min(1, group.lastTask.blanks.length);
        this.#lastGap = group.gap;
      }
      group.last = block;
      if (block.task) group.lastTask = block;
    }
  }

  /** @param asPending for a task that comes back from its worktree, whatever section theirs has it in. */
  slotFor(task: Task, asPending: boolean): Slot {
    const role = asPending || task.section.role === 'text' ? 'pending' : task.section.role;
    const title = task.section.role === role ? task.section.title : this.#pendingTitle();
    const key = [role, nameKey(title), nameKey(task.group)].join('\n');
    const slot = this.#slots.get(key) ?? this.#find(role, title, task.section.role === role ? task.group : '');
    this.#slots.set(key, slot);
    return slot;
  }

  #find(role: 'pending' | 'worktree', title: string, groupTitle: string): Slot {
    const sections = this.#ours.sections.filter((section) => section.role === role);
    const section = sections.find((one) => nameKey(one.title) === nameKey(title)) ?? sections[0];
    if (!section) return this.#newSection(role, title, groupTitle);
    const group = this.#groups.get(groupKey(section, groupTitle));
    const found = { section: section.title, gap: group?.gap ?? this.#lastGap };
    if (group) return { ...found, after: group.lastTask ?? group.last, headings: [], order: 0 };
    const after = this.#lastOfSection.get(section.index) ?? this.#first();
    return { ...found, after, headings: [groupHeading(String(section.index), groupTitle)], order: 1 };
  }

  #newSection(role: 'pending' | 'worktree', title: string, groupTitle: string): Slot {
    const blocks = this.#ours.blocks;
    const later = blocks.findIndex(
      ({ kind, section, group }) =>
        kind === 'heading' && group === '' && laterSections[role].test(nameKey(section.title)),
    );
    const after = (later > 0 ? blocks[later - 1] : blocks.at(-1)) ?? this.#first();
    const headings: Slot['headings'][number][] = [{ key: role, text: `## ${title}` }];
    if (groupTitle !== '') headings.push(groupHeading(role, groupTitle));
    return { after, headings, section: title, gap: this.#lastGap, order: role === 'pending' ? 2 : 3 };
  }

  /** What theirs calls the section for pending tasks; the usual name where it has none. */
  #pendingTitle(): string {
    return this.#theirs.sections.find(({ role }) => role === 'pending')?.title ?? 'Pending Tasks';
  }

  #first(): SessionBlock {
    return this.#ours.blocks[0] as SessionBlock;
  }
}

interface Group {
  last: SessionBlock;
  lastTask: SessionBlock | undefined;
  gap: number | undefined;
}

const groupKey = (section: Section, group: string): string => `${section.index}\n${nameKey(group)}`;

const groupHeading = (within: string, title: string): { key: string; text: string } => ({
  key: `${within}\n${nameKey(title)}`,
  text: `### ${title}`,
});
