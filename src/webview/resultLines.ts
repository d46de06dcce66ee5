/** The part of an entry that locates it in the result and compares it with ours. */
export interface PlacedEntry {
  readonly id: string;
  readonly ours: string | null;
  readonly result: string | null;
}

/** Where an entry stands: the first line and the one after the last, counted from 0. */
export interface LinePosition {
  readonly start: number;
  readonly end: number;
  /** The lines are not what ours has. */
  readonly touched: boolean;
}

/**
 * Finds the entries of a merge in its result. They stand there in their order, so each is looked for behind the one before, and an entry that is
 * not found there (a side's lines were put into another shape) has no place.
 *
 * @param lines the result without line ends.
 */
export function placesOf(lines: readonly string[], entries: readonly PlacedEntry[]): ReadonlyMap<string, LinePosition> {
  const places = new Map<string, LinePosition>();
  const at = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = at.get(line);
    if (known) known.push(index);
    else at.set(line, [index]);
  }
  let next = 0;
  for (const { id, ours, result } of entries) {
    if (result === null || result === '') continue;
    const wanted = result.split(/\r?\n/);
    const starts = at.get(wanted[0] ?? '') ?? [];
    const start = starts
      .slice(firstNotBelow(starts, next))
      .find((line) => wanted.every((text, offset) => lines[line + offset] === text));
    if (start === undefined) continue;
    next = start + wanted.length;
    places.set(id, { start, end: next, touched: result !== ours });
  }
  return places;
}

/** In ascending numbers, the index of the first that is not below a bound. */
function firstNotBelow(numbers: readonly number[], bound: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
