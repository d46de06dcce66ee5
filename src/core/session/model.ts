/** The three files that carry an agent's notes through a merge, by what is in them and not by their name. */
export type SessionKind = 'session' | 'learnings' | 'jobs';

/** The three versions of one file. */
export interface MergeInput {
  readonly kind: SessionKind;
  /** The common ancestor's text; `undefined` where there is none (both sides added the file, or their histories have nothing in common). */
  readonly base: string | undefined;
  readonly ours: string;
  readonly theirs: string;
  /**
   * Ours is a commit of a worktree that is replayed onto theirs, in a rebase: what theirs deleted goes, what both changed is merged as
   * a later merge into theirs would do it, and a file that was focused on a task stays so. Only session files are affected.
   */
  readonly replayed?: boolean | undefined;
  /** The slug of the worktree that is being merged: its entry among the worktree tasks is removed. */
  readonly slug?: string | undefined;
  /** What a person decided otherwise, by {@link MergeEntry.id}. Unknown ids are ignored. */
  readonly choices?: ReadonlyMap<string, Choice> | undefined;
  /** What a person wrote in place of an entry's lines, by {@link MergeEntry.id}; an empty text leaves it out. Unknown ids are ignored. */
  readonly edits?: ReadonlyMap<string, string> | undefined;
}

/**
 * What is taken for an entry.
 *
 * - `merged`: what the rules say, which may be a mixture of both sides
 * - `ours`, `theirs`: that side's entry as it stands, or nothing where that side has none
 * - `both`: ours, and theirs after it
 * - `neither`: nothing
 */
export type Choice = 'merged' | 'ours' | 'theirs' | 'both' | 'neither';

/** The rule that decided; one for each row of the tables in docs/merging.md. The terminal and the editor have a text for each. */
export type MergeReason =
  | 'newInTheirs'
  | 'newButFinished'
  | 'deletedByOurs'
  | 'deletedByOursButChanged'
  | 'deletedByOursAndFinished'
  | 'deletedByTheirs'
  | 'deletedByTheirsButChanged'
  | 'onlyInOurs'
  | 'onlyTheirsChanged'
  | 'onlyOursChanged'
  | 'bothChanged'
  | 'bothChangedAlike'
  | 'bothChangedHere'
  | 'leftBehind'
  | 'bothAdded'
  | 'renamedByOurs'
  | 'renamedByTheirs'
  | 'worktreeFinished'
  | 'worktreeStillOpen'
  | 'statusAdvanced'
  | 'statusKept'
  | 'statusUnknown'
  | 'archived';

/** An entry that differs between the two sides: a task, what is no task, a learning, a row of the jobs table. */
export interface MergeEntry {
  /** Names the entry within one merge: the same three texts give the same ids. */
  readonly id: string;
  /** The heading that it is below in the result, or would be; empty before the first one. */
  readonly section: string;
  /** As a person would name it. */
  readonly name: string;
  /** The entry's own lines on each side, without a line end after the last; `undefined` where that side has none. */
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
  /** The lines that are in the result; `undefined` for none. */
  readonly result: string | undefined;
  /** What was taken: {@link MergeInput.choices} where they name the entry, else `merged`. */
  readonly choice: Choice;
  /** The lines of the result are a person's own: {@link MergeInput.edits}. */
  readonly edited: boolean;
  /** The rule behind `merged`, whatever was chosen. */
  readonly reason: MergeReason;
  /** A person should check it: both sides changed it, and the rules had to weigh them. */
  readonly needsLook: boolean;
}

/** The result of merging one file. */
export interface MergeOutcome {
  /**
   * The file has the expected shape. Otherwise `text` is ours and must not be used: git's own result counts.
   */
  readonly known: boolean;
  /** The unexpected part and its line where `known` is false: "line 12: …". */
  readonly unknown?: string | undefined;
  /** The result: ours byte for byte if nothing merges. */
  readonly text: string;
  /** The entries that differ between the sides, in the order of the result. */
  readonly entries: readonly MergeEntry[];
}
