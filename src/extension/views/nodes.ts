import type { ChangedFile } from '../../core/snapshot/diff.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Unmerged } from '../../core/git/unmerged.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { StackRow } from './stackTree.ts';

/** A repository, shown only where a window holds several. */
export interface RepositoryNode {
  readonly kind: 'repository';
  readonly id: string;
  readonly model: RepositoryModel;
}

/** What a worktree or a branch may stand below: in stack mode the row of its base. */
export type Above = RepositoryNode | WorktreeNode | BranchNode | undefined;

/** A worktree. The object is reused as long as the worktree is shown in the same position; its facts are replaced. */
export interface WorktreeNode {
  readonly kind: 'worktree';
  readonly id: string;
  readonly model: RepositoryModel;
  readonly parent: Above;
  worktree: Worktree;
  /** Its row in stack mode; `undefined` in list mode. */
  row: StackRow | undefined;
}

/** In stack mode, a row without a worktree: a branch, a missing base, a cycle of bases. */
export interface BranchNode {
  readonly kind: 'branch';
  readonly id: string;
  readonly model: RepositoryModel;
  readonly parent: Above;
  row: StackRow;
}

/** In stack mode, the changed files of a worktree that has dependents. */
export interface ChangesNode {
  readonly kind: 'changes';
  readonly id: string;
  readonly parent: WorktreeNode;
}

/** A file that a worktree changed against its base. */
export interface ChangeNode {
  readonly kind: 'change';
  readonly id: string;
  readonly parent: WorktreeNode;
  /** The row that it is listed in, when that is not the worktree's own. */
  readonly group: ChangesNode | undefined;
  readonly change: ChangedFile;
  /** The commit that the file is compared with. */
  readonly from: string;
}

/** A file of a worktree that is in conflict. */
export interface ConflictNode {
  readonly kind: 'conflict';
  readonly id: string;
  readonly parent: WorktreeNode;
  readonly file: Unmerged;
}

/** What the Worktrees view shows, and what its commands are given. */
export type Node = RepositoryNode | WorktreeNode | BranchNode | ChangesNode | ConflictNode | ChangeNode;

/** Whether the argument of a command is a node of the view. */
export function isNode<Kind extends Node['kind']>(value: unknown, kind: Kind): value is Extract<Node, { kind: Kind }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind && 'id' in value;
}
