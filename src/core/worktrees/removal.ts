import type { Snapshot, Worktree } from './model.ts';
import type { Workspace } from './workspace.ts';

/**
 * Why a worktree should not go, as a word that a program can branch on.
 *
 * `main`: it is the main working tree. `foreign`: another repository, or another worktree, is at its path. `link-outside`: its
 * path, or a folder above it inside the repository, is a link. `nested`: other worktrees or repositories lie inside it.
 * `locked`: somebody locked it. `current-directory`: whoever asks stands in it. `uncommitted`, `operation`,
 * `detached-commits`, `private-refs`, `changed-copies`: work that exists only there. `submodule-commits`,
 * `submodule-changes`: the same inside a submodule of it. `unreadable`: what is in it could not be found out.
 */
export type ObstacleKind =
  | 'main'
  | 'foreign'
  | 'link-outside'
  | 'nested'
  | 'locked'
  | 'current-directory'
  | 'uncommitted'
  | 'operation'
  | 'detached-commits'
  | 'private-refs'
  | 'changed-copies'
  | 'submodule-commits'
  | 'submodule-changes'
  | 'unreadable';

/** One thing that stops a removal. */
export interface Obstacle {
  readonly kind: ObstacleKind;
  /** What is there, as a sentence part: "3 files are not committed". */
  readonly message: string;
  /** The files, commits or paths that are meant. */
  readonly items: readonly string[];
  /** Whether `force` removes the worktree all the same, after a backup of what only it holds. */
  readonly forceable: boolean;
}

/** What happens to the branch of a worktree that is removed. */
export interface BranchFate {
  /** The short name. */
  readonly name: string;
  readonly fate: 'delete' | 'keep';
  /** Why, as a sentence part: "it is merged into main". */
  readonly why: string;
  /** The commit it was on when it was looked at. */
  readonly oid: string;
}

/** What removing a worktree would do, and what speaks against it. */
export interface Removal {
  readonly worktree: Worktree;
  readonly obstacles: readonly Obstacle[];
  /** `undefined` when it has none: detached, or the branch does not exist. */
  readonly branch: BranchFate | undefined;
  /** The names of the worktrees that stand on this one's branch; their base becomes {@link newBase}. */
  readonly dependents: readonly string[];
  readonly newBase: string | undefined;
}

/** Looks at everything that a removal could destroy. Changes nothing. */
export async function inspectRemoval(
  _workspace: Workspace,
  _snapshot: Snapshot,
  worktree: Worktree,
  _options: { signal?: AbortSignal | undefined } = {},
): Promise<Removal> {
  return { worktree, obstacles: [], branch: undefined, dependents: [], newBase: undefined };
}

/** Worktrees in the order in which they are best removed: nested ones before what holds them, children before their parents. */
export function orderForRemoval(worktrees: readonly Worktree[]): Worktree[] {
  return [...worktrees];
}
