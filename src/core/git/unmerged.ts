import type { Git } from './git.ts';
import { unmergedEntries, type IndexEntry } from './indexEntries.ts';

/** One side of a file in conflict, as the index holds it. */
export interface Stage {
  /** The object's id: of a blob, or of a submodule's commit where the mode is `160000`. */
  readonly oid: string;
  readonly mode: string;
}

/** A file in conflict. A side that is missing has deleted it, or never had it. */
export interface Unmerged {
  /** Relative to the working tree's root, with forward slashes. */
  readonly path: string;
  readonly base: Stage | undefined;
  readonly ours: Stage | undefined;
  readonly theirs: Stage | undefined;
}

/** The files of a working tree that are in conflict, in git's order. @param paths only these; every one by default. */
export async function readUnmerged(git: Git, root: string, paths?: readonly string[]): Promise<Unmerged[]> {
  return sidesOf(await unmergedEntries(git, root, paths));
}

/** The sides of each path, from its entries. */
export function sidesOf(entries: ReadonlyMap<string, readonly IndexEntry[]>): Unmerged[] {
  return [...entries].map(([path, stages]) => {
    const side = (number: IndexEntry['stage']): Stage | undefined => {
      const entry = stages.find(({ stage }) => stage === number);
      return entry && { oid: entry.oid, mode: entry.mode };
    };
    return { path, base: side(1), ours: side(2), theirs: side(3) };
  });
}
