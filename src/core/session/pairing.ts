/** What the versions of a file have several of. */
export interface Named {
  /** The name, as names are compared. */
  readonly nameKey: string;
  /** Its content in a form for comparison: equal for two with the same content. */
  readonly print: string;
}

/** One entry as the three versions have it; at least one of them does. */
export interface Trio<Entry> {
  /** The same for the same three texts. */
  readonly id: string;
  readonly base: Entry | undefined;
  readonly ours: Entry | undefined;
  readonly theirs: Entry | undefined;
}

type Slot<Entry> = { base?: Entry; ours?: Entry; theirs?: Entry };

/**
 * Pairs the entries of three versions by name. Where a name comes more than once, those that say the same belong together, and the
 * others in the order in which they stand.
 */
export function pairByName<Entry extends Named>(
  base: readonly Entry[],
  ours: readonly Entry[],
  theirs: readonly Entry[],
): Trio<Entry>[] {
  const slots = new Map<string, Slot<Entry>[]>();
  for (const [side, entries] of [['base', base] as const, ['ours', ours] as const, ['theirs', theirs] as const]) {
    for (const [name, those] of groupBy(entries, (entry) => entry.nameKey)) {
      const there = slots.get(name) ?? [];
      slots.set(name, there);
      fill(there, side, those);
    }
  }
  return [...slots].flatMap(([name, those]) =>
    those.map(({ base, ours, theirs }, index) => ({ id: `${index}:${name}`, base, ours, theirs })),
  );
}

function fill<Entry extends Named>(slots: Slot<Entry>[], side: keyof Slot<Entry>, entries: readonly Entry[]): void {
  const [entry] = entries;
  const [slot] = slots;
  if (entry && slot && entries.length === 1 && slots.length === 1) {
    slot[side] = entry;
    return;
  }
  let left = entries;
  // Those with the content of the base first, so that a side without a change is never paired otherwise.
  for (const other of ['base', 'ours'] as const) {
    const open = groupBy(
      slots.filter((slot) => slot[side] === undefined && slot[other] !== undefined).reverse(),
      (slot) => slot[other]?.print ?? '',
    );
    left = left.filter((entry) => {
      const slot = open.get(entry.print)?.pop();
      if (slot) slot[side] = entry;
      return slot === undefined;
    });
  }
  const gone = new Map(slots.flatMap(({ base, ours }) => (base && !ours ? [[base.print, base] as const] : [])));
  let at = 0;
  for (const entry of left) {
    while (at < slots.length && slots[at]?.[side] !== undefined) at += 1;
    // One more of what ours has deleted is nothing new.
    const base = side === 'theirs' && at >= slots.length ? gone.get(entry.print) : undefined;
    const slot: Slot<Entry> = slots[at] ?? (base ? { base } : {});
    if (at >= slots.length) slots.push(slot);
    slot[side] = entry;
  }
}

/** Groups in the order of their first members. */
export function groupBy<Entry, Key>(entries: readonly Entry[], keyOf: (entry: Entry) => Key): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
