import type { Message } from '../messages/message.ts';
import type { StatusEntry } from '../git/status.ts';
import { mergePairs } from '../git/mergePairs.ts';
import { mergeByLines } from '../repository/notesDriver.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { Distances } from '../snapshot/distances.ts';
import { linesOf, type Line } from './predictLines.ts';
import { PredictionCache } from './predictionCache.ts';
import { withoutNotes } from './predictNotes.ts';
import type { StackState } from '../stack/readStack.ts';
import { tipsOf } from '../snapshot/trunk.ts';

/** A conflict that two lines of work would have if they were merged now, uncommitted changes included. */
export interface PredictedConflict {
  readonly worktree: string;
  /** The other worktree's name, or the base. */
  readonly with: string;
  readonly kind: 'base' | 'sibling';
  readonly files: readonly string[];
}

/** The conflicts found, and what was compared. */
export interface Prediction {
  readonly conflicts: readonly PredictedConflict[];
  /** How many pairs were compared, and how many of them had been before. */
  readonly pairs: number;
  readonly known: number;
  /** Worktrees that could not be compared, and why. */
  readonly left: readonly { readonly worktree: string; readonly why: Message }[];
  /** The names of the worktrees that were compared. */
  readonly compared: ReadonlySet<string>;
}

/** How much is read and merged for those who do not wait for all; what earlier runs have found counts for nothing. */
export interface PredictionBound {
  /** The most working trees with uncommitted changes that are read. */
  readonly trees: number;
  /** The most pairs that are merged: those with a base first. */
  readonly pairs: number;
}

/** How conflicts are predicted. */
export interface PredictionOptions {
  readonly cache?: PredictionCache | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What git has just said of working trees, by their paths; see {@link linesOf}. */
  readonly statuses?: ReadonlyMap<string, readonly StatusEntry[]> | undefined;
  readonly bound?: PredictionBound | undefined;
}

interface Pair {
  readonly conflict: Omit<PredictedConflict, 'files'>;
  readonly one: string;
  readonly other: string;
}

/** The most pairs that one git process compares. */
const together = 500;

/**
 * Finds the worktrees that would conflict with their base or with one another, and the files. Merges in memory only: no branch, no
 * index and no working tree is touched. A worktree is not compared with the worktrees below and above it: the comparison with the base
 * covers them.
 *
 * @param state with the changes of its worktrees read.
 */
export async function predict(
  workspace: Workspace,
  state: StackState,
  options: PredictionOptions = {},
): Promise<Prediction> {
  const { git, repository } = workspace;
  const { cache = new PredictionCache(), signal, statuses, bound } = options;
  const left: { worktree: string; why: Message }[] = [];
  const lines = await linesOf(workspace, state.snapshot, left, { cache, signal, statuses, most: bound?.trees });
  const candidates = siblings(lines);
  const isKnown = ({ one, other }: Pair): boolean => cache.get(one, other) !== undefined;
  // Who asks for little does not ask again which of them are in line.
  const apart =
    bound && candidates.every(({ pair }) => isKnown(pair))
      ? candidates.map(({ pair }) => pair)
      : await withoutLine(workspace, candidates, bound && cache, signal);
  const pairs = [...basePairs(workspace, state, lines), ...apart];
  const unknown = pairs.filter((pair) => !isKnown(pair));
  const open = unknown.slice(0, bound?.pairs);
  const batches: Promise<void>[] = [];
  for (let start = 0; start < open.length; start += together) {
    const some = open.slice(start, start + together);
    batches.push(
      mergePairs(git.in(repository.commonDir), some, { settings: mergeByLines, signal }).then(async (all) => {
        const kinds = some.map(({ conflict }) => conflict.kind);
        const left = await withoutNotes(workspace, all, kinds, signal);
        for (const [index, { one, other }] of some.entries()) {
          const files = left[index];
          if (files !== undefined) cache.set(one, other, files);
        }
      }),
    );
  }
  await Promise.all(batches);
  const conflicts = pairs.flatMap(({ conflict, one, other }) => {
    const files = cache.get(one, other) ?? [];
    return files.length === 0 ? [] : [{ ...conflict, files }];
  });
  const compared = new Set(lines.map(({ worktree }) => worktree.name));
  const counts = { pairs: pairs.length, known: pairs.length - unknown.length };
  return { conflicts: reportedOnce(conflicts, lines), ...counts, left, compared };
}

/** Where the base of a worktree is checked out in another one, that one adds only what its uncommitted changes do. */
function reportedOnce(conflicts: readonly PredictedConflict[], lines: readonly Line[]): PredictedConflict[] {
  const branches = new Map(lines.map(({ worktree }) => [worktree.name, worktree.branch]));
  const withBase = new Map(conflicts.filter(({ kind }) => kind === 'base').map((each) => [each.worktree, each]));
  const told = (one: string, other: string): readonly string[] => {
    const base = withBase.get(one);
    return base !== undefined && base.with === branches.get(other) ? base.files : [];
  };
  return conflicts.flatMap((conflict) => {
    if (conflict.kind === 'base') return [conflict];
    const { worktree, with: other } = conflict;
    const known = new Set([...told(worktree, other), ...told(other, worktree)]);
    const files = conflict.files.filter((file) => !known.has(file));
    return files.length === 0 ? [] : [{ ...conflict, files }];
  });
}

function basePairs({ configuration }: Workspace, { stack, branches }: StackState, lines: readonly Line[]): Pair[] {
  const { remote } = configuration.stack;
  return lines.flatMap(({ worktree, commit }): Pair[] => {
    const branch = worktree.branch === undefined ? undefined : stack.branches.get(worktree.branch);
    const base = branch?.base;
    const tips = base === undefined ? undefined : tipsOf(branches, base, remote);
    const other = base === stack.trunk ? (tips?.remote ?? tips?.local) : (tips?.local ?? tips?.remote);
    if (base === undefined || other === undefined || other === commit) return [];
    return [{ conflict: { worktree: worktree.name, with: base, kind: 'base' }, one: other, other: commit }];
  });
}

/** Two lines of work, and how they would be compared. */
interface Siblings {
  readonly line: Line;
  readonly other: Line;
  readonly pair: Pair;
}

/** Every two lines of work. */
function siblings(lines: readonly Line[]): Siblings[] {
  return lines.flatMap((line, index) =>
    lines.slice(index + 1).flatMap((other): Siblings[] => {
      if (line.commit === other.commit) return [];
      const [one, two] = line.commit < other.commit ? [line, other] : [other, line];
      const conflict = { worktree: line.worktree.name, with: other.worktree.name, kind: 'sibling' } as const;
      return [{ line, other, pair: { conflict, one: one.commit, other: two.commit } }];
    }),
  );
}

/** Those of which neither is based on the other; the cache, if there is one, is told that the others do not conflict. */
async function withoutLine(
  { git, repository }: Workspace,
  all: readonly Siblings[],
  cache: PredictionCache | undefined,
  signal: AbortSignal | undefined,
): Promise<Pair[]> {
  const asked = all.map(({ line, other }) => ({ one: line.tip, other: other.tip }));
  const distances = await Distances.read(git, repository.commonDir, asked, { signal });
  return all.flatMap(({ line, other, pair }, index): Pair[] => {
    const tips = asked[index];
    const distance = tips && distances.of(tips);
    const inLine = distance !== undefined && (distance.ahead === 0 || distance.behind === 0);
    // Two at the same commit, or one based on the other, differ only by uncommitted changes.
    if (!inLine || line.commit !== line.tip || other.commit !== other.tip) return [pair];
    if (cache && cache.get(pair.one, pair.other) === undefined) cache.set(pair.one, pair.other, []);
    return [];
  });
}
