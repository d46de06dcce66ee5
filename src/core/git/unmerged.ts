import { parseIndexEntries } from './indexEntries.ts';

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

/** Reads the output of `git ls-files --unmerged -z`: records `mode oid stage TAB path`, up to three for a path. */
export function parseUnmerged(output: string): Unmerged[] {
  const files = new Map<string, Unmerged>();
  for (const { mode, oid, stage, path } of parseIndexEntries(output)) {
    if (stage === 0) continue;
    const side = ({ 1: 'base', 2: 'ours', 3: 'theirs' } as const)[stage];
    const known = files.get(path) ?? { path, base: undefined, ours: undefined, theirs: undefined };
    files.set(path, { ...known, [side]: { oid, mode } });
  }
  return [...files.values()];
}
