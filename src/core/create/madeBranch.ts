import { gitProblem } from '../git/gitError.ts';
import { readListing } from '../worktree/worktreeList.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { repositoryArgs } from './checkout.ts';
import type { CreateData } from './createData.ts';

/** A branch that an operation has made, or was about to make, and rolls back. */
export interface MadeBranch {
  readonly name: string;
  /** The commit that it was made at. */
  readonly oid: string;
  /** What the entry in its log says that was written when it was made: how it is known for ours. */
  readonly note: string;
}

/** What the first entry in the log of a branch says that we have made. */
export function reflogNote({ name, entry }: Pick<CreateData, 'name' | 'entry'>): string {
  return `wt create ${name} (${entry.created ?? ''})`;
}

/** Makes a branch that can be told as ours by its log. @throws Problem with git's message when there is one of that name. */
export async function makeBranch(
  { git, repository }: Workspace,
  { name, oid, note }: MadeBranch,
  signal?: AbortSignal,
): Promise<void> {
  const none = '0'.repeat(oid.length);
  const args = ['update-ref', '--create-reflog', '-m', note, `refs/heads/${name}`, oid, none];
  await git.in(repository.commonDir).text(args, { writes: true, signal });
}

/**
 * Deletes a branch that an operation has made. Git is asked, not remembered: a git that was ended or has failed may have made it all the
 * same. Somebody else's branch of that name stays, and so does one that has moved or is checked out. Doing it twice is harmless.
 *
 * @returns whether there is no branch of that name now.
 * @throws Problem with git's words when it is still there, as it was made.
 */
export async function deleteMadeBranch(workspace: Workspace, { name, oid, note }: MadeBranch): Promise<boolean> {
  const { environment, git, repository } = workspace;
  const ref = `refs/heads/${name}`;
  const at = { cwd: repository.mainRoot };
  const commitOf = [...repositoryArgs(workspace), 'rev-parse', '--quiet', '--verify', ref];
  const there = await git.line(commitOf, at);
  if (there !== oid || !(await isMade(workspace, ref, note))) return there === undefined;
  const holder = (await readListing(workspace, new AbortController().signal)).find(({ branch }) => branch === name);
  if (holder) {
    environment.log.info(`The branch ${name} was kept: it is checked out in ${holder.path}`);
    return false;
  }
  const args = [...repositoryArgs(workspace), 'update-ref', '-d', ref, oid];
  const answer = await git.run(args, { ...at, writes: true });
  const after = await git.line(commitOf, at);
  if (after === oid) throw gitProblem(args, answer);
  if (answer.exitCode !== 0) environment.log.info(`The branch ${name} was kept: ${answer.stderr.trim()}`);
  return after === undefined;
}

/** Entries of an earlier branch of that name may still be in the log, where it could not be removed; ours is the newest one. */
async function isMade(workspace: Workspace, ref: string, note: string): Promise<boolean> {
  const { git, repository } = workspace;
  const args = [...repositoryArgs(workspace), 'reflog', 'show', '--format=%gs', ref, '--'];
  const log = await git.line(args, { cwd: repository.mainRoot });
  return log?.split('\n')[0] === note;
}
