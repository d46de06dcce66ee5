import { Problem } from '../base/problem.ts';
import { plainSlugOf } from '../repository/plainSlug.ts';
import { findWorktree } from '../worktree/find.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { MergeSource } from './model.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { continueOrAbort } from './underWay.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/**
 * What a word on the command line wants merged: a worktree, also one whose folder is missing, or else a branch that no worktree
 * has any more.
 *
 * @param cwd where paths start.
 * @throws Problem `not-found`; `ambiguous`; `in-use` or `unsupported` for a worktree whose branch cannot be merged as it is.
 */
export async function findMergeSource(
  workspace: Workspace,
  snapshot: Snapshot,
  word: string,
  cwd: string,
  signal?: AbortSignal,
): Promise<MergeSource> {
  let worktree: Worktree;
  try {
    worktree = await findWorktree(snapshot, word, cwd);
  } catch (thrown) {
    const branch = Problem.is(thrown, 'not-found') ? await branchOnly(workspace, word, signal) : undefined;
    if (branch === undefined) throw thrown;
    return branch;
  }
  return sourceOf(workspace, worktree, signal);
}

/**
 * A worktree as something to merge.
 *
 * @throws Problem `in-use` while its branch is being rebased, `unsupported` without a branch or without a commit.
 */
export async function sourceOf(workspace: Workspace, worktree: Worktree, signal?: AbortSignal): Promise<MergeSource> {
  const { name, slug, path, branch, operation, condition } = worktree;
  if (branch === undefined) {
    throw new Problem('unsupported', mergeMessages.notMergedNo({ name }), {
      next: mergeMessages.gitSwitchCreate({ path }),
      outcome: 'incomplete',
    });
  }
  if (operation === 'rebase' || operation === 'am') {
    throw new Problem('in-use', mergeMessages.notMergedRebase({ name, branch }), {
      next: await continueOrAbort(workspace, worktree),
      outcome: 'incomplete',
    });
  }
  const commit = await commitOf(workspace, branch, signal);
  if (commit === undefined) {
    throw new Problem('unsupported', mergeMessages.notMergedBranchNo({ name, branch }), {
      next: mergeMessages.commitSomething({ path }),
      outcome: 'incomplete',
    });
  }
  const fine = condition === 'fine';
  const notes = fine
    ? await uncommittedNote(workspace, worktree, signal)
    : [mergeMessages.sourceOutOfSight({ name, branch })];
  return { name, slug, branch, commit, path: fine ? path : undefined, gitDir: worktree.gitDir, notes };
}

async function branchOnly(
  workspace: Workspace,
  word: string,
  signal: AbortSignal | undefined,
): Promise<MergeSource | undefined> {
  const commit = await commitOf(workspace, word, signal);
  if (commit === undefined) return undefined;
  const notes = [mergeMessages.noWorktreeHasBranch({ branch: word })];
  return { name: word, slug: plainSlugOf(word), branch: word, commit, path: undefined, gitDir: undefined, notes };
}

async function commitOf(
  { git, repository }: Workspace,
  branch: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const args = ['rev-parse', '--quiet', '--verify', `refs/heads/${branch}^{commit}`];
  return git.in(repository.commonDir).line(args, { signal });
}

async function uncommittedNote(
  { git }: Workspace,
  { name, path }: Worktree,
  signal: AbortSignal | undefined,
): Promise<Message[]> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal'];
  const answer = await git.run(args, { cwd: path, signal });
  const count = fieldsOf(answer.stdout).length;
  return count === 0 ? [] : [mergeMessages.notPartOfMerge({ count, name, word: quoted(name) })];
}
