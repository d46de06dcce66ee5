import { Problem } from '../../base/problem.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { lastRebasedTip } from './pushedHistory.ts';
import { githubMessages } from '../../messages/github.ts';

/** A branch that was rebased, and what the remote still has of it. */
export interface Parted {
  readonly branch: string;
  readonly name: string;
  readonly tip: string;
  readonly remoteTip: string;
  /** The commit that the rebased commits are based on. */
  readonly newBase: string;
}

/** A branch that was joined with its former self. */
export interface Joined {
  readonly tip: string;
  /** Takes it back, unless somebody has moved the branch since. */
  readonly undo: () => Promise<void>;
}

/**
 * Joins a rebased branch with what the remote has of it, so that it can be pushed without force: a merge of both bases with the files
 * as they are now. Commits that were made after the rebase are put on top of it one by one. The files in the worktree do not change.
 * What the branch was before is kept under `refs/wt-backup/`.
 *
 * @throws Problem `unsupported` when there are merges among those commits.
 */
export async function joinWithRemote(workspace: Workspace, parted: Parted, signal?: AbortSignal): Promise<Joined> {
  const { git, repository, environment } = workspace;
  const { branch, tip, remoteTip, newBase } = parted;
  const at = { signal };
  const rebased = await rebasedTip(workspace, parted, signal);
  const range = await git.in(repository.commonDir).text(['rev-list', '--reverse', '--parents', tip, `^${rebased}`], at);
  const later = range.split('\n').filter((line) => line !== '');
  if (later.some((line) => line.split(' ').length !== 2)) {
    throw new Problem('unsupported', githubMessages.cannotJoinedPushed({ branch }), {
      next: githubMessages.pushStackWithLease({ partedName: parted.name }),
      outcome: 'incomplete',
    });
  }
  const message = `Bring ${branch} onto ${newBase.slice(0, 8)}\n\nThe same files as after the rebase, on top of what was pushed before.\n`;
  const parents = ['-p', remoteTip, '-p', newBase];
  const write = { ...at, writes: true };
  const tree = `${rebased}^{tree}`;
  let joined = (
    await git.in(repository.commonDir).text(['commit-tree', ...parents, tree], { ...write, input: message })
  ).trim();
  for (const line of later) joined = await copyOnto(workspace, line.split(' ')[0] ?? '', joined, signal);
  const stamp = environment.now().toISOString().replace(/\D/g, '').slice(0, 14);
  const backup = `refs/wt-backup/push-${stamp}/${branch}`;
  const move = (to: string, from: string): Promise<string> =>
    git
      .in(repository.commonDir)
      .text(['update-ref', '-m', 'wt: push without force', `refs/heads/${branch}`, to, from], write);
  await git.in(repository.commonDir).text(['update-ref', backup, tip], write);
  await move(joined, tip);
  return { tip: joined, undo: async () => void (await move(tip, joined)) };
}

/** Where the rebase ended; what came later are new commits. */
async function rebasedTip(
  { git, repository }: Workspace,
  { branch, tip }: Parted,
  signal?: AbortSignal,
): Promise<string> {
  const noted = await lastRebasedTip(git, repository, branch, signal);
  if (noted === undefined) return tip;
  return (await git.in(repository.commonDir).isAncestor(noted, tip, { signal })) ? noted : tip;
}

/** The same change with the same author and words on another parent. */
async function copyOnto(
  { git, repository }: Workspace,
  oid: string,
  parent: string,
  signal?: AbortSignal,
): Promise<string> {
  const at = { signal };
  const format = ['-1', '--encoding=UTF-8', '--date=raw', '--format=%an%x00%ae%x00%ad%x00%B'];
  const [author = '', email = '', date = '', ...body] = (
    await git.in(repository.commonDir).text(['log', ...format, oid], at)
  ).split('\0');
  const variables = { GIT_AUTHOR_NAME: author, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  const input = body.join('\0').replace(/\n\n$/, '\n');
  const args = ['commit-tree', '-p', parent, `${oid}^{tree}`];
  return (await git.in(repository.commonDir).text(args, { ...at, writes: true, input, variables })).trim();
}
