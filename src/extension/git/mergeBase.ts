import type { Worktree } from '../../core/worktrees/model.ts';
import type { RepositoryModel } from '../repositoryModel.ts';

/** The commit where a worktree's own commits begin; `undefined` where it has no base. */
export async function mergeBaseOf(model: RepositoryModel, { head, base }: Worktree): Promise<string | undefined> {
  if (!head || !base?.exists) return undefined;
  const { git } = await model.workspace();
  return git.line(['merge-base', base.branch, head], { cwd: model.repository.commonDir });
}
