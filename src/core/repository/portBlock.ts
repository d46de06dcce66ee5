/** The ports of one worktree: so many, one after the other. */
export interface PortBlock {
  readonly first: number;
  readonly count: number;
}

/** The ports of a block, one by one. */
export function portNumbers({ first, count }: PortBlock): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The ports of a block, for people: `20001–20003`, or the one. */
export function portList({ first, count }: PortBlock): string {
  return count === 1 ? String(first) : `${first}–${first + count - 1}`;
}
