import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';

/** Whom a merge is about: what is merged, and the working tree that it comes into. */
export interface MergeSides {
  readonly model: RepositoryModel;
  readonly worktree: Worktree;
  readonly into: Worktree;
}
