import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { upFrom } from '../base/paths.ts';
import { errorCode, messageOf, Problem } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';
import { readTreeDiffs, type RawTreeChange } from '../git/treeDiff.ts';
import { noteFullDisk } from '../git/writeFailure.ts';
import type { Move } from '../operations/operation.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout } from './checkout.ts';
import { CheckoutBackup, type NotRestored } from './checkoutBackup.ts';
import { notFollowed } from './checkFollowed.ts';
import { changedOutside, hiddenBlocker } from './hiddenFiles.ts';
import { updateCheckout } from './updateCheckout.ts';
import { followProblem, notRestoredProblem, type NotFollowed } from './followProblem.ts';
import { Unsettled } from './unsettled.ts';
import { checkoutMessages } from '../messages/checkout.ts';

/** Worktrees that have followed their branches, and can still be rolled back. */
export interface FollowedCheckouts {
  /** Restores every file and every index. */
  restore(): Promise<readonly NotRestored[]>;
  /** Deletes the backups. */
  drop(): Promise<void>;
}

interface Follower {
  readonly move: Move;
  readonly checkout: Checkout;
  readonly changes: readonly RawTreeChange[];
}

/**
 * Lets the worktrees of all moves follow their branches, all or none, and checks them: when one has not followed, every file of every
 * worktree is restored. Worktrees that have followed already stay as they are.
 *
 * @throws Problem `dirty` when something uncommitted is in the way, `not-writable` or `git-failed` when a file could not be written,
 *   `locked-by-another` for an index that is locked: every file is as before then.
 * @throws Unsettled when the disk refused to restore files.
 */
export async function followTogether(workspace: Workspace, moves: readonly Move[]): Promise<FollowedCheckouts> {
  const { git, repository } = workspace;
  const following = moves.filter(({ worktrees }) => worktrees.length > 0);
  const diffs = await readTreeDiffs(git, repository.commonDir, following);
  const followers = following.flatMap((move, index) =>
    move.worktrees.map((checkout): Follower => ({ move, checkout, changes: diffs[index] ?? [] })),
  );
  for (const follower of followers) {
    const { move, checkout, changes } = follower;
    const failed = await notWritable(
      checkout,
      move.branch,
      changes.map(({ path }) => path),
    );
    if (failed) throw await followProblem(workspace, failed, []);
    await refuseOutside(workspace, follower);
  }
  const backups: CheckoutBackup[] = [];
  const restore = async (): Promise<readonly NotRestored[]> =>
    (await Promise.all(backups.map((backup) => backup.restore()))).filter((each) => each !== undefined);
  const together = followers.length >= 4;
  const results = await Promise.allSettled(
    followers.map(async (follower) => {
      const backup = await CheckoutBackup.make(workspace, follower.checkout, follower.changes).catch(
        (thrown: unknown) => {
          throw notBackedUp(follower, thrown);
        },
      );
      backups.push(backup);
      return followAndCheck(workspace, follower, backup, together);
    }),
  );
  const thrown = results.find((result) => result.status === 'rejected');
  const failed = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []))[0];
  if (thrown || failed) {
    const kept = await restore();
    const problem = failed
      ? await followProblem(workspace, failed, kept)
      : asProblem((thrown as PromiseRejectedResult).reason);
    const reported = failed || kept.length === 0 ? problem : notRestoredProblem(problem, kept);
    throw kept.some(({ again }) => again) ? Unsettled.of(reported) : reported;
  }
  return { restore, drop: async () => void (await Promise.all(backups.map((backup) => backup.drop()))) };
}

async function followAndCheck(
  workspace: Workspace,
  { move, checkout, changes }: Follower,
  backup: CheckoutBackup,
  together: boolean,
): Promise<NotFollowed | undefined> {
  const answer = await updateCheckout(workspace, checkout, { ...move, together });
  await backup.noteIndex();
  const failed = { checkout, branch: move.branch, words: answer.stderr };
  if (answer.exitCode !== 0) {
    const full = await noteFullDisk(workspace.git, checkout.path, move.to, answer.stderr);
    return { ...failed, paths: [], words: [answer.stderr, ...full].join('\n') };
  }
  const paths = await notFollowed(workspace, checkout, changes, backup.index);
  if (paths.length === 0) return undefined;
  // Git gives no reason when it could not write a file.
  const full = (await isFull(checkout)) ? `${checkout.path}: No space left on device\n` : '';
  return { ...failed, paths, words: `${answer.stderr}${full}` };
}

async function isFull({ path }: Checkout): Promise<boolean> {
  const disk = await statfs(path).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize < 64 * 1024;
}

/** A folder that cannot be written to is seen before anything is touched. */
export async function notWritable(
  checkout: Checkout,
  branch: string,
  paths: readonly string[],
): Promise<NotFollowed | undefined> {
  const folders = new Map<string, string>();
  for (const path of paths) {
    const folder = dirname(join(checkout.path, path));
    if (!folders.has(folder)) folders.set(folder, path);
  }
  for (const [folder, path] of folders) {
    try {
      await access(await existing(folder), constants.W_OK | constants.X_OK);
    } catch (thrown) {
      if (!['EACCES', 'EROFS', 'EPERM'].includes(errorCode(thrown) ?? '')) continue;
      const why = errorCode(thrown) === 'EROFS' ? 'Read-only file system' : 'Permission denied';
      return { checkout, branch, paths: [path], words: `${folder}: ${why}` };
    }
  }
  return undefined;
}

/** The folder itself, or the one in which it would be made. */
async function existing(folder: string): Promise<string> {
  for (const at of upFrom(folder)) if ((await stat(at).catch(() => undefined))?.isDirectory()) return at;
  return parse(folder).root;
}

/**
 * In a sparse checkout git may overwrite files that exist outside of its patterns.
 *
 * @throws Problem `dirty` for such files with other contents than the commit's.
 */
async function refuseOutside(workspace: Workspace, { move, checkout, changes }: Follower): Promise<void> {
  const patterns = await stat(join(checkout.gitDir, 'info', 'sparse-checkout')).catch(() => undefined);
  if (!patterns) return;
  const hidden = await changedOutside(workspace, checkout, changes);
  if (hidden.length === 0) return;
  const { why, next, files } = hiddenBlocker(checkout, hidden);
  throw new Problem(
    'dirty',
    checkoutMessages.couldNotFollowNothing({ checkoutPath: checkout.path, moveBranch: move.branch, why }),
    {
      ...(next === undefined ? {} : { next }),
      items: files,
      outcome: 'incomplete',
    },
  );
}

function notBackedUp({ move, checkout }: Follower, thrown: unknown): Problem {
  return new Problem(
    'not-writable',
    checkoutMessages.filesNotBackedUp({
      checkoutPath: checkout.path,
      moveBranch: move.branch,
      reason: messageOf(thrown),
    }),
    {
      next: checkoutMessages.freeSomeSpace(),
      outcome: 'incomplete',
      cause: thrown,
    },
  );
}
