/**
 * What a retrospective searches for. `denied-harmless`: a guard refused what looks harmless. `allowed-dangerous`: something ran that
 * changes a remote, a pull request or a file outside the worktree. `missing-poll`: a pull request was not watched.
 * `skipped-rebase`: a branch was published although its base was known to have moved. `failed-hook`: a hook did not do its work.
 */
export type RetroFindingKind =
  'denied-harmless' | 'allowed-dangerous' | 'missing-poll' | 'skipped-rebase' | 'failed-hook';

/** All kinds, in the order of a report. */
export const findingKinds: readonly RetroFindingKind[] = [
  'allowed-dangerous',
  'denied-harmless',
  'missing-poll',
  'skipped-rebase',
  'failed-hook',
];

/** Something for a person to check, and where it is. */
export interface RetroFinding {
  readonly kind: RetroFindingKind;
  /** ISO 8601. */
  readonly at: string;
  readonly worktree: string | undefined;
  readonly session: string | undefined;
  /** The transcript that holds it, an absolute path. */
  readonly transcript: string | undefined;
  /** The command, shortened and without secrets, or the file. */
  readonly words: string;
  /** Why it was picked, as a sentence part. */
  readonly why: string;
}
