import { Problem } from '../base/problem.ts';
import type { Worktree } from './model.ts';
import type { Workspace } from './workspace.ts';

/** A file that differs from the merge base; `?` is one that git does not track yet. */
export interface ChangedFile {
  readonly status: 'A' | 'M' | 'D' | 'R' | 'C' | 'T' | 'U' | '?';
  /** Relative to the worktree's root, with forward slashes. */
  readonly path: string;
  /** Where a renamed or copied file came from. */
  readonly from?: string;
  /** Lines; `undefined` for a binary file and for one that is not tracked. */
  readonly added?: number;
  readonly deleted?: number;
}

/** What a worktree has changed since it left its base, committed or not. */
export interface WorktreeDiff {
  /** The commit that it is compared with, where the branch's own commits begin. */
  readonly from: string;
  /** The branch that it stands on; `undefined` when it stands on none, and is compared with its upstream or its last commit. */
  readonly base: string | undefined;
  /** By path; files that are not tracked last. */
  readonly files: readonly ChangedFile[];
}

/** The text of a diff. */
export interface DiffText {
  readonly from: string;
  readonly base: string | undefined;
  /** As git writes it, byte for byte: files need not be UTF-8. */
  readonly bytes: Buffer;
  /** Files that git does not track yet. The summaries list them, a patch does not hold them. */
  readonly untracked: readonly string[];
}

/**
 * What a worktree has changed: its working tree, uncommitted changes included, against the commit where it left its base.
 *
 * @throws Problem `not-found` when there is no working tree or no base commit to compare with.
 */
export async function diffFromBase(
  _workspace: Workspace,
  _worktree: Worktree,
  _options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<WorktreeDiff> {
  throw new Problem('unsupported', 'Differences cannot be read yet.');
}

/** The same as text: a patch, git's `--stat`, or one `<status>\t<path>` a line. */
export async function diffTextFromBase(
  _workspace: Workspace,
  _worktree: Worktree,
  _options: {
    readonly form?: 'patch' | 'stat' | 'name-status';
    readonly colour?: boolean;
    /** Columns for `stat`; default 80. */
    readonly width?: number;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<DiffText> {
  throw new Problem('unsupported', 'Differences cannot be read yet.');
}
