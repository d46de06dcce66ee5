import { mergeSessionText } from './mergeText.ts';
import type { MergeOutcome, SessionKind } from './model.ts';

/** The versions of a session file when a commit of a worktree is replayed onto another one. */
export interface ReplayInput {
  readonly kind: SessionKind;
  /** As the parent of the commit has it; `undefined` where it has none. */
  readonly base: string | undefined;
  readonly commit: string;
  readonly onto: string;
}

/** Whether a rebase can take the result as it stands: the shape is known, and no line was changed by both sides. */
export function isSettled({ known, entries }: MergeOutcome): boolean {
  return known && !entries.some(({ reason }) => reason === 'bothChangedHere');
}

/**
 * Merges a session file in a rebase, by the rules in docs/merging.md: in a session file the worktree's notes stay the worktree's, the
 * other two files take its changes in. Pure, never throws.
 */
export function replaySessionText({ kind, base, commit, onto }: ReplayInput): MergeOutcome {
  if (kind === 'session') return mergeSessionText({ kind, base, ours: commit, theirs: onto, replayed: true });
  return mergeSessionText({ kind, base, ours: onto, theirs: commit });
}
