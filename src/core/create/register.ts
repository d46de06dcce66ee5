import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { withFileLock } from '../base/fileLock.ts';
import { Problem } from '../base/problem.ts';
import { gitProblem } from '../git/gitError.ts';
import { lockProblem } from '../git/lockFile.ts';
import { plainWords } from '../git/plainWords.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { madeMeanwhile, repositoryArgs } from './checkout.ts';
import { gitDirOf } from '../git/gitFile.ts';
import type { CreateData } from './createData.ts';
import { reflogNote } from './madeBranch.ts';
import { track } from './tracking.ts';
import { createMessages } from '../messages/create.ts';

/** What git writes into its own lock on a worktree while it makes it. */
export const lockOfMaking = 'initializing';

/**
 * Runs a task while no other process of ours registers a worktree with git.
 *
 * @throws Problem as {@link withFileLock}; what the task throws.
 */
export function whileRegistering<T>(
  { environment, repository }: Workspace,
  task: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return withFileLock(environment, join(repository.commonDir, 'worktree-stacks', 'register'), task, signal);
}

/**
 * Makes the branch of a new worktree, if it is to be made, and registers the worktree with git, without files yet. One process at a
 * time, so that git's own check for a branch that is checked out elsewhere holds, and many creations at once do not
 * fight over git's locks.
 *
 * This and `checkOut` are `git worktree add` in steps: the long one is then a process of ours that a cancel can end, and that
 * runs beside everything else; and it is certain afterwards who has made the branch.
 *
 * @param onFolderTaken called when nobody else uses the folder, just before git writes to it.
 * @throws Problem `taken` when somebody has made the branch, or uses the folder, meanwhile; `git-failed`, `cancelled`.
 */
export async function register(
  workspace: Workspace,
  data: CreateData,
  signal: AbortSignal | undefined,
  onFolderTaken: () => void,
): Promise<void> {
  const task = async (): Promise<void> => {
    if (data.newBranch) await makeBranch(workspace, data, signal);
    if (data.folderThere && (await readdir(data.path).catch(() => [''])).length > 0) throw madeMeanwhile(data.path);
    onFolderTaken();
    await addWorktree(workspace, data.path, { branch: data.branch }, signal);
  };
  await whileRegistering(workspace, task, signal);
}

/**
 * Registers a worktree with git, without files yet, and looks at what git has made. Git ends with 0 although it could not remove the
 * lock that it puts on a worktree while it makes it: nobody could move or remove that worktree then.
 *
 * @param what what is to be checked out there.
 * @returns git's admin directory of it.
 * @throws Problem `git-failed`, `cancelled`; what the file system says when the lock cannot be removed.
 */
export async function addWorktree(
  workspace: Workspace,
  path: string,
  what: { readonly branch: string } | { readonly commit: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  const { git, repository } = workspace;
  const target = 'branch' in what ? ['--', path, what.branch] : ['--detach', '--', path, what.commit];
  const args = [...repositoryArgs(workspace), 'worktree', 'add', '--no-checkout', ...target];
  await git.text(args, { cwd: repository.mainRoot, signal, writes: true });
  const gitDir = await gitDirOf(path);
  if (gitDir === undefined) throw new Problem('git-failed', createMessages.gitMadeNo({ path }), { file: path });
  const lock = join(gitDir, 'locked');
  if ((await readFile(lock, 'utf8').catch(() => '')).trim() === lockOfMaking) await rm(lock, { force: true });
  return gitDir;
}

/** A branch that starts at its base points nowhere else: without an upstream, a plain push cannot reach the base. */
async function makeBranch(workspace: Workspace, data: CreateData, signal: AbortSignal | undefined): Promise<void> {
  const { git, repository } = workspace;
  const none = '0'.repeat(data.startCommit.length);
  const note = ['--create-reflog', '-m', reflogNote(data)];
  const args = [
    ...repositoryArgs(workspace),
    'update-ref',
    ...note,
    `refs/heads/${data.branch}`,
    data.startCommit,
    none,
  ];
  const answer = await git.run(args, { cwd: repository.mainRoot, signal, writes: true });
  if (answer.exitCode === 0) return track(workspace, data, signal);
  const words = plainWords(answer.stderr);
  if (lockProblem(answer.stderr) || !/reference already exists|cannot lock ref/.test(words))
    throw gitProblem(args, answer);
  const [, other] = /'refs\/heads\/([^']+)' exists; cannot create/.exec(answer.stderr) ?? [];
  if (other !== undefined) {
    throw new Problem('taken', createMessages.branchCannotMade({ branch: data.branch, other }), {
      next: createMessages.chooseAnotherName(),
    });
  }
  // Git words it the same where the disk cannot hold a file of that name.
  const ref = ['rev-parse', '--verify', '--quiet', `refs/heads/${data.branch}`];
  const isThere = await git.line([...repositoryArgs(workspace), ...ref], { cwd: repository.mainRoot, signal });
  if (isThere === undefined) throw gitProblem(args, answer);
  throw new Problem('taken', createMessages.branchMadeSomebody({ branch: data.branch }), {
    next: createMessages.chooseAnotherName(),
    items: answer.stderr.split('\n').filter((line) => line !== ''),
  });
}
