import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { Problem } from '../base/problem.ts';
import { worktreeMessages } from '../messages/worktree.ts';
import type { Worktree } from './model.ts';
import type { Workspace } from './workspace.ts';

/** The lock of a worktree after it was locked or unlocked. */
export interface LockState {
  readonly locked: boolean;
  /** Empty where none was given. */
  readonly reason: string;
  /** Whether it was so already. */
  readonly already: boolean;
}

/**
 * Locks a worktree, as `git worktree lock` does: nobody removes it, moves it or drops git's record of it, by force neither. A worktree that is
 * locked stays so, and gets the new reason where one is given.
 *
 * @throws Problem `unsupported` for the main working tree, `not-found` without git's record, `not-writable`.
 */
export async function lockWorktree(
  workspace: Workspace,
  worktree: Worktree,
  reason: string | undefined,
): Promise<LockState> {
  const gitDir = gitDirOf(worktree);
  const words = reason?.trim() ?? '';
  const before = await readLock(gitDir);
  if (before === undefined) {
    const { git, repository } = workspace;
    const args = ['worktree', 'lock', ...(words === '' ? [] : ['--reason', words]), worktree.path];
    await git.text(args, { cwd: repository.mainRoot });
  } else if (words !== '' && words !== before) {
    // Git would have to unlock it in between.
    await writeAtomically(join(gitDir, 'locked'), `${words}\n`);
  }
  const after = (await readLock(gitDir)) ?? words;
  return { locked: true, reason: after, already: before === after };
}

/**
 * Unlocks a worktree, as `git worktree unlock` does. One that is not locked stays so.
 *
 * @throws Problem as {@link lockWorktree}.
 */
export async function unlockWorktree({ git, repository }: Workspace, worktree: Worktree): Promise<LockState> {
  const gitDir = gitDirOf(worktree);
  const before = await readLock(gitDir);
  if (before === undefined) return { locked: false, reason: '', already: true };
  await git.text(['worktree', 'unlock', worktree.path], { cwd: repository.mainRoot });
  return { locked: false, reason: before, already: false };
}

/** The reason, empty without one; `undefined` where it is not locked. */
async function readLock(gitDir: string): Promise<string | undefined> {
  const text = await readFile(join(gitDir, 'locked'), 'utf8').catch(() => undefined);
  return text?.trim();
}

function gitDirOf({ name, main, bare, gitDir }: Worktree): string {
  if (main || bare)
    throw new Problem('unsupported', worktreeMessages.mainNotLocked(), {
      ...{ next: worktreeMessages.nameLinkedWorktree(), outcome: 'incomplete' },
    });
  if (gitDir !== undefined) return gitDir;
  throw new Problem('not-found', worktreeMessages.noRecordToLock({ name }), {
    ...{ next: worktreeMessages.doctorRepairs(), outcome: 'incomplete' },
  });
}
