import type { Unmerged } from '../../core/git/unmerged.ts';
import { runFactsOf, type RunFacts } from '../../core/claude/runs/runFacts.ts';
import { readUnmerged } from '../../core/git/unmerged.ts';
import { diffFromBase, type WorktreeDiff } from '../../core/snapshot/diff.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';

// What a row shows only when it is asked for; loaded with the first such question.

/** What a worktree changed since it left its base. */
export async function changesOf(model: RepositoryModel, worktree: Worktree): Promise<WorktreeDiff> {
  return diffFromBase(await model.workspace(), worktree);
}

/** The files of a worktree that are in conflict. */
export async function conflictsOf(model: RepositoryModel, worktree: Worktree): Promise<Unmerged[]> {
  return worktree.changes?.conflicts ? readUnmerged((await model.workspace()).git, worktree.path) : [];
}

/** The commit where a worktree's own commits begin; `undefined` where it has no base. */
export async function mergeBaseOf(model: RepositoryModel, { head, base }: Worktree): Promise<string | undefined> {
  if (!head || !base?.exists) return undefined;
  const { git } = await model.workspace();
  return git.in(model.repository.commonDir).line(['merge-base', base.branch, head]);
}

/** The workflow that has claimed a worktree, where one has. */
export async function runOf(model: RepositoryModel, { path, condition }: Worktree): Promise<RunFacts | undefined> {
  if (condition !== 'fine') return undefined;
  const { environment, repository } = await model.workspace();
  return runFactsOf(environment, repository.commonDir, path);
}
