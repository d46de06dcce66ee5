import { nameKey } from './lines.ts';
import type { Note } from './noteLines.ts';
import { groupBy } from './pairing.ts';
import { sectionKey } from './sections.ts';

/** One note as the three versions have it; at least one of them does. */
export interface NoteTrio {
  /** The same for the same three texts. */
  readonly id: string;
  readonly base: Note | undefined;
  readonly ours: Note | undefined;
  readonly theirs: Note | undefined;
}

/** The most comparisons of one section: with more, notes that were changed are told by their name alone. */
const mostCompared = 10_000;

/**
 * Pairs the notes of three versions: those that say the same, in the same group and section before elsewhere, and then those of the base
 * that a side has changed. Two titles belong together.
 *
 * @param isLeftOut whether a side has left a note of the base out because it is about another task; it was not changed there.
 * @returns the trios by the notes of ours and theirs.
 */
export function pairNotes(
  base: readonly Note[],
  ours: readonly Note[],
  theirs: readonly Note[],
  isLeftOut: Readonly<Record<'ours' | 'theirs', (note: Note) => boolean>>,
): ReadonlyMap<Note, NoteTrio> {
  const ofOurs = pairEqual(base, ours);
  const ofTheirs = pairEqual(base, theirs);
  const without = (notes: readonly Note[], taken: ReadonlyMap<Note, Note>): Note[] => {
    const gone = new Set(taken.values());
    return notes.filter((note) => !gone.has(note));
  };
  const [newInOurs, newInTheirs] = [without(ours, ofOurs), without(theirs, ofTheirs)];
  const alike = pairEqual(newInOurs, newInTheirs);
  // What both have changed alike is out of the way of what they have changed otherwise.
  const changedAlike = new Map([...ofOurs, ...ofTheirs]);
  pairChanged(base, [...alike.keys()], changedAlike, (note) => isLeftOut.ours(note) || isLeftOut.theirs(note));
  for (const [note, changed] of changedAlike) {
    const other = alike.get(changed);
    if (other) {
      ofOurs.set(note, changed);
      ofTheirs.set(note, other);
    }
  }
  pairChanged(
    base,
    newInOurs.filter((note) => !alike.has(note)),
    ofOurs,
    isLeftOut.ours,
  );
  pairChanged(base, without(newInTheirs, alike), ofTheirs, isLeftOut.theirs);

  const trios: Omit<NoteTrio, 'id'>[] = [
    ...base.map((note) => ({ base: note, ours: ofOurs.get(note), theirs: ofTheirs.get(note) })),
    ...without(ours, ofOurs).map((note) => ({ base: undefined, ours: note, theirs: alike.get(note) })),
    ...without(without(theirs, ofTheirs), alike).map((note) => ({ base: undefined, ours: undefined, theirs: note })),
  ];
  return new Map(
    trios.flatMap((trio, index) => {
      const named = { ...trio, id: `note:${index}` };
      return [trio.ours, trio.theirs].flatMap((note) => (note ? [[note, named] as const] : []));
    }),
  );
}

/**
 * The notes of a new base that a note of a replayed commit could be taken for a change of, although the two have nothing to do with each
 * other: what a later merge has to find on both sides.
 */
export function mistakable(trios: Iterable<NoteTrio>, isLeftOut: (note: Note) => boolean): ReadonlySet<Note> {
  const all = [...new Set(trios)];
  const onto = all.flatMap(({ ours, theirs }) => (theirs && !ours ? [theirs] : []));
  const added = all.flatMap(({ ours, theirs }) => (ours && !theirs ? [ours] : []));
  const pairs = new Map<Note, Note>();
  pairChanged(onto, added, pairs, isLeftOut);
  return new Set(pairs.keys());
}

/** Pairs notes that say the same, in their order. */
function pairEqual(from: readonly Note[], to: readonly Note[]): Map<Note, Note> {
  const pairs = new Map<Note, Note>();
  const taken = new Set<Note>();
  const ways: ((note: Note) => string)[] = [
    ({ kind, print, section, group }) => [kind, sectionKey(section), nameKey(group), print].join('\n'),
    ({ kind, print, section }) => [kind, sectionKey(section), print].join('\n'),
    ({ kind, print }) => [kind, print].join('\n'),
  ];
  for (const keyOf of ways) {
    const open = groupBy(to.filter((note) => !taken.has(note)).reverse(), keyOf);
    for (const note of from) {
      const other = pairs.has(note) ? undefined : open.get(keyOf(note))?.pop();
      if (!other) continue;
      pairs.set(note, other);
      taken.add(other);
    }
  }
  return pairs;
}

/** Adds to the pairs the notes of the base that a side has changed, section by section. */
function pairChanged(
  base: readonly Note[],
  side: readonly Note[],
  pairs: Map<Note, Note>,
  isLeftOut: (note: Note) => boolean,
): void {
  const keyOf = ({ kind, section }: Note): string => (kind === 'title' ? kind : `${kind}\n${sectionKey(section)}`);
  const gone = groupBy(side.length === 0 ? [] : base.filter((note) => !pairs.has(note) && !isLeftOut(note)), keyOf);
  for (const [key, added] of groupBy(side, keyOf)) {
    const old = gone.get(key) ?? [];
    if (old.length === 0) continue;
    for (const [one, other] of key === 'title' ? titles(old, added) : likely(old.map(wordsOf), added.map(wordsOf)))
      pairs.set(one, other);
  }
}

interface Words {
  readonly note: Note;
  readonly words: ReadonlySet<string>;
  /** The first word that tells something. */
  readonly first: string | undefined;
  /** What the note is about, where it begins with that. */
  readonly name: string | undefined;
}

const titles = (old: readonly Note[], added: readonly Note[]): [Note, Note][] =>
  old[0] && added[0] ? [[old[0], added[0]]] : [];

/** The pairs of which one is most likely the other one, changed. */
function likely(old: readonly Words[], added: readonly Words[]): [Note, Note][] {
  const byName = old.length * added.length > mostCompared;
  const candidates = byName ? groupBy(old, ({ name }) => name ?? '') : undefined;
  const rated = added.flatMap((one) => {
    const others = candidates ? (one.name === undefined ? [] : (candidates.get(one.name) ?? []).slice(0, 10)) : old;
    return others.flatMap((other) => {
      const rate = likeness(other, one);
      return rate > 0 ? [{ rate, one: other.note, other: one.note }] : [];
    });
  });
  const taken = new Set<Note>();
  return rated
    .sort((one, other) => other.rate - one.rate)
    .flatMap(({ one, other }): [Note, Note][] => {
      if (taken.has(one) || taken.has(other)) return [];
      taken.add(one).add(other);
      return [[one, other]];
    });
}

/** How likely one note is another one, changed; 0 where it is not likely enough to write over it. */
function likeness(old: Words, now: Words): number {
  const [smaller, larger] = old.words.size < now.words.size ? [old.words, now.words] : [now.words, old.words];
  const common = [...smaller].filter((word) => larger.has(word)).length;
  const share = (2 * common) / Math.max(1, old.words.size + now.words.size);
  if (old.name !== undefined && old.name === now.name) return 2 + share;
  const sameStart = old.first !== undefined && old.first === now.first;
  if (sameStart && common === smaller.size && common > 1) return 1 + share;
  return sameStart && share >= 0.5 ? share : 0;
}

function wordsOf(note: Note): Words {
  const words = nameKey(note.texts.join(' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = /^(?:\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\(|\|?([^|]+)\||(.+?) — )/u.exec(note.print.trim());
  const named = name?.slice(1).find((part) => part !== undefined);
  const key = named === undefined ? '' : nameKey(named).replace(/[^\p{L}\p{N}]+$/u, '');
  // Articles and the like begin everything.
  const first = words.find((word) => word.length > 3) ?? words[0];
  return { note, words: new Set(words), first, name: key === '' ? undefined : key };
}
