import { nameKey } from './lines.ts';
import type { Note, NoteKind } from './noteLines.ts';
import { sectionKey, type Section } from './sections.ts';
import type { SessionBlock, SessionDocument } from './sessionDocument.ts';
import type { Slot } from './taskSlots.ts';

/** Finds where notes of theirs belong in ours: the section of the same title, and in it the group of the same name. */
export class NoteSlotFinder {
  readonly #ours: SessionDocument;
  readonly #theirs: SessionDocument;
  readonly #byTitle = new Map<string, Section>();
  readonly #byKey = new Map<string, Section>();
  readonly #lastOfSection = new Map<Section, SessionBlock>();
  readonly #last = new Map<string, SessionBlock>();
  readonly #gaps = new Map<string, number>();
  readonly #slots = new Map<string, Slot>();

  constructor(ours: SessionDocument, theirs: SessionDocument) {
    this.#ours = ours;
    this.#theirs = theirs;
    for (const section of [...ours.sections].reverse()) {
      // Of what stands before the first section, notes go below the title.
      if (section.isTop && this.#byKey.has(sectionKey(section))) continue;
      this.#byTitle.set(titleOf(section), section);
      this.#byKey.set(sectionKey(section), section);
    }
    let before: Note | undefined;
    let blanks = 0;
    for (const block of ours.blocks) {
      const { section, group, note } = block;
      this.#lastOfSection.set(section, block);
      // What separates sections stays at the end of its own.
      const isRule = block.kind === 'text' && !note && !block.isPlaceholder;
      if (!isRule) this.#last.set(groupKey(section, group), block);
      if (note?.kind === 'row') this.#last.set(groupKey(section, group, 'row'), block);
      if (note?.kind === 'item' && before?.kind === 'item')
        this.#gaps.set(groupKey(section, group), Math.min(1, blanks));
      [before, blanks] = [note, block.blanks.length];
    }
  }

  slotFor({ kind, section, group }: Note): Slot {
    const key = [section.index, nameKey(group), kind].join('\n');
    const slot = this.#slots.get(key) ?? this.#find(kind, section, group);
    this.#slots.set(key, slot);
    return slot;
  }

  #find(kind: NoteKind, of: Section, group: string): Slot {
    const section = this.#inOurs(of);
    if (!section) return this.#newSection(of, group);
    const found = { section: section.title, gap: 0, headings: [], order: 4 };
    const row = kind === 'row' ? this.#last.get(groupKey(section, group, 'row')) : undefined;
    const last = row ?? this.#last.get(groupKey(section, group));
    const gap = this.#gaps.get(groupKey(section, group)) ?? 0;
    if (last) return { ...found, gap: kind === 'item' ? gap : 0, after: last, order: 0 };
    const after = this.#lastOfSection.get(section) ?? this.#first();
    return { ...found, after, headings: group === '' ? [] : [heading(`${section.index}`, 3, group)] };
  }

  /** After the section that theirs has before it, as far as ours has that one. */
  #newSection(of: Section, group: string): Slot {
    const before = this.#theirs.sections.slice(0, of.index).reverse();
    const known = before.map((section) => this.#inOurs(section)).find((section) => section && section.index > 0);
    const after = (known && this.#lastOfSection.get(known)) ?? this.#ours.blocks.at(-1) ?? this.#first();
    const key = `new ${titleOf(of)}`;
    const headings = [heading(key, of.level, of.title), ...(group === '' ? [] : [heading(key, 3, group)])];
    return { after, headings, section: of.title, gap: 0, order: 5 };
  }

  #inOurs(section: Section): Section | undefined {
    return this.#byTitle.get(titleOf(section)) ?? this.#byKey.get(sectionKey(section));
  }

  #first(): SessionBlock {
    return this.#ours.blocks[0] as SessionBlock;
  }
}

/** The number of blank lines between two notes: those of a list or table stand together. */
export function blanksBetween(before: NoteKind | undefined, note: NoteKind): number {
  return before === note && (note === 'item' || note === 'row') ? 0 : 1;
}

const titleOf = (section: Section): string => (section.isTop ? '' : nameKey(section.title));

const groupKey = (section: Section, group: string, kind = ''): string =>
  [section.index, nameKey(group), kind].join('\n');

const heading = (within: string, level: number, title: string): Slot['headings'][number] => ({
  key: [within, level, nameKey(title)].join('\n'),
  text: `${'#'.repeat(level)} ${title}`,
});
