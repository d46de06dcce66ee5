import { Problem } from '../base/problem.ts';
import type { Worktree } from '../worktree/model.ts';
import { quoted } from '../base/quoted.ts';
import { sessionOfLock } from './liveSessions.ts';
import type { PathState } from './pathState.ts';
import { type Message } from '../messages/message.ts';
import { removeMessages } from '../messages/remove.ts';

/**
 * Where the folder of a worktree is that cannot be seen as one, as a sentence part. That it is not seen proves nothing: it may have been
 * moved, its disk may not be mounted, the network may be down.
 */
export function whereFolderIs(
  { path }: Worktree,
  pathState: Pick<PathState, 'condition' | 'trouble' | 'what' | 'link'>,
): Message {
  const { condition, trouble, what, link } = pathState;
  if (trouble !== undefined) return removeMessages.folderCannotLooked({ trouble });
  if (link) return removeMessages.linkLeadsPath({ to: link.to });
  switch (condition) {
    case 'missing':
      return removeMessages.folderNotMoved({ path });
    case 'empty':
      return removeMessages.noGitDisk({ path });
    case 'foreign':
      return removeMessages.otherAtPath({ what: what ?? removeMessages.somethingElse() });
    default:
      return what ?? removeMessages.gitFileDamaged();
  }
}

/** What helps where the folder of a worktree is out of sight, without a full stop. */
export function stepsToSee({ name, path, lockReason }: Worktree, { condition }: Pick<PathState, 'condition'>): Message {
  const isLocked = lockReason !== undefined && sessionOfLock(lockReason) === undefined;
  const drop = removeMessages[isLocked ? 'unlockDropsRecord' : 'forceDropsRecord']({ name: quoted(name) });
  const there = condition === 'missing' || condition === 'empty' || condition === 'foreign';
  const repair = there ? removeMessages.makeFolderVisible() : removeMessages.gitWorktreeRepair({ path: quoted(path) });
  return removeMessages.repairOrDrop({ repair, drop });
}

/** Why a worktree that is out of sight stays. Dropping it is a decision for a person, about this one. */
export function outOfSight(
  {
    worktree,
    obstacles,
  }: {
    readonly worktree: Worktree;
    readonly obstacles: readonly { readonly kind: string; readonly message: Message }[];
  },
  pathState: PathState,
): Problem {
  const why = whereFolderIs(worktree, pathState);
  const locked = obstacles.find(({ kind }) => kind === 'locked');
  const { name } = worktree;
  const what = locked
    ? removeMessages.outOfSightAndLocked({ name, why, locked: locked.message })
    : removeMessages.outOfSight({ name, why });
  return new Problem('would-lose-work', what, {
    next: stepsToSee(worktree, pathState),
    items: [worktree.path],
    outcome: 'incomplete',
  });
}
