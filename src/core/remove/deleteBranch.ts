import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../base/diskSpace.ts';
import type { Problem } from '../base/problem.ts';
import { gitProblem } from '../git/gitError.ts';
import { parseWorktreeList } from '../git/worktreeList.ts';
import { readAdministrations } from '../worktree/adminDir.ts';
import { isHeadOf } from './branchDeletion.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Message } from '../messages/message.ts';
import { removeMessages } from '../messages/remove.ts';

/** A branch that goes, and only if it still is as it was when that was decided. */
export interface BranchToDelete {
  readonly name: string;
  readonly oid: string;
  /** Where its commits are kept, when no other branch holds those very commits. */
  readonly backup: string | undefined;
}

/**
 * Deletes a branch and its configuration, unless somebody has checked it out or moved it since.
 *
 * @returns why it is still there; `undefined` when it is gone.
 * @throws Problem when the disk is full.
 */
export async function deleteBranch(workspace: Workspace, branch: BranchToDelete): Promise<Message | undefined> {
  const { git, repository } = workspace;
  const { name, oid, backup } = branch;
  const at = { writes: true };
  const ref = `refs/heads/${name}`;
  if (await isCheckedOut(workspace, name)) return removeMessages.checkedOutMeanwhile();
  // Both or none; the delete holds only for the commit that was inspected.
  const input = [...(backup === undefined ? [] : [`update ${backup} ${oid}`]), `delete ${ref} ${oid}`];
  const answer = await git
    .in(repository.commonDir)
    .run(['update-ref', '--stdin'], { ...at, input: input.map((line) => `${line}\n`).join('') });
  if (answer.exitCode !== 0) {
    const failure = gitProblem(['update-ref', '--stdin'], answer);
    if (isDiskFull(failure)) throw failure;
    const now = await git.in(repository.commonDir).line(['rev-parse', '--quiet', '--verify', ref], at);
    if (now !== undefined) return now === oid ? whyNotDeleted(failure, answer.stderr) : removeMessages.movedMeanwhile();
  }
  const configuration = await readFile(join(repository.commonDir, 'config'), 'utf8').catch(() => '');
  if (configuration.includes(`[branch "${name.replace(/["\\]/g, '\\$&')}"]`)) {
    await git.in(repository.commonDir).run(['config', '--local', '--remove-section', `branch.${name}`], at);
  }
  return undefined;
}

/** A lock in the way is named with what to do; git's own message is a paragraph. */
function whyNotDeleted(failure: Problem, words: string): Message {
  if (failure.reason !== 'locked-by-another') return removeMessages.gitCouldNotDelete({ words: words.trim() });
  const reason = failure.message.replace(/\.$/, '');
  return removeMessages.gitCouldNotDeleteNext({ reason, next: failure.nextStep ?? '' });
}

/** Reads what is checked out everywhere at this very moment, also what a rebase has taken off `HEAD`. */
async function isCheckedOut({ git, repository }: Workspace, branch: string): Promise<boolean> {
  const { commonDir } = repository;
  if (await isHeadOf(commonDir, branch)) return true;
  const administrations = await readAdministrations(commonDir);
  if (administrations.some((each) => each.heldBranch === branch)) return true;
  if (await stat(join(commonDir, 'reftable')).catch(() => undefined)) {
    const output = await git.in(commonDir).text(['worktree', 'list', '--porcelain', '-z']);
    return parseWorktreeList(output).some((each) => each.branch === branch);
  }
  const folder = join(commonDir, 'worktrees');
  const names = await readdir(folder).catch((): string[] => []);
  return (await Promise.all(names.map((name) => isHeadOf(join(folder, name), branch)))).some((found) => found);
}
